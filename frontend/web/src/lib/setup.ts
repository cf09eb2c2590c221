import * as v from 'valibot';
import { parseEther } from 'viem/utils';
import type { Parameters } from './api';
import { load, save } from './storage';

/** What a player chose last, offered to them again. */
export interface Choices {
  /** Seconds for a move. */
  pace: number;
  bunkerwar: Parameters['bunkerwar'];
  battleship: Parameters['battleship'];
}

export const LANES = range(1, 8);
export const DEPTHS = range(2, 8);
export const SIZES = [6, 8, 10, 12, 14, 20];

const DEFAULTS: Choices = {
  pace: 300,
  bunkerwar: { lanes: 4, depth: 4, stacked: false },
  battleship: { size: 8 },
};

const whole = v.pipe(v.number(), v.safeInteger());
const KEPT = {
  pace: v.pipe(whole, v.minValue(1)),
  bunkerwar: v.object({
    lanes: v.picklist(LANES),
    depth: v.picklist(DEPTHS),
    stacked: v.boolean(),
  }),
  battleship: v.object({ size: v.picklist(SIZES) }),
};

export function lastChoices(): Choices {
  return structuredClone({ ...DEFAULTS, ...load('choices', KEPT) });
}

export function keepChoices(choices: Choices): void {
  save('choices', choices);
}

/** A stake as it is typed, in wei; null where it is no amount. Nothing typed is no stake. */
export function parseStake(text: string): bigint | null {
  const trimmed = text.trim().replace(',', '.');
  if (trimmed === '') return 0n;
  return /^\d{1,9}(\.\d{0,18})?$/.test(trimmed) ? parseEther(trimmed) : null;
}

/** What the winner of a game of two gets: the pot less 1 %, rounded as the contract does. */
export function prize(stake: bigint): bigint {
  const pot = stake * 2n;
  return pot - (pot * 100n) / 10_000n;
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
