import type { Address } from 'viem';
import { api, type GamesQuery, type Status, type Summary } from './api';
import { Listing } from './forward';
import { Inquiry } from './inquiry';
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

/** So many changes are held beside an answer; whoever has more had better ask anew. */
const MOST_NEWS = 500;

/** So many pages are read again when the list is asked for anew; who reads further asks again. */
const MOST_PAGES = 20;
/** So often a page is asked for that came to nothing since the list had changed meanwhile. */
const MOST_VAIN = 5;

/** A list of games that follows the chain, as far as somebody has read it. */
export class Feed {
  games = $state.raw<readonly Summary[]>([]);
  state = $state<'loading' | 'ready' | 'failed'>('loading');
  #next = $state<string | null>(null);
  #wanted = 1; // pages
  #loaded = 0;
  #loading: Promise<void> | null = null;
  readonly #listing: Listing;
  readonly #inquiry = new Inquiry({
    ask: () => api.games(this.filter),
    take: (page) => this.#take(page),
    failed: (_, delay) => this.#failed(delay),
  });

  constructor(
    readonly filter: GamesQuery,
    readonly topic: Topic,
  ) {
    this.#listing = new Listing((game) => fits(this.filter, game));
  }

  get more(): boolean {
    return this.#next !== null;
  }

  /** Keep the list up to date until the returned function is called. */
  follow(): () => void {
    void this.refresh();
    const end = live.follow([this.topic], {
      refresh: () => void this.refresh(),
      reset: () => this.#reset(),
      game: (game) => this.#tell(game),
    });
    return () => {
      end();
      this.#inquiry.reset();
    };
  }

  refresh(): Promise<void> {
    return this.#inquiry.ask();
  }

  /** One page more. Throws what the server's answer is translated to. */
  loadMore(): Promise<void> {
    if (this.#next !== null) this.#wanted++;
    return this.#load();
  }

  /** All pages that are wanted, one after the other; the list is shown again once they are there. */
  #load(): Promise<void> {
    this.#loading ??= this.#loadAll().finally(() => {
      this.#loading = null;
      this.#wanted = Math.max(this.#loaded, 1);
      this.#show();
    });
    return this.#loading;
  }

  async #loadAll(): Promise<void> {
    for (let vain = 0; vain < MOST_VAIN && this.#lacksPages(); )
      vain = (await this.#loadNext()) ? 0 : vain + 1;
  }

  #lacksPages(): boolean {
    return this.#loaded < this.#wanted && this.#next !== null;
  }

  /** Whether the page still fits to those before it: the list may be another one by now. */
  async #loadNext(): Promise<boolean> {
    const before = this.#next as string;
    const page = await api.games({ ...this.filter, before });
    if (this.#next !== before) return false;
    if (!this.#listing.extend(page.sequence, page.games, page.next === null)) return false;
    this.#next = page.next;
    this.#loaded++;
    return true;
  }

  #take({ sequence, games, next }: Awaited<ReturnType<typeof api.games>>): void {
    if (this.#listing.answer(sequence, games, next === null)) {
      this.#next = next;
      this.#loaded = 1;
      this.#wanted = Math.min(this.#wanted, MOST_PAGES);
    }
    this.state = 'ready';
    if (this.#lacksPages()) this.#load().catch(() => {});
    else this.#show();
  }

  /** While pages are read again, what was shown stays. */
  #show(): void {
    if (this.#listing.asOf >= 0 && !this.#loading) this.games = this.#listing.games;
  }

  #tell(game: Summary): void {
    this.#listing.tell(game);
    this.#show();
    if (this.#listing.news > MOST_NEWS) void this.refresh();
  }

  #reset(): void {
    this.#listing.reset();
    this.#inquiry.reset();
    void this.refresh();
  }

  #failed(delay: number): number {
    if (this.state === 'loading') this.state = 'failed';
    return delay;
  }
}

/** Whether `player` has to move in `game`. */
export function onTurn(game: Summary, player: Address): boolean {
  return game.phase === 'playing' && game.onTurn !== null && game.players[game.onTurn] === player;
}
