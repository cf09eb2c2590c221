/** Lines of the move list for what every table tells; a game adds its own moves. */
import { type GameEvent, other, type Seat } from '../lib/events';
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

/** Of a seat's choice: shown in their colour. */
const CHOICES: ReadonlySet<string> = new Set(['ClockExtended', 'DrawOffered', 'Resigned']);

export interface Happening {
  readonly event: GameEvent;
  readonly seat: Seat | null;
}

/** What is told again, with its outcome, by a later move. */
const OUTCOMES: ReadonlySet<string> = new Set(['ShotAnswered', 'OpeningFalse', 'MissileResolved']);
const OPEN: ReadonlySet<string> = new Set(['ShotFired', 'MissileSent']);

/** The lines of `frames` that tell all, without those that a later one tells better. */
export function condensed<F extends Happening>(
  lines: readonly Entry[],
  frames: readonly F[],
): Entry[] {
  const last = frames.findLastIndex(({ event }) => OUTCOMES.has(event.name));
  return lines.filter((_, at) => at > last || !OPEN.has(frames[at]?.event.name ?? ''));
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
    return { key: frame.event.seq, seat: mine ? mover(frame) : null, text };
  });
}

/** An answer is told as the outcome of the other's shot. */
function mover({ event, seat }: Happening): Seat | null {
  return event.name === 'ShotAnswered' && seat !== null ? other(seat) : seat;
}

function eventText({ event, seat }: Happening, names: readonly [string, string]): string {
  const known = TOLD.includes(event.name as Told);
  const key: Key = known ? `event.${event.name as Told}` : 'event.other';
  return t(key, { name: seat === null ? '' : names[seat], event: event.name });
}
