// @vitest-environment node
import { expect, test } from 'vitest';
import {
  AlreadyFired,
  AnswerNeeded,
  GameFinished,
  ImpossibleAnswer,
  MalformedText,
  OutOfRange,
  WrongFleet,
} from '../../../src/lib/battleship/errors';
import { Kind, parseFleet } from '../../../src/lib/battleship/fleets';
import {
  apply,
  attackAt,
  attackText,
  Board,
  cellOf,
  hit,
  judge,
  legalMoves,
  MISS,
  parseAttack,
  parseShot,
  type Shot,
  State,
  shotText,
  truthful,
  view,
} from '../../../src/lib/battleship/rules';
import { GAMES } from './games';

const FLEETS = [parseFleet('CR 0 0 h, DE 0 1 h'), parseFleet('CR 3 5 h, DE 5 3 v')] as const;

test.each(GAMES)('$name: the answers are those of the fleets', (game) => {
  const fleets = game.fleets.map(parseFleet) as [never, never];
  let state = State.start(game.size, fleets, game.first);
  for (const [seat, text] of game.shots) {
    expect(state.turn).toBe(seat);
    const { cell } = parseShot(text);
    const attack = attackAt(game.size, cell);
    expect(legalMoves(state)).toContainEqual(attack);
    state = apply(state, attack);
    expect(shotText(state.boards[state.turn].shots.at(-1) as Shot)).toBe(text);
  }
  expect(String(state)).toBe(game.known);
  expect(String(State.parse(game.known))).toBe(game.known);
  expect(String(view(state, null))).toBe(game.position);
});

test.each(['attack 0 0', 'attack 13 7'])('%s round-trips', (text) => {
  expect(attackText(parseAttack(text))).toBe(text);
});

test.each(['12-', '13+', '14+CR'])('the shot %s round-trips', (text) => {
  expect(shotText(parseShot(text))).toBe(text);
});

test.each(['attack 1', 'attack a 1', 'fire 1 1'])('"%s" is no attack', (text) => {
  expect(() => parseAttack(text)).toThrow(MalformedText);
});

test.each(['', '12', '12-CR', '12+XX'])('"%s" is no shot', (text) => {
  expect(() => parseShot(text)).toThrow(MalformedText);
});

test.each([
  ['6 | 2 | ? | - | ? | -'],
  ['6 | 0 | ? | - | ?'],
  ['6 | 0 | ? | 36- | ? | -'],
  ['6 | 0 | ? | 1- 1- | ? | -'],
  ['6 | 0 | CR 0 0 h, DE 0 1 h | 0- | ? | -'],
])('"%s" is no position', (text) => {
  expect(() => State.parse(text)).toThrow(MalformedText);
});

test('an illegal fleet is refused', () => {
  expect(() => State.start(6, [FLEETS[0].slice(1), null])).toThrow(WrongFleet);
});

test('turns alternate, also after a hit, and the last cell of a ship sinks it', () => {
  let state = State.start(6, [...FLEETS]);
  const cells = [33, 30, 34, 31, 35];
  for (const cell of cells) state = apply(state, attackAt(6, cell));
  expect(state.turn).toBe(1);
  expect(state.boards[1].sunk).toEqual([Kind.CRUISER]);
  expect(state.boards[1].afloat).toEqual([Kind.DESTROYER]);
  expect([...state.boards[1].hits]).toEqual([33, 34, 35]);
});

test('a hidden board needs an answer, a known one none but the true one', () => {
  const state = State.start(6, [null, FLEETS[1]]);
  expect(() => apply(state, attackAt(6, 33), MISS)).toThrow(ImpossibleAnswer);
  expect(apply(state, attackAt(6, 33), hit()).boards[1].hits.size).toBe(1);
  expect(() => apply(state.withTurn(1), attackAt(6, 0))).toThrow(AnswerNeeded);
  const false_ = { hit: false, sunk: Kind.CRUISER };
  expect(() => apply(state.withTurn(1), attackAt(6, 0), false_)).toThrow(ImpossibleAnswer);
});

test('no cell is shot at twice, or beyond the board', () => {
  const state = apply(State.start(6, [...FLEETS]), attackAt(6, 0)).withTurn(0);
  expect(() => apply(state, attackAt(6, 0))).toThrow(AlreadyFired);
  expect(() => cellOf({ x: 6, y: 0 }, 6)).toThrow(OutOfRange);
  expect(() => cellOf({ x: 0.5, y: 0 }, 6)).toThrow(OutOfRange);
});

test('who has fired at every cell has won, however few ships there were', () => {
  const shots = Array.from({ length: 36 }, (_, cell) => ({ cell, answer: MISS }));
  const state = new State([new Board(6, null, shots), new Board(6)], 0);
  expect(state.winner).toBe(1);
  expect(legalMoves(state)).toEqual([]);
  expect(() => apply(state, attackAt(6, 0))).toThrow(GameFinished);
});

test('a board bears out true answers only', () => {
  const sunk = { cell: 7, answer: hit(Kind.DESTROYER) };
  expect(truthful(6, FLEETS[0], [{ cell: 6, answer: hit() }, sunk])).toBe(true);
  expect(truthful(6, FLEETS[0], [sunk])).toBe(false);
  expect(truthful(6, FLEETS[0], [{ cell: 0, answer: MISS }])).toBe(false);
  expect(truthful(6, FLEETS[0].slice(1), [])).toBe(false);
});

test.each([
  [['honest', 'silent'], null, ['fair', 0]],
  [['silent', 'honest'], null, ['failed_to_provide_proof', 1]],
  [['dishonest', 'honest'], 1, ['null', null]],
  [['silent', 'dishonest'], null, ['null', null]],
] as const)('proofs %j with cheater %s: %j', (proofs, cheater, verdict) => {
  expect(judge(0, proofs, cheater)).toEqual(verdict);
});
