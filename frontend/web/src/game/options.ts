/** What the table lets a player do now, beside moving. Pure. */

import type { Clocks, Seat, Summary, TimeControl } from '../lib/api';

/** A proof that was asked for and did not come: whose, and the last second of its clock. */
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
  /** In seconds since 1970. */
  readonly now: number;
  readonly clocks: Clocks;
  readonly control: TimeControl;
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
  keepAlive: ({ summary, seat, control }) =>
    summary.phase === 'playing' &&
    seat !== null &&
    seat === summary.onTurn &&
    keepAlivesLeft(summary, seat, control) > 0,
  claimTimeout: ({ summary, seat, now }) =>
    summary.phase === 'playing' && seat !== null && seat !== summary.onTurn && late(summary, now),
  closeProof: (table) => table.seat !== null && overdue(table) !== null,
  announceVoid: ({ summary, seat, now, clocks }) =>
    seat !== null && waits(summary) && !isAnnounced(summary) && now >= summary.mark + clocks.wait,
  voidGame: ({ summary, seat, now, clocks }) =>
    seat !== null && waits(summary) && isAnnounced(summary) && now >= summary.mark + clocks.notice,
};

/** The options that are open now, in the order in which they are shown: what comes and goes, last. */
export function options(table: Table): Option[] {
  return (Object.keys(CONDITIONS) as Option[]).filter((option) => CONDITIONS[option](table));
}

/** The proof whose clock has run out and that anybody may close, or null. */
export function overdue({ summary, proofs, now }: Table): Proof | null {
  if (summary.phase !== 'proving') return null;
  return proofs.find((proof) => now > proof.deadline) ?? null;
}

/** How often the seat may still extend its clock. */
export function keepAlivesLeft(summary: Summary, seat: Seat, control: TimeControl): number {
  return control.keepAlives - (summary.keepAlives[seat] ?? 0);
}

/** Whether the player on turn can lose on time. */
export function late({ deadline }: Summary, now: number): boolean {
  return deadline !== null && now > deadline;
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
