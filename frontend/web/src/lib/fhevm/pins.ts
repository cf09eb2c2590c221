/**
 * Which public key a gateway is known by: a pinned fingerprint, or the first one seen at its address.
 *
 * A chain tells the signers that it accepts, but not the keys that encrypt: these are only pinned.
 */
import { KeyChanged } from './errors';
import { fingerprint, type PublicKeys } from './keys';

/** Where first keys are remembered: localStorage in the page. */
export type Memory = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Throws KeyChanged unless the key has this fingerprint. */
export function checkPinned(keys: PublicKeys, wanted: string): void {
  const found = fingerprint(keys);
  if (found !== wanted) throw new KeyChanged(`fingerprint ${found}, not ${wanted}`);
}

/** Compare with what `memory` holds under `name`; remember it where it is new. Throws KeyChanged. */
export function checkKnown(keys: PublicKeys, name: string, memory: Memory): void {
  const known = memory.getItem(entry(name));
  if (known !== null) checkPinned(keys, known);
  else memory.setItem(entry(name), fingerprint(keys));
}

/** Accept the next key, whichever it is: only when the user says that the change is rightful. */
export function forgetKnown(name: string, memory: Memory): void {
  memory.removeItem(entry(name));
}

function entry(name: string): string {
  return `fhevm key ${name}`;
}
