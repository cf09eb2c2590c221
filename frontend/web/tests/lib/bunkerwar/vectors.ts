import vectors from '../../../../../tests/vectors/bunkerwar-games.json';
import type { GameEvent, Seat } from '../../../src/lib/events';

/** A move is [seat, text] and, for a missile, where it stopped. */
export interface Vector {
  readonly lanes: number;
  readonly depth: number;
  readonly stacked: boolean;
  readonly first: Seat;
  readonly moves: readonly (readonly [Seat, string, number?])[];
  readonly position: string;
  readonly scores: readonly number[];
  readonly result: string;
}

export const VECTORS = vectors as unknown as readonly Vector[];

export function event(name: string, given: Record<string, unknown>): GameEvent {
  const told = Object.entries(given).map(([key, value]) => [
    key,
    typeof value === 'number' ? String(value) : value,
  ]);
  const place = { seq: 0, block: 1, index: 0, transaction: '0x', time: 0 };
  return { name, arguments: Object.fromEntries(told), ...place };
}

export function opened({ lanes, depth, stacked }: Omit<Vector, 'moves'>): GameEvent {
  const words = [lanes, depth, Number(stacked)].map((each) => each.toString(16).padStart(64, '0'));
  return event('GameOpened', { id: 1, parameters: `0x${words.join('')}` });
}
