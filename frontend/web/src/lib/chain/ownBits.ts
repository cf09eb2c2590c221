/** What this browser knows of the player's own encrypted bits: a cache, so losing it costs a decryption. */
import * as v from 'valibot';
import type { Hex } from 'viem';
import { StorageRefused } from './errors';
import { bytes32, shaped } from './shapes';
import type { Store } from './store';

const Bits = v.array(v.tuple([bytes32, v.boolean()]));
/** Of the newest games. */
const MOST = 2_000;

export class OwnBits {
  readonly #store: Store;
  readonly #name: string;
  readonly #bits: Map<Hex, boolean>;

  constructor(store: Store, name: string) {
    this.#store = store;
    this.#name = name;
    this.#bits = new Map(shaped(Bits, store.read(name)) ?? []);
  }

  get(handle: Hex): boolean | undefined {
    return this.#bits.get(handle);
  }

  /** Those that are not known yet. */
  missing(handles: readonly Hex[]): Hex[] {
    return handles.filter((handle) => !this.#bits.has(handle));
  }

  /** What a handle names never changes. */
  add(handles: readonly Hex[], bits: readonly boolean[]): void {
    handles.forEach((handle, at) => {
      this.#bits.set(handle, bits[at] as boolean);
    });
    try {
      this.#store.write(this.#name, [...this.#bits].slice(-MOST));
    } catch (error) {
      if (!(error instanceof StorageRefused)) throw error;
    }
  }
}
