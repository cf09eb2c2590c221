/** How a game ended, in words' keys. Pure. */
import type { Seat, Summary } from '../lib/api';
import type { Key } from '../lib/i18n';

/** What a seat got, and whether that is a win, a loss or neither for it. */
export type Fate = 'won' | 'lost' | 'even';

/** How it ended for `seat`. */
export function fate({ winners }: Pick<Summary, 'winners'>, seat: Seat): Fate {
  if (winners.length === 0) return 'even';
  return winners.includes(seat) ? 'won' : 'lost';
}

/** The headline for `seat`, or for those who watched. */
export function headline(summary: Summary, seat: Seat | null): Key {
  if (summary.phase === 'cancelled') return 'game.result.cancelled';
  if (summary.winners.length === 0) return `game.result.${evenOutcome(summary)}`;
  if (seat === null) return 'game.result.decided';
  return summary.winners.includes(seat) ? 'game.result.won' : 'game.result.lost';
}

/** Why it ended so. */
export function reason(summary: Summary): Key | null {
  const { outcome } = summary;
  return outcome === 'none' ? null : `game.reason.${outcome}`;
}

/** Stakes of all seats together, in wei. */
export function pot({ stake, players }: Pick<Summary, 'stake' | 'players'>): bigint {
  return BigInt(stake) * BigInt(players.length);
}

function evenOutcome({ outcome }: Summary): 'drawn' | 'null' | 'voided' {
  return outcome === 'null' || outcome === 'voided' ? outcome : 'drawn';
}
