// @vitest-environment node
import { describe, expect, test } from 'vitest';
import { asKnown, frames, withOwn } from '../../../src/lib/bunkerwar/frames';
import { parseParameters, replay } from '../../../src/lib/bunkerwar/replay';
import { apply, Board, type Move, parseMove, State, view } from '../../../src/lib/bunkerwar/rules';
import { type GameEvent, other, RecordInvalid, SEATS } from '../../../src/lib/events';
import { event, opened, VECTORS, type Vector } from './vectors';

/** The events of a recorded game, and the true state after each. */
function told(game: Vector): { events: GameEvent[]; states: (State | null)[] } {
  const { lanes, depth, first, stacked } = game;
  let state = State.start(lanes, depth, { first, stacked });
  const events = [opened(game), event('FirstSeatDrawn', { seat: first })];
  const states: (State | null)[] = [null, state];
  for (const [seat, text, stop] of game.moves) {
    const move = parseMove(text);
    for (const each of eventsOf(state, seat, move, stop)) {
      events.push(each);
      if (each.name === 'MissileSent') states.push(state);
    }
    state = apply(state, move);
    states.push(state);
  }
  const result = game.result === 'tie' ? 2 : Number(game.result);
  events.push(event('CountingStarted', { result: '0xff' }), event('ResultSettled', { result }));
  return { events, states: [...states, state, state] };
}

function eventsOf(state: State, seat: number, move: Move, stop?: number): GameEvent[] {
  const { lane } = move;
  if (move.kind === 'build') return [event('BuildingPlaced', { seat, lane, depth: move.depth })];
  const resolved = event('MissileResolved', { seat, lane, stop });
  const shown = view(state, null).boards[other(state.turn)].cells[lane] ?? [];
  const outermost = shown.findLast((cell) => cell !== '.');
  const hidden = outermost === '?';
  return hidden ? [event('MissileSent', { seat, lane, stop: '0xab' }), resolved] : [resolved];
}

describe.each(VECTORS)('$lanes x $depth', (game) => {
  const { events, states } = told(game);
  const seen = frames(events);

  test('there is one frame for each event, as the public saw it', () => {
    expect(seen.map((frame) => frame.event)).toEqual(events);
    const shown = states.map((state) => (state ? String(view(state, null)) : null));
    expect(seen.map(({ game }) => (game.state ? String(game.state) : null))).toEqual(shown);
    expect(String(seen.at(-1)?.game.result)).toBe(game.result);
  });

  test.each(SEATS)(
    'seat %d knew their own buildings from when they built, and no other',
    (seat) => {
      const own = (states.at(-1) as State).boards[seat];
      const known = asKnown(seen, seat, own);
      const shown = states.map((state) => (state ? String(view(state, seat)) : null));
      expect(known.map(({ game }) => (game.state ? String(game.state) : null))).toEqual(shown);
      const moves = known.filter(({ event }) => /Placed|Resolved/.test(event.name));
      moves.forEach(({ move }, at) => {
        const [by, text] = game.moves[at] as [number, string];
        const hidden = by !== seat && move?.kind === 'build';
        expect(move).toEqual(hidden ? { ...parseMove(text), cell: '?' } : parseMove(text));
      });
    },
  );

  test.each(SEATS)('what seat %d cannot decrypt stays hidden to them', (seat) => {
    const known = asKnown(seen, seat, Board.empty(game.lanes, game.depth));
    const last = known.at(-1)?.game.state as State;
    expect(String(last)).toBe(String(view(states.at(-1) as State, null)));
  });

  test('the decryptions that were asked for are told', () => {
    const awaited = events.filter(({ name }) => /Sent|Counting/.test(name));
    const { decrypted } = replay(events);
    expect(decrypted.map(({ handle }) => handle)).toEqual(
      awaited.map(({ name }) => (name === 'MissileSent' ? '0xab' : '0xff')),
    );
    expect(decrypted.every(({ value }) => value !== null)).toBe(true);
  });
});

test('a missile that flies has a move and no stop yet', () => {
  const start = [
    opened({ lanes: 1, depth: 2, stacked: false } as Vector),
    event('FirstSeatDrawn', { seat: 0 }),
    event('BuildingPlaced', { seat: 0, lane: 0, depth: 0 }),
    event('MissileSent', { seat: 1, lane: 0, stop: '0x01' }),
  ];
  const last = frames(start).at(-1);
  expect(last).toMatchObject({ seat: 1, move: { kind: 'missile', lane: 0 }, stop: null });
  expect(last?.game.inFlight).toEqual({ kind: 'missile', lane: 0 });
});

test('a board that is newer than the events tells nothing of what has gone since', () => {
  const shown = State.parse('?? .. 0 2 01 -');
  expect(String(withOwn(shown, 0, Board.parse('h.')).boards[0])).toBe('h?');
  expect(String(withOwn(shown, 0, Board.parse('B.')).boards[0])).toBe('b?');
});

const BEGUN = [
  opened({ lanes: 1, depth: 2, stacked: false } as Vector),
  event('FirstSeatDrawn', { seat: 0 }),
];
const FLYING = [
  ...BEGUN,
  event('BuildingPlaced', { seat: 0, lane: 0, depth: 0 }),
  event('MissileSent', { seat: 1, lane: 0, stop: '0x01' }),
];

test.each<[string, GameEvent[]]>([
  ['a draw without a game', [event('FirstSeatDrawn', { seat: 0 })]],
  ['a build out of turn', [...BEGUN, event('BuildingPlaced', { seat: 1, lane: 0, depth: 0 })]],
  ['a lane that is none', [...BEGUN, event('MissileResolved', { seat: 0, lane: 4, stop: 0 })]],
  ['a cell that is none', [...BEGUN, event('BuildingPlaced', { seat: 0, lane: 0, depth: 2 })]],
  ['a seat that is none', [...BEGUN, event('BuildingPlaced', { seat: 3, lane: 0, depth: 0 })]],
  ['a missing argument', [...BEGUN, event('BuildingPlaced', { seat: 0, lane: 0 })]],
  [
    'a stop that cannot be known',
    [...FLYING.slice(0, 3), event('MissileResolved', { seat: 1, lane: 0, stop: 1 })],
  ],
  [
    'a flight that needs none',
    [...BEGUN, event('MissileSent', { seat: 0, lane: 0, stop: '0x01' })],
  ],
  ['a build during a flight', [...FLYING, event('BuildingPlaced', { seat: 1, lane: 0, depth: 0 })]],
  ['a stop in air', [...FLYING, event('MissileResolved', { seat: 1, lane: 0, stop: 2 })]],
  ['counting too early', [...BEGUN, event('CountingStarted', { result: '0x01' })]],
  ['a result too early', [...BEGUN, event('ResultSettled', { result: 1 })]],
])('%s is refused', (_, events) => {
  expect(() => replay(events.slice(0, -1))).not.toThrow();
  expect(() => replay(events)).toThrow(RecordInvalid);
});

test('parameters that are none are refused', () => {
  expect(() => parseParameters('0x00')).toThrow(RecordInvalid);
});

test('the table’s own events change nothing', () => {
  expect(replay([...BEGUN, event('DrawOffered', { seat: 1 })])).toEqual(replay(BEGUN));
});
