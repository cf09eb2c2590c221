/** What the table lets a player do now, beside moving. Pure. */

import type { Seat, Summary } from '../lib/api';

export const KEEP_ALIVES = 3;

export interface Clocks {
  readonly move: number;
  readonly wait: number;
  readonly notice: number;
}

/** A proof that was asked for and did not come: whose, and the last block of its clock. */
export interface Proof {
  readonly seat: Seat;
  readonly deadline: number;
}

export type Option =
  | 'join'
  | 'cancel'
  | 'offerDraw'
  | 'acceptDraw'
  | 'keepAlive'
  | 'claimTimeout'
  | 'closeProof'
  | 'announceVoid'
  | 'voidGame'
  | 'resign';

export interface Table {
  readonly summary: Summary;
  /** Null for somebody who does not sit in it. */
  readonly seat: Seat | null;
  readonly address: string | null;
  readonly block: number;
  readonly clocks: Clocks;
  readonly proofs: readonly Proof[];
}

const CONDITIONS: Readonly<Record<Option, (table: Table) => boolean>> = {
  join: ({ summary, seat, address }) =>
    summary.phase === 'open' && seat === null && (!summary.invited || summary.invited === address),
  cancel: ({ summary, seat }) => summary.phase === 'open' && seat === 0,
  offerDraw: (table) => mayAgree(table) && !otherOffers(table),
  acceptDraw: (table) => mayAgree(table) && otherOffers(table),
  resign: ({ summary, seat }) =>
    seat !== null && ['drawing', 'playing', 'waiting'].includes(summary.phase),
  keepAlive: ({ summary, seat }) =>
    summary.phase === 'playing' &&
    seat !== null &&
    seat === summary.onTurn &&
    keepAlivesLeft(summary, seat) > 0,
  claimTimeout: ({ summary, seat, block }) =>
    summary.phase === 'playing' &&
    seat !== null &&
    seat !== summary.onTurn &&
    block > summary.deadline,
  closeProof: (table) => table.seat !== null && overdue(table) !== null,
  announceVoid: ({ summary, seat, block, clocks }) =>
    seat !== null && waits(summary) && !isAnnounced(summary) && block >= summary.mark + clocks.wait,
  voidGame: ({ summary, seat, block, clocks }) =>
    seat !== null &&
    waits(summary) &&
    isAnnounced(summary) &&
    block >= summary.mark + clocks.notice,
};

/** The options that are open now, in the order in which they are shown: what comes and goes, last. */
export function options(table: Table): Option[] {
  return (Object.keys(CONDITIONS) as Option[]).filter((option) => CONDITIONS[option](table));
}

/** The proof whose clock has run out and that anybody may close, or null. */
export function overdue({ summary, proofs, block }: Table): Proof | null {
  if (summary.phase !== 'proving') return null;
  return proofs.find((proof) => block > proof.deadline) ?? null;
}

/** How often the seat may still extend its clock. */
export function keepAlivesLeft(summary: Summary, seat: Seat): number {
  return KEEP_ALIVES - (summary.keepAlives[seat] ?? 0);
}

function waits(summary: Summary): boolean {
  return summary.phase === 'waiting';
}

function isAnnounced({ voidAnnounced }: Summary): boolean {
  return Boolean(voidAnnounced);
}

function mayAgree({ summary, seat }: Table): boolean {
  const agreeable = summary.phase === 'playing' || waits(summary);
  return agreeable && seat !== null && !summary.consents.includes(seat);
}

function otherOffers({ summary, seat }: Table): boolean {
  return summary.consents.some((other) => other !== seat);
}
