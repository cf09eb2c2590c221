import { describe, expect, test } from 'vitest';
import { cells, flightAt, lastOn } from '../../src/game/bunkerwar/cells';
import { enemySide, indexOf, labels, placeOf, shape } from '../../src/game/bunkerwar/layout';
import type { Frame } from '../../src/lib/bunkerwar/frames';
import { Board, BUNKER, build, HIDDEN, type Move, missile } from '../../src/lib/bunkerwar/rules';

const SIZE = { lanes: 3, depth: 5 };
const LAYOUTS = [true, false].flatMap((tall) =>
  [true, false].map((home) => ({ ...SIZE, tall, home })),
);

describe.each(LAYOUTS)('tall $tall, home $home', (layout) => {
  const { rows, columns } = shape(layout);

  test('every cell has one place', () => {
    const places = Array.from({ length: rows * columns }, (_, index) => placeOf(layout, index));
    expect(new Set(places.map(({ lane, depth }) => `${lane}/${depth}`)).size).toBe(15);
    places.forEach((place, index) => {
      expect(indexOf(layout, place)).toBe(index);
    });
  });

  test('the far end is where missiles come in, and labels agree', () => {
    const index = indexOf(layout, { lane: 1, depth: SIZE.depth - 1 });
    const [row, column] = [Math.floor(index / columns), index % columns];
    const at = { left: column === 0, right: column === columns - 1, top: row === 0 };
    const sides = { ...at, bottom: row === rows - 1 };
    expect(sides[enemySide(layout)]).toBe(true);
    const text = labels(layout);
    expect([text.rows[row], text.columns[column]].sort()).toEqual(['5', 'b']);
  });
});

const wide = { ...SIZE, tall: false, home: true };

test('enemy ends face each other', () => {
  const facing = (tall: boolean) => [true, false].map((home) => enemySide({ ...SIZE, tall, home }));
  expect(facing(false)).toEqual(['right', 'left']);
  expect(facing(true)).toEqual(['top', 'bottom']);
});

test('cells are named by row, depth and what stands there', () => {
  const shown = cells({
    board: Board.parse('hb?B./...../.....'),
    layout: wide,
    playable: ({ depth }) => depth === 4,
    last: { lane: 1 },
    pending: { lane: 2, depth: 0, cell: BUNKER },
  });
  expect(shown.slice(0, 5).map(({ name }) => name)).toEqual([
    'row a, depth 1: house',
    'row a, depth 2: bunker',
    'row a, depth 3: hidden building',
    'row a, depth 4: bunker that stopped a missile',
    'row a, depth 5: empty',
  ]);
  expect(shown[10]).toMatchObject({ name: 'row c, depth 1: bunker, being sent', pending: true });
  expect(shown.flatMap(({ playable }, at) => (playable ? [at] : []))).toEqual([4, 9, 14]);
  expect(shown.flatMap(({ last }, at) => (last ? [at] : []))).toEqual([5, 6, 7, 8, 9]);
});

const frame = (seat: 0 | 1, move: Move, stop: number | null): Frame =>
  ({ event: { seq: 9, name: 'x' }, seat, move, stop }) as unknown as Frame;

test('a missile passes what is destroyed, and the bunker that stops it', () => {
  const before = Board.parse('hb.h?/...../.....');
  const through = flightAt(frame(1, missile(0), 0), 0, before, wide);
  expect(through).toMatchObject({ from: 'right', line: 0, stopped: false, waiting: false });
  expect(through?.passed).toEqual(['hidden', 'house', undefined, 'bunker', 'house']);
  const stopped = flightAt(frame(1, missile(0), 2), 0, before, wide);
  expect(stopped).toMatchObject({ stopped: true });
  expect(stopped?.passed).toEqual(['hidden', 'house', undefined, 'bunker']);
});

test('a missile in flight waits at the edge; nothing flies at its sender', () => {
  const flying = frame(1, missile(2), null);
  expect(flightAt(flying, 0, Board.empty(3, 5), wide)).toMatchObject({ waiting: true, passed: [] });
  expect(flightAt(flying, 1, Board.empty(3, 5), wide)).toBeNull();
  expect(flightAt(frame(0, build(0, 0, HIDDEN), null), 1, Board.empty(3, 5), wide)).toBeNull();
});

test('the last move is marked on the board that it changed', () => {
  const built = frame(0, build(1, 2, HIDDEN), null);
  expect(lastOn(built, 0)).toMatchObject({ lane: 1, depth: 2 });
  expect(lastOn(built, 1)).toBeNull();
  expect(lastOn(frame(0, missile(1), 0), 1)).toEqual({ lane: 1 });
  expect(lastOn(undefined, 0)).toBeNull();
});
