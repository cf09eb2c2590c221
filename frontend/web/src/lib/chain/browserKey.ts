/** Keys made by this browser, and the backup of everything that only this browser has. */
import type { Hex } from 'viem';
import { isHex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { BackupInvalid } from './errors';
import { newPrivateKey } from './keySigner';
import { browserStore, type Store } from './store';

const KEYS = 'keys';
/** Session keys hold money; board keys that no wallet gives again open boards. */
const BACKED_UP = ['session.', 'boards.'];
const FORMAT = 'fogbound backup 1';

interface Backup {
  readonly format: string;
  readonly key: Hex | null;
  readonly others: Readonly<Record<string, unknown>>;
}

/** The key in use: the last one made or restored. null where there is none. */
export function loadKey(store: Store = browserStore()): Hex | null {
  return store.read<Hex[]>(KEYS)?.at(-1) ?? null;
}

/** A new key, which is in use from now on; older ones are kept. Throws StorageRefused. */
export function createKey(store: Store = browserStore()): Hex {
  return use(newPrivateKey(), store);
}

/** A text that `restore` takes, for the player's eyes only. */
export function backup(store: Store = browserStore()): string {
  const names = BACKED_UP.flatMap((prefix) => store.names(prefix));
  const others = Object.fromEntries(names.map((name) => [name, store.read(name)]));
  const content: Backup = { format: FORMAT, key: loadKey(store), others };
  return JSON.stringify(content, null, 1);
}

/**
 * Take over a backup, or a private key alone (0x…); what this browser has already stays.
 *
 * The key in use from then on, null where the backup has none. Throws BackupInvalid, StorageRefused.
 */
export function restore(text: string, store: Store = browserStore()): Hex | null {
  const { key, others } = parse(text.trim());
  for (const [name, value] of Object.entries(others)) {
    if (store.read(name) === null) store.write(name, value);
  }
  return key && use(key, store);
}

function use(key: Hex, store: Store): Hex {
  const others = (store.read<Hex[]>(KEYS) ?? []).filter((each) => each !== key);
  store.write(KEYS, [...others, key]);
  return key;
}

function parse(text: string): Backup {
  if (/^(0x)?[0-9a-f]{64}$/i.test(text)) {
    const key = (text.startsWith('0x') ? text : `0x${text}`).toLowerCase() as Hex;
    return { format: FORMAT, key: checkedKey(key), others: {} };
  }
  let content: Partial<Backup> | null;
  try {
    content = JSON.parse(text);
  } catch {
    throw new BackupInvalid('not a backup');
  }
  if (content?.format !== FORMAT) throw new BackupInvalid('not a backup of this page');
  const others = Object.entries(content.others ?? {}).filter(([name]) =>
    BACKED_UP.some((prefix) => name.startsWith(prefix)),
  );
  const key = content.key ? checkedKey(content.key) : null;
  return { format: FORMAT, key, others: Object.fromEntries(others) };
}

function checkedKey(key: unknown): Hex {
  try {
    if (isHex(key) && privateKeyToAddress(key)) return key;
  } catch {
    // zero, or not below the curve's order
  }
  throw new BackupInvalid('not a private key');
}
