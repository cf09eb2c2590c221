import type { Block, GameEvent, Kind, Summary } from './api';

export interface GameEvents {
  kind: Kind;
  id: number;
  events: GameEvent[];
}
/** What a page does with the changes of its topics. */
export interface Follower {
  /** Something may have been missed (first connection, gap, reorganised chain): fetch anew. */
  refresh(): void;
  game?(summary: Summary): void;
  events?(news: GameEvents): void;
}
export type Topic = 'lobby' | `game:${Kind}:${number}` | `player:${string}`;

const FIRST_DELAY = 1_000;
const LONGEST_DELAY = 20_000;

/** One connection to the server for all that the page follows, opened anew whenever it is lost. */
export class Live {
  state = $state<'idle' | 'connecting' | 'open' | 'lost'>('idle');
  /** The newest block, null before the first. */
  block = $state.raw<Block | null>(null);

  #followers = new Map<Follower, readonly Topic[]>();
  #source: EventSource | null = null;
  #topics = '';
  #delay = FIRST_DELAY;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Follow `topics` until the returned function is called. */
  follow(topics: readonly Topic[], follower: Follower): () => void {
    this.#followers.set(follower, topics);
    this.#schedule(0);
    return () => {
      this.#followers.delete(follower);
      this.#schedule(0);
    };
  }

  /** Try again now, where the connection is lost. */
  retry(): void {
    if (this.state === 'lost') this.#open();
  }

  #schedule(delay: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#update(), delay);
  }

  #update(): void {
    const topics = [...new Set([...this.#followers.values()].flat())].sort().join(',');
    if (this.#source && topics === this.#topics) return;
    this.#topics = topics;
    if (topics) this.#open();
    else this.#close('idle');
  }

  #open(): void {
    this.#close('connecting');
    const source = new EventSource(`/api/stream?topics=${encodeURIComponent(this.#topics)}`);
    this.#source = source;
    source.onopen = () => {
      this.state = 'open';
      this.#delay = FIRST_DELAY;
    };
    source.onerror = () => {
      this.state = 'lost';
      if (source.readyState === EventSource.CLOSED) this.#again();
    };
    this.#listen(source);
  }

  #listen(source: EventSource): void {
    const on = <T>(name: string, act: (data: T) => void) =>
      source.addEventListener(name, (event) => act(JSON.parse(event.data) as T));
    let begun = false;
    on<Block>('block', (block) => {
      this.block = block;
      // A new stream tells what comes after its first block: only now does a fetch miss nothing. The
      // browser resumes a broken one by Last-Event-ID itself.
      if (!begun) this.#refresh();
      begun = true;
    });
    on<Summary>('game', (game) => {
      this.#tell(
        (topic) => concerns(topic, game),
        (follower) => follower.game?.(game),
      );
    });
    on<GameEvents>('events', (news) => {
      const named = `game:${news.kind}:${news.id}`;
      this.#tell(
        (topic) => topic === named,
        (follower) => follower.events?.(news),
      );
    });
    source.addEventListener('reset', () => this.#refresh());
  }

  #tell(concerned: (topic: Topic) => boolean, act: (follower: Follower) => void): void {
    for (const [follower, topics] of this.#followers) if (topics.some(concerned)) act(follower);
  }

  #refresh(): void {
    this.#tell(
      () => true,
      (follower) => follower.refresh(),
    );
  }

  #again(): void {
    this.#close('lost');
    this.#schedule(this.#delay * (0.75 + Math.random() / 2));
    this.#delay = Math.min(this.#delay * 2, LONGEST_DELAY);
  }

  #close(state: Live['state']): void {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
    this.state = state;
  }
}

function concerns(topic: Topic, game: Summary): boolean {
  if (topic === 'lobby') return true;
  if (topic.startsWith('player:')) {
    return [...game.players, game.invited].some((player) => topic === `player:${player}`);
  }
  return topic === `game:${game.kind}:${game.id}`;
}

export const live = new Live();
