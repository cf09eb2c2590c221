/** What the player owes in games whose page is not open. */
import type { Summary } from '../lib/api';
import { app } from '../lib/app.svelte';
import type { Player } from '../lib/chain/player';
import { clientOf } from '../lib/clients';

const attended = new Set<string>();
const changed = new Map<string, Summary>();

/**
 * Answer the shot that is due in `game`, or prove the own board; call again whenever the game changes.
 * What fails is tried at the next change, and said on the game's own page.
 */
export async function attend(game: Summary, player: Player): Promise<void> {
  if (!owes(game, player)) return;
  const name = `${game.id} ${player.address}`;
  if (attended.has(name)) {
    changed.set(name, game);
    return;
  }
  attended.add(name);
  await serve(game.id, player).catch(() => {});
  attended.delete(name);
  const next = changed.get(name);
  changed.delete(name);
  if (next) await attend(next, player);
}

/** Only Battleship asks for anything that nobody else can do. */
function owes({ kind, phase, onTurn, players }: Summary, { address }: Player): boolean {
  if (kind !== 'battleship') return false;
  return phase === 'proving' || (phase === 'playing' && players[onTurn ?? -1] === address);
}

/** No wallet opens a window for a game that its owner does not look at. */
async function serve(id: number, player: Player): Promise<void> {
  const sender = await player.sender(app.game('battleship').contract);
  if (sender.kind === 'wallet') return;
  await (await clientOf('battleship', player)).serve(id);
}
