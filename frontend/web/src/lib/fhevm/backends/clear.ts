/** The insecure backend's encryptor: its "ciphertexts" are the plaintexts. For tests and development. */
import { bytesToString, concatBytes, numberToBytes, stringToBytes } from 'viem';
import { MalformedKey } from '../errors';
import type { Plaintext } from '../types';
import { type Encryptor, inRange } from './encryptor';

const INPUT = stringToBytes('insecure-clear-input\u0001');
const LABEL = 'insecure-clear-public-key\u0001';
const TAIL_BYTES = 32;

export class InsecureClearEncryptor implements Encryptor {
  /** Throws MalformedKey. */
  constructor(key: Uint8Array) {
    const label = bytesToString(key.subarray(0, LABEL.length));
    if (label !== LABEL || key.length !== LABEL.length + TAIL_BYTES)
      throw new MalformedKey('not a clear public key');
  }

  /** The seed is appended so that equal inputs from different seeds differ. */
  encrypt(plaintexts: readonly Plaintext[], seed: Uint8Array): Uint8Array {
    const records = plaintexts.map(([type, value]) =>
      concatBytes([Uint8Array.of(type), numberToBytes(inRange(type, value), { size: 32 })]),
    );
    return concatBytes([INPUT, seed, ...records]);
  }
}
