import * as v from 'valibot';
import type { Address } from 'viem';
import { heldFor } from './chain/backup';
import { identity } from './chain/identity.svelte';
import { address } from './chain/shapes';
import { browserStore } from './chain/store';
import { saveFile } from './saveFile';
import { load, save } from './storage';

/** Accounts whose secrets were saved outside this browser. */
const NAME = 'backedUp';

/** Whether what only this browser has was saved elsewhere. */
class Backup {
  #accounts = $state.raw<readonly Address[]>(
    load(NAME, { accounts: v.array(address) }).accounts ?? [],
  );

  /** There is something to lose, and no backup of it. */
  get missing(): boolean {
    const { address, kind } = identity;
    if (!address || this.#accounts.includes(address)) return false;
    return kind === 'key' || hasOwnBoardKeys(address);
  }

  /** Save everything as a file of the player. Throws what a wallet's signature does. */
  async download(): Promise<void> {
    const name = `fogbound-backup-${identity.address?.slice(2, 8) ?? ''}.json`;
    saveFile(name, await identity.backup());
    this.#done();
  }

  #done(): void {
    const { address } = identity;
    if (!address || this.#accounts.includes(address)) return;
    this.#accounts = [...this.#accounts, address];
    save(NAME, { accounts: this.#accounts });
  }
}

/** Board keys that the wallet will not give again. */
function hasOwnBoardKeys(address: Address): boolean {
  return (heldFor(address, browserStore())?.boards.length ?? 0) > 0;
}

export const backup = new Backup();
