/** Keys made by this browser. */
import type { Hex } from 'viem';
import { backupText, isVouched, keysIn, parseBackup, takeOver, useKey } from './backup';
import { newPrivateKey } from './keySigner';
import { browserStore, type Store } from './store';

/** The key in use: the last one made or restored. null where there is none. */
export function loadKey(store: Store = browserStore()): Hex | null {
  return keysIn(store).at(-1) ?? null;
}

/** A new key, which is in use from now on; older ones are kept. Throws StorageRefused. */
export function createKey(store: Store = browserStore()): Hex {
  return useKey(newPrivateKey(), store);
}

/** A text that `restore` takes, for the player's eyes only. */
export function backup(store: Store = browserStore()): string {
  return backupText(store);
}

/**
 * Take over a backup, or a private key alone (0x…); what this browser has already stays.
 *
 * The key in use from then on, null where the backup has none. Throws BackupInvalid, StorageRefused.
 */
export function restore(text: string, store: Store = browserStore()): Hex | null {
  const { keys, wallets } = parseBackup(text);
  return takeOver({ keys, wallets: wallets.filter(isVouched) }, store);
}
