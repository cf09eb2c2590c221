/** What the players at a table are called. */
import type { Address } from 'viem';
import { app } from '../lib/app.svelte';
import { t } from '../lib/i18n';
import { shortAddress } from '../lib/names';
import { botText } from '../ui/games';

/** A bot's name, or the ends of the address. */
export function playerName(address: Address | null | undefined): string {
  if (!address) return t('game.freeSeat');
  const bot = app.botName(address);
  return bot ? botText(bot) : shortAddress(address);
}

/** Names of both seats; the viewer's own is "You". */
export function seatNames(
  players: readonly (Address | null)[],
  seat: number | null,
): readonly [string, string] {
  const name = (at: number) => (at === seat ? t('game.you') : playerName(players[at]));
  return [name(0), name(1)];
}
