// @vitest-environment node
import { describe, expect, test } from 'vitest';
import * as errors from '../../../src/lib/battleship/errors';
import {
  checkFleet,
  fleetCells,
  fleetText,
  Kind,
  kindCode,
  kindLength,
  kinds,
  missing,
  parseFleet,
  parseKind,
  parseShip,
  place,
  randomFleet,
  SIZES,
  secureBelow,
  shipCells,
  shipText,
} from '../../../src/lib/battleship/fleets';
import { type Vector, vectors } from '../../vectors';

const ERRORS: Vector = errors;
const VECTORS = vectors('battleship-fleets');

test.each<Vector>(VECTORS.fleets)(
  'as Python judges: $size, $text',
  ({ size, text, cells, error }) => {
    const judge = () => checkFleet(size, parseFleet(text));
    if (error) {
      expect(judge).toThrow(ERRORS[error]);
      return;
    }
    expect(judge().map((ship) => shipCells(ship, size))).toEqual(cells);
    expect(fleetText(judge())).toBe(
      text.toUpperCase().replace(/[HV](?=,|$)/g, (x: string) => x.toLowerCase()),
    );
  },
);

test('kinds and their codes', () => {
  const all = Object.values(Kind);
  expect(all.map(kindCode)).toEqual(['DE', 'CR', 'SU', 'BA', 'CA', 'SC']);
  expect(all.map(kindLength)).toEqual([2, 3, 3, 4, 5, 6]);
  expect(all.map(kindCode).map(parseKind)).toEqual(all);
  expect(parseKind('sc')).toBe(Kind.SUPER_CARRIER);
  expect(() => parseKind('constructor')).toThrow(errors.MalformedText);
});

test('cells of whole fleets', () => {
  expect(SIZES.map(fleetCells)).toEqual([5, 5, 17, 28, 28, 28]);
  expect(() => kinds(9)).toThrow(errors.IllegalSize);
});

test('what is still to be placed', () => {
  expect(missing(10, parseFleet('CR 0 0 h'))).toEqual([
    Kind.CARRIER,
    Kind.BATTLESHIP,
    Kind.SUBMARINE,
    Kind.DESTROYER,
  ]);
  expect(missing(12, parseFleet('SU 0 0 h, DE 0 1 h')).map(kindCode)).toEqual([
    'SC',
    'CA',
    'BA',
    'CR',
    'SU',
    'DE',
  ]);
});

test('a ship that crosses another names it', () => {
  const fleet = parseFleet('CR 0 0 h');
  expect(() => place(6, fleet, parseShip('DE 2 0 v'))).toThrow('DE 2 0 v lies across CR 0 0 h');
  expect(shipText(parseShip(' DE 2 0 v '))).toBe('DE 2 0 v');
});

describe.each(SIZES)('random fleets of %i', (size) => {
  test('are legal, differ, and keep what was placed', () => {
    const made = Array.from({ length: 8 }, () => randomFleet(size));
    for (const fleet of made) expect(checkFleet(size, fleet)).toEqual(fleet);
    expect(new Set(made.map(fleetText)).size).toBeGreaterThan(1);
    const begun = parseFleet('DE 0 0 v');
    const whole = checkFleet(size, randomFleet(size, begun));
    expect(fleetText(whole)).toMatch(/^DE 0 0 v/);
  });
});

test('a source of one’s own decides the fleet', () => {
  const numbers = [5, 5, 0, 0, 0, 0, 1, 0, 0, 0, 1, 1];
  const fleet = randomFleet(6, [], () => numbers.shift() ?? 0);
  expect(fleetText(fleet)).toBe('CR 0 0 h, DE 0 1 v');
});

test('the secure source reaches every number below its bound, and no other', () => {
  const found = new Set(Array.from({ length: 600 }, () => secureBelow(6)));
  expect([...found].sort()).toEqual([0, 1, 2, 3, 4, 5]);
});
