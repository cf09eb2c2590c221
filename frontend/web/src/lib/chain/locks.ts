/** Work that one tab at a time does. */

export interface Locks {
  /** Do `work` once nobody holds `name`. */
  exclusive<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Do `work` unless somebody holds `name`; null where somebody does. */
  ifFree<T>(name: string, work: () => Promise<T>): Promise<T | null>;
}

const PREFIX = 'fogbound ';

/** Over all tabs of this browser. */
class TabLocks implements Locks {
  readonly #manager: LockManager;

  constructor(manager: LockManager) {
    this.#manager = manager;
  }

  async exclusive<T>(name: string, work: () => Promise<T>): Promise<T> {
    return await this.#manager.request(PREFIX + name, work);
  }

  async ifFree<T>(name: string, work: () => Promise<T>): Promise<T | null> {
    const attempt = (lock: Lock | null) => (lock ? work() : null);
    return await this.#manager.request(PREFIX + name, { ifAvailable: true }, attempt);
  }
}

/** Within this page: browsers lend their locks to secure pages only. */
export class PageLocks implements Locks {
  readonly #held = new Map<string, Promise<unknown>>();

  exclusive<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.#held.get(name) ?? Promise.resolve();
    const done = before.then(work, work);
    this.#hold(name, done);
    return done;
  }

  async ifFree<T>(name: string, work: () => Promise<T>): Promise<T | null> {
    return this.#held.has(name) ? null : this.exclusive(name, work);
  }

  #hold(name: string, done: Promise<unknown>): void {
    this.#held.set(name, done);
    const release = () => {
      if (this.#held.get(name) === done) this.#held.delete(name);
    };
    done.then(release, release);
  }
}

let shared: Locks | undefined;

/** The widest that this browser has. */
export function tabLocks(): Locks {
  const manager: LockManager | undefined = globalThis.navigator?.locks;
  shared ??= manager ? new TabLocks(manager) : new PageLocks();
  return shared;
}
