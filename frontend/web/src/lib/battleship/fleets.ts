/**
 * Ships and fleets: what stands on a board, and whether it may. The same as battleship/fleets.py.
 *
 * x is the column and y the row, both from 0 at the top left; a cell is y · size + x. A ship's place is its
 * top-left cell; `h` runs along x, `v` along y. Touching is allowed, sharing a cell is not.
 *
 * Text forms, which round-trip: ship `CR 1 2 h` (kind, x, y, direction); fleet: its ships, joined by `, `.
 */
import { IllegalSize, MalformedText, ShipOffBoard, ShipsOverlap, WrongFleet } from './errors';

export const SIZES = [6, 8, 10, 12, 14, 20] as const;

/** A ship's kind; the numbers are those of the contract (0 there: none). */
export const Kind = {
  DESTROYER: 1,
  CRUISER: 2,
  SUBMARINE: 3,
  BATTLESHIP: 4,
  CARRIER: 5,
  SUPER_CARRIER: 6,
} as const;
export type Kind = (typeof Kind)[keyof typeof Kind];

const CODES: Readonly<Record<Kind, string>> = {
  1: 'DE',
  2: 'CR',
  3: 'SU',
  4: 'BA',
  5: 'CA',
  6: 'SC',
};
const LENGTHS: Readonly<Record<Kind, number>> = { 1: 2, 2: 3, 3: 3, 4: 4, 5: 5, 6: 6 };
const SMALL = [Kind.CRUISER, Kind.DESTROYER];
const STANDARD = [Kind.CARRIER, Kind.BATTLESHIP, Kind.CRUISER, Kind.SUBMARINE, Kind.DESTROYER];
const LARGE = [
  ...[Kind.SUPER_CARRIER, Kind.CARRIER, Kind.BATTLESHIP, Kind.CRUISER],
  ...[Kind.SUBMARINE, Kind.SUBMARINE, Kind.DESTROYER, Kind.DESTROYER],
];
const FLEETS: ReadonlyMap<number, readonly Kind[]> = new Map([
  [6, SMALL],
  [8, SMALL],
  [10, STANDARD],
  [12, LARGE],
  [14, LARGE],
  [20, LARGE],
]);

/** A ship in its place, which need not be on any board. */
export interface Ship {
  readonly kind: Kind;
  readonly x: number;
  readonly y: number;
  readonly vertical: boolean;
}

export type Fleet = readonly Ship[];

/** Uniform in 0 … bound − 1, for a bound of at most 2^32. */
export type Below = (bound: number) => number;

/** Whether a number is a kind of the contract's. */
export function isKind(number: number): number is Kind {
  return Object.hasOwn(CODES, number);
}

/** Two letters: DE, CR, SU, BA, CA, SC. */
export function kindCode(kind: Kind): string {
  return CODES[kind];
}

/** Cells of the ship, 2–6. */
export function kindLength(kind: Kind): number {
  return LENGTHS[kind];
}

/** The kind with this code, upper or lower case. Throws MalformedText. */
export function parseKind(text: string): Kind {
  const kind = Object.values(Kind).find((each) => kindCode(each) === text.toUpperCase());
  if (kind) return kind;
  throw new MalformedText(`no ship ${text} (there are ${Object.values(CODES).join(', ')})`);
}

/** The ship with this text form. Throws MalformedText. */
export function parseShip(text: string): Ship {
  const match = /^([A-Za-z]{2}) (\d{1,2}) (\d{1,2}) ([hv])$/.exec(text.trim());
  if (!match) throw new MalformedText(`not a ship: ${text} (like CR 1 2 h)`);
  const [, code = '', x, y, direction] = match;
  return { kind: parseKind(code), x: Number(x), y: Number(y), vertical: direction === 'v' };
}

/** The inverse of `parseShip`. */
export function shipText({ kind, x, y, vertical }: Ship): string {
  return `${kindCode(kind)} ${x} ${y} ${vertical ? 'v' : 'h'}`;
}

