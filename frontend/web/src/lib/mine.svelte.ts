import type { Address } from 'viem';
import type { Summary } from './api';
import { Feed, onTurn } from './feed.svelte';
import { signal } from './signal';

/** The player's games that are not over, first those with an invitation; the player is called when one waits. */
class Mine {
  #player = $state<Address | null>(null);
  #invited = $state.raw<Feed | null>(null);
  #waiting = $state.raw<Feed | null>(null);
  #running = $state.raw<Feed | null>(null);
  /** Games, and whether each waited for the player when that was looked at last. */
  #waited: ReadonlyMap<string, boolean> | null = null;

  get games(): readonly Summary[] {
    const running = this.running.toSorted((a, b) => this.#urgency(b) - this.#urgency(a));
    return [...this.invited, ...running, ...this.open];
  }
  get invited(): readonly Summary[] {
    return this.#invited?.games ?? [];
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
      this.#waited = null;
    };
  }

  /** Call the player to what has come to wait for them since the last call. */
  tell(): void {
    if (this.#invited?.state !== 'ready' || this.#running?.state !== 'ready') return;
    const before = this.#waited; // null: what was so at the start is no news
    const now = new Map(this.running.map((game) => [name(game), this.#urgency(game) > 0]));
    for (const game of this.onTurn) if (before?.get(name(game)) === false) signal('turn', game);
    for (const game of this.invited) {
      now.set(name(game), true);
      if (before && !before.has(name(game))) signal('invited', game);
    }
    this.#waited = now;
  }

  #urgency(game: Summary): number {
    return this.#player && onTurn(game, this.#player) ? 1 : 0;
  }
}

function name({ kind, id }: Summary): string {
  return `${kind} ${id}`;
}

export const mine = new Mine();
