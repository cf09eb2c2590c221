import vectors from '../../../../../tests/vectors/battleship-games.json';
import type { GameEvent, Seat } from '../../../src/lib/events';

interface Place {
  readonly block: number;
  readonly index: number;
  readonly transaction: string;
  readonly time: number;
}
type TextEvent = readonly [string, Record<string, unknown>, Place];

/** A whole game; the file's script says what each field is. */
export interface GameVector {
  readonly name: string;
  readonly size: number;
  readonly first: Seat;
  readonly fleets: readonly [string, string];
  readonly events: readonly TextEvent[];
  readonly shots: readonly (readonly [Seat, string])[];
  readonly position: string;
  readonly known: string;
  readonly due: readonly [Seat, number] | null;
  readonly beneficiary: Seat | null;
  readonly result: readonly [string, Seat | null] | null;
}

const { games } = vectors as unknown as { games: readonly GameVector[] };
export const GAMES = games;

export function eventsOf(told: readonly TextEvent[]): GameEvent[] {
  return told.map(([name, given, { block, index, transaction, time }], seq) => {
    return { seq, name, arguments: given, block, index, transaction, time: time };
  });
}