/** A ship's cells on a board of `size`, from its place on. Throws ShipOffBoard. */
export function shipCells(ship: Ship, size: number): readonly number[] {
  const last = kindLength(ship.kind) - 1;
  const [right, down] = ship.vertical ? [0, last] : [last, 0];
  if (!(within(ship.x, size - right) && within(ship.y, size - down)))
    throw new ShipOffBoard(`${shipText(ship)} is not inside ${size} x ${size}`);
  const start = ship.y * size + ship.x;
  const step = ship.vertical ? size : 1;
  return Array.from({ length: last + 1 }, (_, part) => start + step * part);
}

/** How many cells must be hit on a board of `size`. Throws IllegalSize. */
export function fleetCells(size: number): number {
  return kinds(size).reduce((sum, kind) => sum + kindLength(kind), 0);
}

/** The ships of a board of `size`, longest first. Throws IllegalSize. */
export function kinds(size: number): readonly Kind[] {
  const found = FLEETS.get(size);
  if (found) return found;
  throw new IllegalSize(`no board of ${size} x ${size} (sizes are ${SIZES.join(', ')})`);
}

/** The kinds still to be placed, longest first. Throws IllegalSize. */
export function missing(size: number, ships: Fleet): readonly Kind[] {
  const left = [...kinds(size)];
  for (const { kind } of ships) {
    const at = left.indexOf(kind);
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}

/** `ships` and one more. Throws ShipOffBoard, ShipsOverlap, WrongFleet, IllegalSize. */
export function place(size: number, ships: Fleet, ship: Ship): Fleet {
  if (!missing(size, ships).includes(ship.kind))
    throw new WrongFleet(`${shipText(ship)}: no ${kindCode(ship.kind)} is left to place`);
  const taken = new Map(ships.flatMap((each) => shipCells(each, size).map((cell) => [cell, each])));
  for (const cell of shipCells(ship, size)) {
    const other = taken.get(cell);
    if (other) throw new ShipsOverlap(`${shipText(ship)} lies across ${shipText(other)}`);
  }
  return [...ships, ship];
}

/** The ships, if they are a whole fleet of that board. Throws as `place`. */
export function checkFleet(size: number, ships: Fleet): Fleet {
  const fleet = ships.reduce<Fleet>((placed, ship) => place(size, placed, ship), []);
  const absent = missing(size, fleet);
  if (absent.length) throw new WrongFleet(`still to place: ${absent.map(kindCode).join(', ')}`);
  return fleet;
}

/** The ships of a fleet's text form, unchecked. Throws MalformedText. */
export function parseFleet(text: string): Fleet {
  return text.split(', ').map(parseShip);
}

/** The inverse of `parseFleet`. */
export function fleetText(ships: Fleet): string {
  return ships.map(shipText).join(', ');
}

/**
 * A whole fleet: the ships that `fleet` lacks, longest first, at random. Throws IllegalSize.
 *
 * A board is a secret: only tests pass another source than the browser's cryptographic one.
 */
export function randomFleet(size: number, fleet: Fleet = [], below: Below = secureBelow): Fleet {
  return missing(size, fleet).reduce((placed, kind) => {
    for (;;) {
      const ship = { kind, x: below(size), y: below(size), vertical: below(2) === 1 };
      if (fits(size, placed, ship)) return place(size, placed, ship);
    }
  }, fleet);
}

/** Whether `ship` may be placed beside `ships`. Throws IllegalSize. */
export function fits(size: number, ships: Fleet, ship: Ship): boolean {
  try {
    place(size, ships, ship);
    return true;
  } catch (error) {
    if (error instanceof ShipOffBoard || error instanceof ShipsOverlap) return false;
    throw error;
  }
}

/** From the browser's cryptographic source. */
export function secureBelow(bound: number): number {
  const limit = 2 ** 32 - (2 ** 32 % bound);
  for (;;) {
    const [word = limit] = crypto.getRandomValues(new Uint32Array(1));
    if (word < limit) return word % bound;
  }
}

function within(place: number, bound: number): boolean {
  return Number.isInteger(place) && place >= 0 && place < bound;
}
