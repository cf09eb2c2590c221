import { expect, test } from 'vitest';
import { moved, nudged, rotated } from '../../src/board/placing';
import {
  checkFleet,
  fleetText,
  parseFleet,
  randomFleet,
  SIZES,
} from '../../src/lib/battleship/fleets';

const FLEET = parseFleet('CR 0 0 h, DE 4 0 v');

test('a ship moves where there is room, and nowhere else', () => {
  const next = moved(6, FLEET, 0, 1, 3);
  expect(next && fleetText(next)).toBe('CR 1 3 h, DE 4 0 v');
  expect(moved(6, FLEET, 0, 2, 1)).toBeNull(); // across the destroyer
  expect(moved(6, FLEET, 0, 4, 3)).toBeNull(); // over the edge
  expect(moved(6, FLEET, 0, -1, 0)).toBeNull();
});

test('a step leads past what stands in the way', () => {
  const free = nudged(6, FLEET, 0, 1, 0);
  expect(free && fleetText(free)).toBe('CR 1 0 h, DE 4 0 v');
  const over = nudged(6, parseFleet('CR 1 0 h, DE 4 0 v'), 1, -1, 0);
  expect(over && fleetText(over)).toBe('CR 1 0 h, DE 0 0 v');
  expect(nudged(6, FLEET, 0, 0, -1)).toBeNull();
});

test('a ship turns at its place, or at the nearest with room', () => {
  const turned = rotated(6, FLEET, 0);
  expect(turned && fleetText(turned)).toBe('CR 0 0 v, DE 4 0 v');
  const atEdge = rotated(6, parseFleet('CR 0 5 h, DE 4 0 v'), 0);
  expect(atEdge && fleetText(atEdge)).toBe('CR 0 3 v, DE 4 0 v');
});

test.each(SIZES)('whatever is done on %d x %d, the fleet stays whole and legal', (size) => {
  let fleet = randomFleet(size);
  for (let step = 0; step < 60; step++) {
    const index = step % fleet.length;
    const [dx, dy] = [
      [1, 0],
      [0, 1],
      [-1, 0],
      [0, -1],
    ][step % 4] as [number, number];
    fleet =
      (step % 5 === 0 ? rotated(size, fleet, index) : nudged(size, fleet, index, dx, dy)) ?? fleet;
    expect(checkFleet(size, fleet)).toEqual(fleet);
  }
});
