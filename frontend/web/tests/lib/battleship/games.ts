import vectors from '../../../../../tests/vectors/battleship-games.json';
import type { GameEvent, Seat } from '../../../src/lib/events';

type TextEvent = readonly [string, Record<string, unknown>];

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

const { games, refused } = vectors as unknown as {
  games: readonly GameVector[];
  refused: readonly { name: string; events: readonly TextEvent[] }[];
};
export const GAMES = games;
export const REFUSED = refused;

export function eventsOf(told: readonly TextEvent[]): GameEvent[] {
  return told.map(([name, given], seq) => {
    const place = { seq, block: seq, index: 0, transaction: '0x', timestamp: seq };
    return { name, arguments: given, ...place };
  });
}
