/** How games are named in lists. */
import type { Summary } from '../lib/api';
import { type Key, t } from '../lib/i18n';

const BOTS: Record<string, Key> = {
  sensible: 'bot.sensible',
  density: 'bot.density',
  hunt: 'bot.hunt',
  random: 'bot.random',
};

/** What a bot is called; the server's own name where the page knows none. */
export function botText(name: string): string {
  const key = BOTS[name];
  return key ? t(key) : name;
}

/** The board of a game in words: `4 × 4, stacked`. */
export function boardText(game: Summary): string {
  if (game.kind === 'battleship') {
    const { size } = game.parameters;
    return t('board.size', { lanes: size, depth: size });
  }
  const { lanes, depth, stacked } = game.parameters;
  return t(stacked ? 'board.stacked' : 'board.size', { lanes, depth });
}

export function gamePath(game: Summary): string {
  return `/${game.kind}/${game.id}`;
}

/** A game's name where the eye sees no row: `Battleship, game 7`. */
export function gameName(game: Summary): string {
  return t('game.name', { kind: t(`kind.${game.kind}`), id: String(game.id) });
}
