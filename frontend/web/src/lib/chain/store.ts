/** What this browser keeps and must not lose: keys, boards, transactions on their way. */
import { StorageRefused } from './errors';

export interface Store {
  /** Every name that begins with `prefix`. */
  names(prefix: string): string[];
  read<T>(name: string): T | null;
  /** Throws StorageRefused. */
  write(name: string, value: unknown): void;
  remove(name: string): void;
}

const PREFIX = 'fogbound.';

/** Values as JSON in a Web Storage. */
export class WebStore implements Store {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  names(prefix: string): string[] {
    const all = Array.from(
      { length: this.#storage.length },
      (_, at) => this.#storage.key(at) ?? '',
    );
    const ours = all.filter((name) => name.startsWith(PREFIX + prefix));
    return ours.map((name) => name.slice(PREFIX.length));
  }

  read<T>(name: string): T | null {
    const text = this.#storage.getItem(PREFIX + name);
    try {
      return text === null ? null : (JSON.parse(text) as T);
    } catch {
      return null;
    }
  }

  write(name: string, value: unknown): void {
    try {
      this.#storage.setItem(PREFIX + name, JSON.stringify(value));
    } catch (cause) {
      throw new StorageRefused('the browser keeps nothing for this page', { cause });
    }
  }

  remove(name: string): void {
    this.#storage.removeItem(PREFIX + name);
  }
}

let browser: Store | undefined;

/** This browser's, shared by all tabs. Throws StorageRefused where it has none. */
export function browserStore(): Store {
  try {
    browser ??= new WebStore(localStorage);
  } catch (cause) {
    throw new StorageRefused('the browser keeps nothing for this page', { cause });
  }
  return browser;
}
