/** What changes on the server, as one tab follows it. */
import type { Block, Summary } from './api';
import { connect, type Link } from './stream/link';
import {
  type FromHub,
  type GameEvents,
  HUB_PATIENCE,
  RENEWAL,
  type State,
  type Status,
  type Told,
  type Topic,
} from './stream/protocol';

export type { GameEvents, Topic };

/** What a page does with the changes of its topics. */
export interface Follower {
  /** Something may have been missed (first connection, gap): fetch anew. */
  refresh(): void;
  /** What was told before may no longer be so: forget it, and fetch anew. Where not given, `refresh`. */
  reset?(): void;
  game?(summary: Summary): void;
  events?(news: GameEvents): void;
}

/** All that this tab follows, over the connection that the tabs of a browser share. */
export class Live {
  state = $state<State>('idle');
  /** The newest block, null before the first. */
  block = $state.raw<Block | null>(null);

  readonly #tab = Math.random().toString(36).slice(2);
  readonly #followers = new Map<Follower, readonly Topic[]>();
  /** Those that miss nothing from now on. */
  readonly #begun = new Set<Follower>();
  #link: Link | null = null;
  readonly #hubs = new Set<string>();
  #hub: string | null = null;
  #stream = -1;
  /** When the hub was heard last. */
  #heard = 0;
  /** The server's number of the last change that was told. */
  #sequence: number | null = null;
  #soon: ReturnType<typeof setTimeout> | undefined;
  #renewal: ReturnType<typeof setTimeout> | undefined;
  #answer: ReturnType<typeof setTimeout> | undefined;

  /** Follow `topics` until the returned function is called. */
  follow(topics: readonly Topic[], follower: Follower): () => void {
    this.#followers.set(follower, topics);
    this.#schedule();
    return () => {
      this.#followers.delete(follower);
      this.#begun.delete(follower);
      this.#schedule();
    };
  }

  /** Try again now, where the connection is lost. */
  retry(): void {
    this.#link?.post({ to: 'hub', say: 'retry' });
  }

  /** The page will be frozen, or may never be shown again: others may go on without it. */
  suspend(): void {
    if (!this.#link) return;
    this.#link.post({ to: 'hub', say: 'bye', tab: this.#tab });
    this.#link.close();
    this.#link = null;
    this.#hub = null;
    this.#begun.clear();
    for (const timer of [this.#soon, this.#renewal, this.#answer]) clearTimeout(timer);
  }

  /** The page is shown again. */
  resume(): void {
    if (!this.#link && this.#followers.size > 0) this.#renew();
  }

  #schedule(): void {
    clearTimeout(this.#soon);
    this.#soon = setTimeout(() => this.#renew(), 0);
  }

  /** Say what this tab wants, and again before the hub takes it for gone. */
  #renew(): void {
    const topics = [...new Set([...this.#followers.values()].flat())].sort();
    if (topics.length === 0 && !this.#link) return;
    this.#link ??= connect((message) => this.#hear(message));
    clearTimeout(this.#renewal);
    clearTimeout(this.#answer);
    if (topics.length > 0) {
      this.#renewal = setTimeout(() => this.#renew(), RENEWAL);
      this.#answer = setTimeout(() => this.#unanswered(), HUB_PATIENCE);
    }
    this.#link.post({ to: 'hub', say: 'lease', tab: this.#tab, topics });
  }

  #unanswered(): void {
    this.#link?.revive();
    this.#renew();
  }

  #hear(message: FromHub): void {
    if (message.say === 'status') return void this.#heed(message);
    if (message.hub === this.#hub) this.#heard = Date.now();
    this.#told(message);
  }

  #heed(status: Status): void {
    if (status.hub !== this.#hub && !this.#adopts(status.hub)) return;
    this.#heard = Date.now();
    clearTimeout(this.#answer);
    this.state = status.state;
    if (status.stream !== this.#stream) this.#begun.clear(); // something may have been missed
    this.#stream = status.stream;
    for (const [follower, topics] of this.#followers) {
      if (this.#begun.has(follower) || !topics.every((each) => status.topics.includes(each)))
        continue;
      this.#begun.add(follower);
      follower.refresh();
    }
  }

  /** A new hub takes over from the last one; an older one only where that is silent. */
  #adopts(hub: string): boolean {
    const silent = Date.now() - this.#heard > RENEWAL + HUB_PATIENCE;
    if (this.#hub !== null && this.#hubs.has(hub) && !silent) return false;
    this.#hubs.add(hub);
    this.#hub = hub;
    this.#begun.clear();
    if (this.#link) this.#schedule(); // it does not know yet what this tab wants
    return true;
  }

  #told(message: Told): void {
    switch (message.say) {
      case 'game':
        return void this.#tell(
          (topic) => concerns(topic, message.data),
          (follower) => follower.game?.(message.data),
        );
      case 'events': {
        const named = `game:${message.data.kind}:${message.data.id}`;
        return void this.#tell(
          (topic) => topic === named,
          (follower) => follower.events?.(message.data),
        );
      }
      case 'reset':
        return void this.#reset();
      case 'block':
        if (message.hub === this.#hub) this.#ended(message);
    }
  }

  /** A batch has ended: was anything between this one and the last? */
  #ended({ data, since, sequence }: Told & { say: 'block' }): void {
    this.block = data;
    const last = this.#sequence;
    this.#sequence = sequence;
    if (last === null || sequence === null) return;
    if (sequence < last) this.#reset();
    else if (since !== null && since > last) this.#refresh();
  }

  #tell(concerned: (topic: Topic) => boolean, act: (follower: Follower) => void): void {
    for (const [follower, topics] of this.#followers) if (topics.some(concerned)) act(follower);
  }

  #refresh(): void {
    for (const follower of this.#begun) follower.refresh();
  }

  #reset(): void {
    for (const follower of this.#followers.keys()) {
      if (follower.reset) follower.reset();
      else follower.refresh();
    }
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
