/** Blocks and the time that they take. Pure. */

import type { Summary } from '../lib/api';

export interface Block {
  readonly number: number;
  /** Seconds since 1970. */
  readonly timestamp: number;
}

/** Blocks in which the player on turn can still not lose on time; 0 once he can. */
export function blocksLeft(summary: Pick<Summary, 'deadline'>, block: Block): number {
  return Math.max(summary.deadline - block.number, 0);
}

/** Seconds that so many blocks take from `block` on, seen `now` (seconds since 1970); never below 0. */
export function secondsLeft(
  blocks: number,
  block: Block,
  secondsPerBlock: number,
  now: number,
): number {
  if (blocks === 0) return 0;
  // The chain's clock may run apart from this computer's: at most one block's time has gone by.
  const gone = Math.min(Math.max(now - block.timestamp, 0), secondsPerBlock);
  return Math.max(Math.round(blocks * secondsPerBlock - gone), 0);
}

/** 1:02:03, 59:07, 0:05. */
export function clockText(seconds: number): string {
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const tail = String(seconds % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`;
}
