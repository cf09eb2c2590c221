import type { Address } from 'viem';
import { api, type GamesQuery, type Status, type Summary } from './api';
import { live, type Topic } from './live.svelte';

const STATUS: Record<Summary['phase'], Status | null> = {
  open: 'open',
  drawing: 'live',
  playing: 'live',
  waiting: 'live',
  proving: 'live',
  ended: 'finished',
  cancelled: 'finished',
};

/** Whether `game` belongs to what `filter` asks for. */
export function fits(filter: GamesQuery, game: Summary): boolean {
  if (filter.kind && filter.kind !== game.kind) return false;
  if (filter.status && filter.status !== STATUS[game.phase]) return false;
  if (filter.invited) return filter.invited === game.invited;
  if (filter.player) return game.players.includes(filter.player);
  return game.phase !== 'open' || game.listed;
}

/** `games` with `game` as it is now: replaced where it was, first where it is new, or gone. */
export function merged(
  games: readonly Summary[],
  game: Summary,
  filter: GamesQuery,
): readonly Summary[] {
  const at = games.findIndex(({ kind, id }) => kind === game.kind && id === game.id);
  if (!fits(filter, game)) return at < 0 ? games : games.toSpliced(at, 1);
  return at < 0 ? [game, ...games] : games.with(at, game);
}

/** A list of games that follows the chain. */
export class Feed {
  games = $state.raw<readonly Summary[]>([]);
  state = $state<'loading' | 'ready' | 'failed'>('loading');
  #next = $state<string | null>(null);
  #fetch = 0;

  constructor(
    readonly filter: GamesQuery,
    readonly topic: Topic,
  ) {}

  get more(): boolean {
    return this.#next !== null;
  }

  /** Keep the list up to date until the returned function is called. */
  follow(): () => void {
    void this.refresh();
    return live.follow([this.topic], {
      refresh: () => void this.refresh(),
      game: (game) => {
        this.games = merged(this.games, game, this.filter);
      },
    });
  }

  async refresh(): Promise<void> {
    const fetch = ++this.#fetch;
    try {
      const page = await api.games(this.filter);
      if (fetch !== this.#fetch) return;
      this.games = page.games;
      this.#next = page.next;
      this.state = 'ready';
    } catch {
      if (this.state === 'loading') this.state = 'failed';
    }
  }

  async loadMore(): Promise<void> {
    if (this.#next === null) return;
    const page = await api.games({ ...this.filter, before: this.#next });
    const known = new Set(this.games.map(({ kind, id }) => `${kind}/${id}`));
    const older = page.games.filter(({ kind, id }) => !known.has(`${kind}/${id}`));
    this.games = [...this.games, ...older];
    this.#next = page.next;
  }
}

/** Whether `player` has to move in `game`. */
export function onTurn(game: Summary, player: Address): boolean {
  return game.phase === 'playing' && game.onTurn !== null && game.players[game.onTurn] === player;
}
