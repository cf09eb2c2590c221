/**
 * The encryptor of the real backend, and the file form of its public key.
 *
 * File: magic `FHEK` · version (1) · role (1) · key id (8) · parameters (48, the ring's degree first) ·
 * SHA-256 of the payload (32) · payload: a and b, N little-endian words each.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, stringToBytes } from 'viem';
import { MalformedKey } from '../errors';
import { bitsOf, type FheType, type Plaintext } from '../types';
import { type Encryptor, inRange } from './encryptor';
import { DEGREE, encrypt, type RingKey, ringKey } from './ring';

const PUBLIC_ROLE_AND_VERSION = stringToBytes('FHEK\u0001\u0002');
const ID = [6, 14] as const;
const PARAMETERS = 14;
const DIGEST = [62, 94] as const;
const HEADER_BYTES = 94;
const DIGIT_BITS = 2;

export class ConcreteEncryptor implements Encryptor {
  readonly #key: RingKey;

  /** `key`: the public key's file. Throws MalformedKey. */
  constructor(key: Uint8Array) {
    this.#key = loadPublic(key);
  }

  encrypt(plaintexts: readonly Plaintext[], seed: Uint8Array): Uint8Array {
    const digits = plaintexts.flatMap(([type, value]) => digitsOf(type, inRange(type, value)));
    return encrypt(this.#key, Uint8Array.from(digits), seed);
  }
}

/** The ring key in a public key's file. Throws MalformedKey. */
function loadPublic(data: Uint8Array): RingKey {
  const payload = data.subarray(HEADER_BYTES);
  if (!equal(data.subarray(0, ID[0]), PUBLIC_ROLE_AND_VERSION))
    throw new MalformedKey('not a public key of version 1');
  if (payload.length !== 16 * DEGREE || degreeOf(data) !== DEGREE)
    throw new MalformedKey('key of the wrong length');
  if (!equal(sha256(payload), data.subarray(...DIGEST)))
    throw new MalformedKey('damaged public key');
  const id = data.slice(...ID);
  return ringKey(id, payload.subarray(0, 8 * DEGREE), payload.subarray(8 * DEGREE));
}

function degreeOf(data: Uint8Array): number {
  return new DataView(data.buffer, data.byteOffset).getUint32(PARAMETERS, true);
}

/** The blocks of a value, least significant first: an ebool is one digit 0–1, euintN is N/2 digits 0–3. */
function digitsOf(type: FheType, value: bigint): number[] {
  const count = Math.max(1, bitsOf(type) / DIGIT_BITS) | 0;
  return Array.from({ length: count }, (_, i) => Number((value >> BigInt(DIGIT_BITS * i)) & 3n));
}

function equal(one: Uint8Array, two: Uint8Array): boolean {
  return bytesToHex(one) === bytesToHex(two);
}
