/** The one connection of a browser to the server's changes, for all its tabs. */
import { block, gameEvents, summary, told } from '../answers';
import {
  type FromHub,
  LEASE,
  MOST_TOPICS,
  type State,
  type Status,
  type ToHub,
  type Topic,
} from './protocol';

const FIRST_DELAY = 1_000;
const LONGEST_DELAY = 20_000;

interface Lease {
  readonly topics: readonly Topic[];
  readonly until: number;
}

/** Opened while some tab wants something, and anew whenever it is lost. */
export class Hub {
  readonly #id = Math.random().toString(36).slice(2);
  readonly #tell: (message: FromHub) => void;
  readonly #leases = new Map<string, Lease>();
  #source: EventSource | null = null;
  #state: State = 'idle';
  /** What the connection was opened for. */
  #topics: readonly Topic[] = [];
  #begun = false;
  #stream = 0;
  /** The server's number of the last change that was told. */
  #sequence: number | null = null;
  #delay = FIRST_DELAY;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(tell: (message: FromHub) => void) {
    this.#tell = tell;
    this.#report(); // tabs that knew another hub turn to this one
  }

  receive(message: ToHub): void {
    if (message.say === 'retry') return void this.#retry();
    if (message.say === 'bye') this.#leases.delete(message.tab);
    else this.#leases.set(message.tab, { topics: message.topics, until: Date.now() + LEASE });
    this.#update();
    this.#report();
  }

  close(): void {
    this.#leases.clear();
    this.#close('idle');
  }

  #update(): void {
    const topics = this.#wanted();
    if (topics.length === 0) return void this.#close('idle');
    const covered = topics.every((topic) => this.#topics.includes(topic));
    if (covered && this.#state !== 'idle') return;
    this.#topics = topics;
    this.#open();
  }

  #wanted(): Topic[] {
    const now = Date.now();
    for (const [tab, { until }] of this.#leases) if (until < now) this.#leases.delete(tab);
    return [...new Set([...this.#leases.values()].flatMap(({ topics }) => topics))].sort();
  }

  #retry(): void {
    if (this.#state === 'lost') this.#open();
  }

  /** The stream goes on where the last one ended, so that nobody misses anything. */
  #open(): void {
    this.#close('connecting');
    const resumed = this.#sequence !== null;
    const query = new URLSearchParams({ topics: bounded(this.#topics).join(',') });
    if (resumed) query.set('since', String(this.#sequence));
    const source = new EventSource(`/api/stream?${query}`);
    this.#source = source;
    this.#begun = false;
    source.onopen = () => {
      this.#delay = FIRST_DELAY;
      this.#become('open');
    };
    source.onerror = () => {
      this.#become('lost');
      if (source.readyState === EventSource.CLOSED) this.#again();
    };
    this.#listen(source, resumed);
    this.#report();
  }

  #listen(source: EventSource, resumed: boolean): void {
    const to = 'tabs';
    const hub = this.#id;
    source.addEventListener('game', ({ data }) => {
      const game = told(summary, data);
      if (game) this.#tell({ to, hub, say: 'game', data: game });
    });
    source.addEventListener('events', ({ data }) => {
      const news = told(gameEvents, data);
      if (news) this.#tell({ to, hub, say: 'events', data: news });
    });
    source.addEventListener('reset', () => this.#tell({ to, hub, say: 'reset' }));
    source.addEventListener('block', ({ data, lastEventId }) => {
      const newest = told(block, data);
      if (!newest) return;
      const since = this.#sequence;
      this.#sequence = lastEventId === '' ? null : Number(lastEventId);
      // A new stream tells what comes after its first block: only now does a fetch miss nothing.
      this.#tell({
        to,
        hub,
        say: 'block',
        data: newest,
        since,
        sequence: this.#sequence,
      });
      if (!this.#begun) this.#begin(resumed);
    });
  }

  #begin(resumed: boolean): void {
    this.#begun = true;
    if (!resumed) this.#stream++;
    this.#report();
  }

  #again(): void {
    this.#close('lost');
    this.#timer = setTimeout(() => this.#open(), this.#delay * (0.75 + Math.random() / 2));
    this.#delay = Math.min(this.#delay * 2, LONGEST_DELAY);
  }

  #close(state: State): void {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
    this.#begun = false;
    if (state === 'idle') {
      this.#topics = [];
      this.#sequence = null;
    }
    this.#become(state);
  }

  #become(state: State): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#report();
  }

  #report(): void {
    const topics = this.#begun ? this.#topics : [];
    const status: Omit<Status, 'state'> = {
      to: 'tabs',
      say: 'status',
      hub: this.#id,
      stream: this.#stream,
      topics,
    };
    this.#tell({ ...status, state: this.#state });
  }
}

/** As many topics as a connection may have: of more, the lobby tells of every game. */
function bounded(topics: readonly Topic[]): Topic[] {
  if (topics.length <= MOST_TOPICS) return [...topics];
  const games = topics.filter((topic) => topic.startsWith('game:'));
  return ['lobby', ...games.slice(0, MOST_TOPICS - 1)];
}
