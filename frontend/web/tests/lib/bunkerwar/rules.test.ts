// @vitest-environment node
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  apply,
  Board,
  build,
  CellOccupied,
  CellUnsupported,
  GameFinished,
  HiddenInformation,
  HOUSE,
  IllegalBoard,
  IllegalMove,
  ImpossibleStop,
  legalMoves,
  MalformedText,
  MissileNotArmed,
  missile,
  moveText,
  OutOfRange,
  outcome,
  parseMove,
  State,
  view,
} from '../../../src/lib/bunkerwar/rules';
import { VECTORS, type Vector } from './vectors';

const state = (text: string) => State.parse(text);

function played({ lanes, depth, first, stacked, moves }: Vector): State {
  return moves.reduce(
    (before, [, text]) => apply(before, parseMove(text)),
    State.start(lanes, depth, { first, stacked }),
  );
}

describe.each(VECTORS)('$lanes x $depth', (game) => {
  test('the rules play the recorded game', () => {
    let now = State.start(game.lanes, game.depth, { first: game.first, stacked: game.stacked });
    for (const [seat, text, stop] of game.moves) {
      expect(now.turn).toBe(seat);
      const move = parseMove(text);
      expect(moveText(move)).toBe(text);
      expect(legalMoves(now)).toContainEqual(move);
      if (stop !== undefined) expect(now.boards[seat === 0 ? 1 : 0].stop(move.lane)).toBe(stop);
      now = apply(now, move);
    }
    expect(String(now)).toBe(game.position);
    expect(now.boards.map((board) => board.score)).toEqual(game.scores);
    expect(String(outcome(now))).toBe(game.result);
    expect(now.first).toBe(game.first);
    expect(legalMoves(now)).toEqual([]);
    expect(() => apply(now, build(0, 0, HOUSE))).toThrow(GameFinished);
  });

  test('every position on the way round-trips', () => {
    game.moves.reduce(
      (before, [, text]) => {
        const now = apply(before, parseMove(text));
        expect(String(State.parse(String(now)))).toBe(String(now));
        return now;
      },
      State.start(game.lanes, game.depth, { first: game.first, stacked: game.stacked }),
    );
  });

  test('a view hides what its seat has not built', () => {
    const end = played(game);
    expect(view(end, 0).boards[0]).toEqual(end.boards[0]);
    expect(String(view(end, 0).boards[1])).not.toMatch(/[hb]/);
    expect(String(view(end, null))).not.toMatch(/[hb]/);
  });
});

test.each([
  ['hb .. 0 2 01 -', 'H a1', CellOccupied],
  ['.. .. 0 0 01 s', 'H a2', CellUnsupported],
  ['.. .. 0 0 01 -', 'H b1', OutOfRange],
  ['.. .. 0 0 01 -', 'M b', OutOfRange],
  ['.. .. 0 0 01 -', 'H a3', OutOfRange],
  ['.. .. 0 0 1 -', 'M a', MissileNotArmed],
  ['.. ?? 0 2 01 -', 'M a', HiddenInformation],
  ['.. .. 0 4 01 -', 'M a', GameFinished],
])('in %s the move %s is refused', (text, move, error) => {
  expect(() => apply(state(text), parseMove(move))).toThrow(error);
});

test('what no build can be is refused', () => {
  expect(() => apply(state('.. .. 0 0 01 -'), build(0, 0, 'B'))).toThrow(IllegalMove);
});

test.each([
  ['.b', 0],
  ['h.', 1],
  ['..', 3],
])('a missile cannot have stopped on %s at %d', (board, stop) => {
  expect(() => apply(state(`.. ${board} 0 2 01 -`), missile(0), stop)).toThrow(ImpossibleStop);
});

test('only a missile stops', () => {
  expect(() => apply(state('.. .. 0 0 01 -'), build(0, 0, HOUSE), 0)).toThrow(ImpossibleStop);
});

test('a stop that is told shows a hidden bunker', () => {
  expect(String(apply(state('.. ?? 0 2 01 -'), missile(0), 1).boards[1])).toBe('B.');
});

test('a hidden board has no score', () => {
  expect(() => Board.parse('?.').score).toThrow(HiddenInformation);
});

test.each(['', 'X a1', 'H a9', 'H i1', 'M a1', 'h a1'])('"%s" is no move', (text) => {
  expect(() => parseMove(text)).toThrow(MalformedText);
});

test.each([
  ['.. .. 2 0 01 -', MalformedText],
  ['.. .. 0 9 01 -', MalformedText],
  ['.x .. 0 0 01 -', MalformedText],
  ['.. ... 0 0 01 -', IllegalBoard],
  ['. . 0 0 01 -', IllegalBoard],
  ['../. ../.. 0 0 01 -', IllegalBoard],
])('"%s" is no position', (text, error) => {
  expect(() => State.parse(text)).toThrow(error);
});

test('errors have the names that Python gives them', () => {
  const python = readFileSync('../../bunkerwar/rules.py', 'utf8');
  for (const error of [CellOccupied, ImpossibleStop, MissileNotArmed, MalformedText]) {
    expect(python).toContain(`class ${new error().name}(`);
  }
});
