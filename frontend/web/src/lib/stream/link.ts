/** How a tab reaches the hub, and who runs it: a worker of all tabs, one of the tabs, or this tab alone. */
import { runHub } from './channel';
import { Hub } from './hub';
import { CHANNEL, type FromHub, type ToHub } from './protocol';

export interface Link {
  post(message: ToHub): void;
  /** The hub has not answered: see to it that there is one. */
  revive(): void;
  close(): void;
}
type Hear = (message: FromHub) => void;

/** The link that shares most of what this browser can share. */
export function connect(hear: Hear): Link {
  const { BroadcastChannel, SharedWorker, navigator } = globalThis;
  if (BroadcastChannel && SharedWorker) return new SharedLink(hear, new WorkerHost());
  if (BroadcastChannel && navigator.locks) return new SharedLink(hear, new LeaderHost());
  return new OwnLink(hear);
}

interface Host {
  start(): void;
  revive(): void;
  stop(): void;
}

/** Over a channel of all tabs. */
class SharedLink implements Link {
  readonly #channel = new BroadcastChannel(CHANNEL);
  #host: Host;

  constructor(hear: Hear, host: Host) {
    this.#channel.onmessage = ({ data }: MessageEvent<ToHub | FromHub>) => {
      if (data.to === 'tabs') hear(data);
    };
    this.#host = host;
    host.start();
  }

  post(message: ToHub): void {
    this.#channel.postMessage(message);
  }

  revive(): void {
    this.#host.revive();
  }

  close(): void {
    this.#host.stop();
    this.#channel.close();
  }
}

/** The browser starts the worker with the first tab, and ends it with the last; another where it was killed. */
class WorkerHost implements Host {
  #worker: SharedWorker | null = null;
  #instead: Host | null = null;

  start(): void {
    try {
      this.#worker = new SharedWorker(new URL('./worker.ts', import.meta.url), { type: 'module' });
      this.#worker.onerror = () => this.#giveUp();
    } catch {
      this.#giveUp();
    }
  }

  revive(): void {
    if (this.#instead) this.#instead.revive();
    else this.start();
  }

  stop(): void {
    this.#worker?.port.close();
    this.#instead?.stop();
  }

  /** A browser may have workers and refuse this one. */
  #giveUp(): void {
    if (this.#instead || !navigator.locks) return;
    this.#instead = new LeaderHost();
    this.#instead.start();
  }
}

/** The tab that holds the lock runs the hub; from one that is silent the lock is taken. */
class LeaderHost implements Host {
  #stopped = false;
  #waiting = false;
  #release = () => {};

  start(): void {
    if (this.#waiting || this.#stopped) return;
    this.#waiting = true;
    void this.#lead({});
  }

  revive(): void {
    void this.#lead({ steal: true });
  }

  stop(): void {
    this.#stopped = true;
    this.#release();
  }

  async #lead(options: LockOptions): Promise<void> {
    let release = () => {};
    const ended = new Promise<void>((resolve) => {
      release = resolve;
    });
    try {
      await navigator.locks.request(CHANNEL, options, () => {
        this.#waiting &&= options.steal === true;
        this.#release = release;
        return this.#stopped ? undefined : runHub(ended);
      });
    } catch {
      release(); // the lock was taken: wait in line again
      this.start();
    }
  }
}

/** Where tabs share nothing. */
class OwnLink implements Link {
  readonly #hub: Hub;

  constructor(hear: Hear) {
    this.#hub = new Hub(hear);
  }

  post(message: ToHub): void {
    this.#hub.receive(message);
  }

  revive(): void {}

  close(): void {
    this.#hub.close();
  }
}
