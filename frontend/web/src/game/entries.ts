/** Lines of the move list for what every table tells; a game adds its own moves. */
import type { GameEvent, Seat } from '../lib/events';
import { type Key, t } from '../lib/i18n';

export interface Entry {
  readonly key: number;
  /** Whose move it is; null: nobody's. */
  readonly seat: Seat | null;
  readonly text: string;
}

const TOLD = [
  'GameOpened',
  'SeatTaken',
  'SeatLeft',
  'GameCancelled',
  'FirstSeatDrawn',
  'DrawRescheduled',
  'ClockExtended',
  'DrawOffered',
  'Resigned',
  'TimedOut',
  'ProofAsked',
  'ProofMissed',
  'VoidAnnounced',
  'GameVoided',
  'GameEnded',
  'PaymentCredited',
  'CountingStarted',
  'ResultSettled',
  'BoardCommitted',
  'BoardRevealed',
  'OpeningFalse',
] as const;
type Told = (typeof TOLD)[number];

/** Of a seat's choice: shown in his colour. */
const CHOICES: ReadonlySet<string> = new Set(['ClockExtended', 'DrawOffered', 'Resigned']);

export interface Happening {
  readonly event: GameEvent;
  readonly seat: Seat | null;
}

/** One line for each frame; `moveText` says what a move was, null for what is none. */
export function entries<F extends Happening>(
  frames: readonly F[],
  names: readonly [string, string],
  moveText: (frame: F, before: F | undefined) => string | null,
): Entry[] {
  return frames.map((frame, at) => {
    const moved = moveText(frame, frames[at - 1]);
    const mine = moved !== null || CHOICES.has(frame.event.name);
    const text = moved ?? eventText(frame, names);
    return { key: frame.event.seq, seat: mine ? frame.seat : null, text };
  });
}

function eventText({ event, seat }: Happening, names: readonly [string, string]): string {
  const known = TOLD.includes(event.name as Told);
  const key: Key = known ? `event.${event.name as Told}` : 'event.other';
  return t(key, { name: seat === null ? '' : names[seat], event: event.name });
}
