/** The proving after the shooting, in words. */
import type { Replay } from '../../lib/battleship/replay';
import type { Seat } from '../../lib/events';
import { t } from '../../lib/i18n';
import type { Proof } from '../options';
import type { Told } from '../progress';

/** Who has to prove what, while the game is in proving. */
export function proofTold(
  { beneficiary }: Replay,
  open: readonly Proof[],
  seat: Seat | null,
  names: readonly [string, string],
): Told {
  const asked = open[0]?.seat ?? beneficiary ?? 0;
  if (asked === seat) return { key: 'battleship.proving', busy: true };
  return {
    key: 'battleship.provingOther',
    params: { name: names[asked === 1 ? 1 : 0] },
    busy: true,
  };
}

/** What is known of the honesty of a seat's board. */
export function proofLine(game: Replay, seat: Seat, names: readonly [string, string]): string {
  const name = names[seat];
  if (game.cheater === seat) return t('battleship.proof.cheated', { name });
  const shown = game.revealed[seat];
  if (shown)
    return t(shown.honest ? 'battleship.proof.honest' : 'battleship.proof.dishonest', { name });
  return t(game.missed.includes(seat) ? 'battleship.proof.missed' : 'battleship.proof.none', {
    name,
  });
}
