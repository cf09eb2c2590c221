/** A Bunker War Z move in words. */
import type { Frame } from '../../lib/bunkerwar/frames';
import { letter } from '../../lib/bunkerwar/rules';
import { other } from '../../lib/events';
import { t } from '../../lib/i18n';

const BUILT = { h: 'house', b: 'bunker', B: 'bunker', '?': 'hidden', '.': 'hidden' } as const;

/** Null for what is no move; `before`: the frame until then. */
export function moveText(frame: Frame, before: Frame | undefined): string | null {
  const { move, stop } = frame;
  if (!move) return null;
  const lane = letter(move.lane);
  if (move.kind === 'build') {
    return t(`bunkerwar.built.${BUILT[move.cell]}`, { lane, depth: move.depth + 1 });
  }
  if (stop === null) return t('bunkerwar.missileSent', { lane });
  const key = stop === 0 ? 'bunkerwar.missileThrough' : 'bunkerwar.missileStopped';
  return t(key, { lane, depth: stop, count: destroyed(frame, before) });
}

function destroyed(frame: Frame, before: Frame | undefined): number {
  if (frame.seat === null) return 0;
  const struck = other(frame.seat);
  const standing = (at: Frame | undefined) => at?.game.state?.boards[struck].standing ?? 0;
  return standing(before) - standing(frame);
}
