/** Reads events with a game's rules; events that contradict them are told, not shown. */
import { type GameEvent, RecordInvalid } from '../lib/events';

export interface Reading<Frame> {
  readonly frames: readonly Frame[];
  /** What the server told cannot have happened. */
  readonly contradiction: string | null;
}

export function read<Frame>(
  frames: (events: readonly GameEvent[]) => Frame[],
  events: readonly GameEvent[],
): Reading<Frame> {
  try {
    return { frames: frames(events), contradiction: null };
  } catch (error) {
    if (!(error instanceof RecordInvalid)) throw error;
    return { frames: [], contradiction: error.message };
  }
}
