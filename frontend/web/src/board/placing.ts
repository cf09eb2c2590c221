/** How a fleet is rearranged by hand: always whole, always legal, or left as it was. Pure. */
import { type Fleet, fits, type Ship } from '../lib/battleship/fleets';

/** The fleet with ship `index` at column x and row y, or null where it does not fit. */
export function moved(
  size: number,
  fleet: Fleet,
  index: number,
  x: number,
  y: number,
): Fleet | null {
  return changed(size, fleet, index, { x, y });
}

/** The fleet with ship `index` one step on, past what stands in its way; null at the edge. */
export function nudged(
  size: number,
  fleet: Fleet,
  index: number,
  dx: number,
  dy: number,
): Fleet | null {
  const { x, y } = shipAt(fleet, index);
  for (let step = 1; step < size; step++) {
    const next = moved(size, fleet, index, x + dx * step, y + dy * step);
    if (next) return next;
  }
  return null;
}

/** The fleet with ship `index` turned, at its place or the nearest with room; null if there is none. */
export function rotated(size: number, fleet: Fleet, index: number): Fleet | null {
  const ship = shipAt(fleet, index);
  for (const { x, y } of nearest(size, ship)) {
    const next = changed(size, fleet, index, { x, y, vertical: !ship.vertical });
    if (next) return next;
  }
  return null;
}

/** Whether ship `index` could stand as `ship` among the others. */
export function hasRoom(size: number, fleet: Fleet, index: number, ship: Ship): boolean {
  return fits(size, fleet.toSpliced(index, 1), ship);
}

function changed(size: number, fleet: Fleet, index: number, change: Partial<Ship>): Fleet | null {
  const ship = { ...shipAt(fleet, index), ...change };
  return hasRoom(size, fleet, index, ship) ? fleet.with(index, ship) : null;
}

/** Every column and row, the ship's own first. */
function nearest(size: number, ship: Ship): { x: number; y: number }[] {
  const places = Array.from({ length: size * size }, (_, cell) => ({
    x: cell % size,
    y: Math.floor(cell / size),
  }));
  const far = ({ x, y }: { x: number; y: number }) => Math.abs(x - ship.x) + Math.abs(y - ship.y);
  return places.sort((one, two) => far(one) - far(two));
}

function shipAt(fleet: Fleet, index: number): Ship {
  const ship = fleet[index];
  if (!ship) throw new RangeError(`there is no ship ${index}`);
  return ship;
}
