/** What a game's own event does to its table, and what must then follow in the same transaction. */
import type { Ending } from '../events';

const BASIS_POINTS = 10_000n;
const RAKE = 100n; // in basis points, as in Endings.sol
const HELD_BACK = 100n;

/**
 * How a game ends. `lateProof`: the deadline leaves a full proof clock from now. `amounts` (wei, by seat):
 * only of a game that pays by a rule of its own.
 */
export interface End {
  readonly outcome: Ending;
  readonly winners: readonly number[];
  readonly lateProof?: boolean;
  readonly amounts?: readonly bigint[];
}

/** The event that comes next, of that seat where it is one of a seat. */
export interface Due {
  readonly event: string;
  readonly seat: number | null;
  readonly end?: End;
}

/**
 * `turn`: the move is accepted, and this seat is on turn with a full clock. `joined`: that may have been one
 * move together with the event before. `wait`: it is accepted and needs a value from outside. `proved`:
 * this seat owes its proof no more. `due`: what follows.
 */
export interface Step {
  readonly turn?: number;
  readonly joined?: boolean;
  readonly wait?: boolean;
  readonly proved?: number;
  readonly due?: Due;
}

export const STAY: Step = {};

/** The game's own event of that name. */
export function tell(event: string, seat: number | null = null): Due {
  return { event, seat };
}

/** A proof is asked of a seat. */
export function ask(seat: number): Due {
  return { event: 'ProofAsked', seat };
}

/** The game ends. */
export function ends(
  outcome: Ending,
  winners: readonly number[] = [],
  more: Pick<End, 'lateProof' | 'amounts'> = {},
): Due {
  return { event: 'GameEnded', seat: null, end: { outcome, winners, ...more } };
}

/** What an end pays by seat, in wei. */
export function pays(end: End, stake: bigint, seats: number): readonly bigint[] {
  if (end.amounts) return end.amounts;
  const all = (amount: bigint) => new Array<bigint>(seats).fill(amount);
  if (end.outcome === 'drawn' || end.outcome === 'voided') return all(stake);
  if (end.outcome === 'null') return all(stake - (stake * HELD_BACK) / BASIS_POINTS);
  const pot = stake * BigInt(seats);
  const prize = pot - (pot * RAKE) / BASIS_POINTS;
  const count = BigInt(end.winners.length);
  const first = Math.min(...end.winners);
  return all(0n).map((nothing, seat) => {
    if (!end.winners.includes(seat)) return nothing;
    return prize / count + (seat === first ? prize % count : 0n);
  });
}
