/**
 * The file that holds what only this browser has.
 *
 * A key comes with its account, and gives its board keys again. For an account of a wallet, whose key is not
 * here, the file holds session keys, and board keys that the wallet does not give again: those count only
 * with that account's own signature over them. So whoever gives somebody a file can plant nothing for an
 * account that is not theirs.
 */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import * as v from 'valibot';
import { type Address, type Hex, hashMessage, hexToBytes, keccak256, stringToHex } from 'viem';
import { privateKeyToAddress, publicKeyToAddress } from 'viem/accounts';
import { BackupInvalid } from './errors';
import { address, bytes32, chainId, privateKey, shaped, signature } from './shapes';
import type { Store } from './store';

const FORMAT = 'fogbound backup 2';
/** Held keys only, beside entries that nobody vouched for. */
const OLD_FORMAT = 'fogbound backup 1';
/** In characters. */
const LARGEST = 1_000_000;
const MOST_KEYS = 100;
const MOST_ENTRIES = 1_000;
const KEYS = 'keys';

const Session = v.strictObject({ chainId, contract: address, key: privateKey });
const Boards = v.strictObject({
  chainId,
  contract: address,
  deployment: bytes32,
  secret: bytes32,
});
const Held = v.strictObject({
  player: address,
  sessions: v.pipe(v.array(Session), v.maxLength(MOST_ENTRIES)),
  boards: v.pipe(v.array(Boards), v.maxLength(MOST_ENTRIES)),
});
const Vouched = v.strictObject({ held: Held, signature });
const File = v.strictObject({
  format: v.literal(FORMAT),
  keys: v.pipe(v.array(privateKey), v.maxLength(MOST_KEYS)),
  wallets: v.pipe(v.array(Vouched), v.maxLength(MOST_KEYS)),
});
const OldFile = v.object({ format: v.literal(OLD_FORMAT), key: privateKey });
const KeyAlone = v.pipe(
  v.string(),
  v.regex(/^(0x)?[0-9a-f]{64}$/i),
  v.transform((text) => `0x${text.toLowerCase().replace(/^0x/, '')}`),
  privateKey,
);
const Keys = v.fallback(v.array(v.unknown()), []);

/** What belongs to an account of a wallet. */
export type Held = v.InferOutput<typeof Held>;
export type Vouched = v.InferOutput<typeof Vouched>;
/** What a file adds; the last of `keys` is the one in use. */
export type Backup = Omit<v.InferOutput<typeof File>, 'format'>;

/** The keys of this browser, the one in use last. */
export function keysIn(store: Store): readonly Hex[] {
  return v.parse(Keys, store.read(KEYS)).flatMap((each) => shaped(privateKey, each) ?? []);
}

/** Put a key into use; older ones are kept. Throws StorageRefused. */
export function useKey(key: Hex, store: Store): Hex {
  store.write(KEYS, [...keysIn(store).filter((each) => each !== key), key]);
  return key;
}

/** What this browser alone has for an account of a wallet; null where there is nothing. */
export function heldFor(player: Address, store: Store): Held | null {
  const sessions = entries(store, 'session', player).flatMap(([place, value]) => {
    const found = shaped(Session, { ...place, key: value });
    return found ? [found] : [];
  });
  const boards = entries(store, 'boards', player).flatMap(([place, value, deployment]) => {
    const kept = shaped(StoredBoards, value);
    const found = kept && shaped(Boards, { ...place, deployment, secret: kept.secret });
    return found && !kept.recoverable ? [found] : [];
  });
  return sessions.length + boards.length > 0 ? { player, sessions, boards } : null;
}

const StoredBoards = v.object({ secret: bytes32, recoverable: v.boolean() });

/** What the account signs so that the file may bring this back to it. */
export function voucherText(held: Held): string {
  const digest = keccak256(stringToHex(JSON.stringify(shaped(Held, held))));
  return (
    `Fogbound: these session keys and board keys are mine, ${held.player}. I sign this only where I save ` +
    `a backup myself.\n${digest}`
  );
}

/** The file's text, for the player's eyes only. */
export function backupText(store: Store, wallets: readonly Vouched[] = []): string {
  return JSON.stringify({ format: FORMAT, keys: keysIn(store), wallets }, null, 1);
}

/** What is in a file, or a private key alone (0x…). Throws BackupInvalid. */
export function parseBackup(text: string): Backup {
  if (text.length > LARGEST) throw new BackupInvalid('too large for a backup');
  const alone = shaped(KeyAlone, text.trim());
  if (alone) return { keys: [alone], wallets: [] };
  const content = parsed(text);
  const old = shaped(OldFile, content);
  if (old) return { keys: [old.key], wallets: [] };
  const file = shaped(File, content);
  if (!file || file.keys.length + file.wallets.length === 0) {
    throw new BackupInvalid('not a backup of this page, or of no account');
  }
  return { keys: file.keys, wallets: file.wallets };
}

/** The accounts that a backup brings, the one in use from then on last. */
export function accountsIn({ keys, wallets }: Backup): Address[] {
  const players = [...wallets.map(({ held }) => held.player), ...keys.map(privateKeyToAddress)];
  return [...new Set(players)];
}

/** Whether the account's own key signed for what it holds; a contract's signature is asked of the contract. */
export function isVouched({ held, signature: signed }: Vouched): boolean {
  const bytes = hexToBytes(signed);
  if (bytes.length !== 65) return false;
  const last = bytes[64] as number;
  try {
    const point = secp256k1.Signature.fromBytes(bytes.slice(0, 64))
      .addRecoveryBit(last < 27 ? last : last - 27)
      .recoverPublicKey(hexToBytes(hashMessage(voucherText(held))));
    return publicKeyToAddress(`0x${point.toHex(false)}`) === held.player;
  } catch {
    return false; // not a signature of an account with a key
  }
}

/**
 * Take a backup over; what this browser has already stays as it is. Whatever nobody vouched for must have
 * been taken out. The key in use from then on, null where the backup has none. Throws StorageRefused.
 */
export function takeOver({ keys, wallets }: Backup, store: Store): Hex | null {
  for (const { held } of wallets) {
    for (const { key, ...place } of held.sessions) add(store, nameOf('session', place, held), key);
    for (const { secret, deployment, ...place } of held.boards) {
      const name = `${nameOf('boards', place, held)}.${deployment}`;
      add(store, name, { secret, recoverable: false });
    }
  }
  for (const key of keys) useKey(key, store);
  return keys.at(-1) ?? null;
}

interface Place {
  readonly chainId: number;
  readonly contract: Address;
}

function nameOf(what: string, place: Place, { player }: Held): string {
  return `${what}.${place.chainId}.${place.contract}.${player}`;
}

/** Where each is, its value, and what its name has beside. */
function entries(store: Store, what: string, player: Address): [object, unknown, string][] {
  return store.names(`${what}.`).flatMap((name) => {
    const [, chain, contract, owner, rest = ''] = name.split('.');
    const place = { chainId: Number(chain), contract };
    return owner === player ? [[place, store.read(name), rest] as [object, unknown, string]] : [];
  });
}

function add(store: Store, name: string, value: unknown): void {
  if (store.read(name) === null) store.write(name, value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BackupInvalid('not a backup');
  }
}
