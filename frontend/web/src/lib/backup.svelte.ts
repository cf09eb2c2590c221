import type { Address } from 'viem';
import { identity } from './chain/identity.svelte';
import { browserStore } from './chain/store';
import { saveFile } from './saveFile';
import { load, save } from './storage';

interface Saved {
  /** Accounts whose secrets were saved outside this browser. */
  accounts: Address[];
}
const NAME = 'backedUp';

/** Whether what only this browser has was saved elsewhere. */
class Backup {
  #accounts = $state.raw<readonly Address[]>(load<Saved>(NAME).accounts ?? []);

  /** There is something to lose, and no backup of it. */
  get missing(): boolean {
    const { address, kind } = identity;
    if (!address || this.#accounts.includes(address)) return false;
    return kind === 'key' || hasOwnBoardKeys(address);
  }

  /** Save everything as a file of the player. */
  download(): void {
    saveFile(`fogbound-backup-${identity.address?.slice(2, 8) ?? ''}.json`, identity.backup());
    this.#done();
  }

  #done(): void {
    const { address } = identity;
    if (!address || this.#accounts.includes(address)) return;
    this.#accounts = [...this.#accounts, address];
    save(NAME, { accounts: this.#accounts } satisfies { accounts: readonly Address[] });
  }
}

/** Board keys that the wallet will not give again. */
function hasOwnBoardKeys(address: Address): boolean {
  const store = browserStore();
  const names = store.names('boards.').filter((name) => name.includes(address));
  return names.some((name) => store.read<{ recoverable: boolean }>(name)?.recoverable === false);
}

export const backup = new Backup();
