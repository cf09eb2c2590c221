import type { Address } from 'viem';
import type { Summary } from './api';
import { Feed, onTurn } from './feed.svelte';
import { t } from './i18n';
import { location } from './router.svelte';
import { settings } from './settings.svelte';
import { play } from './sound';

/** The player's games that are not over, those he is invited to first, and a tell when he is on turn in one. */
class Mine {
  #player = $state<Address | null>(null);
  #invited = $state.raw<Feed | null>(null);
  #waiting = $state.raw<Feed | null>(null);
  #running = $state.raw<Feed | null>(null);
  #told = new Map<string, boolean>();

  get games(): readonly Summary[] {
    const running = this.running.toSorted((a, b) => this.#urgency(b) - this.#urgency(a));
    return [...(this.#invited?.games ?? []), ...running, ...this.open];
  }
  get open(): readonly Summary[] {
    return this.#waiting?.games ?? [];
  }
  get running(): readonly Summary[] {
    return this.#running?.games ?? [];
  }
  get onTurn(): readonly Summary[] {
    return this.running.filter((game) => this.#urgency(game) > 0);
  }

  /** Follow the games of `player` until the returned function is called. */
  follow(player: Address): () => void {
    this.#player = player;
    this.#invited = new Feed({ invited: player, status: 'open', limit: 100 }, `player:${player}`);
    this.#waiting = new Feed({ player, status: 'open', limit: 100 }, `player:${player}`);
    this.#running = new Feed({ player, status: 'live', limit: 100 }, `player:${player}`);
    const ends = [this.#invited, this.#waiting, this.#running].map((feed) => feed.follow());
    return () => {
      for (const end of ends) end();
      this.#player = this.#invited = this.#waiting = this.#running = null;
      this.#told.clear();
    };
  }

  /** Tell of each game in which it has become the player's turn since the last call. */
  tell(): void {
    for (const game of this.running) {
      const name = `/${game.kind}/${game.id}`;
      const now = this.#urgency(game) > 0;
      // The game's own page tells by itself; what was so at the start is no news.
      if (now && this.#told.get(name) === false && location.path !== name) tell(game, name);
      this.#told.set(name, now);
    }
  }

  #urgency(game: Summary): number {
    return this.#player && onTurn(game, this.#player) ? 1 : 0;
  }
}

function tell(game: Summary, path: string): void {
  play('turn');
  const wanted = settings.notifications && document.hidden && 'Notification' in globalThis;
  if (!wanted || Notification.permission !== 'granted') return;
  const body = t('tell.turn', { game: t(`kind.${game.kind}`), id: String(game.id) });
  const shown = new Notification('Fogbound', { body, icon: '/icon.svg', tag: path });
  shown.onclick = () => {
    window.focus();
    location.go(path);
    shown.close();
  };
}

export const mine = new Mine();
