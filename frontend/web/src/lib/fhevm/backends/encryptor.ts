/** Encrypts inputs with the public key: the only role of a backend that a page has. */
import { PlaintextOutOfRange } from '../errors';
import { type FheType, holds, type Plaintext } from '../types';

export interface Encryptor {
  /**
   * One input ciphertext for all `plaintexts`, a function of these and the 32-byte seed alone.
   *
   * Throws PlaintextOutOfRange.
   */
  encrypt(plaintexts: readonly Plaintext[], seed: Uint8Array): Uint8Array;
}

/** The value, if its type can hold it. Throws PlaintextOutOfRange. */
export function inRange(type: FheType, value: bigint): bigint {
  if (!holds(type, value)) throw new PlaintextOutOfRange();
  return value;
}
