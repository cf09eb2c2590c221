/**
 * Public-key encryption of inputs with a compact ring key, deterministic from a seed.
 *
 * Byte for byte what `fhevm/backends/concrete/ring.py` does, where the construction is explained: over
 * R = Z_2^64[X] / (X^N + 1), N = 2048, public key (a, b), c1 = a·u + e1, c0 = b·u + e2 + Δ·m with u
 * uniform binary and Δ = 2^59.
 *
 * A 64-bit coefficient is kept as two halves of 32 bits in doubles: a product with a binary polynomial
 * adds at most 2048 of them, less than 2^44, which is exact and far quicker than big integers.
 */
import { shake256 } from '@noble/hashes/sha3.js';
import { concatBytes, stringToBytes } from 'viem';

export const DEGREE = 2048;
export const SEED_BYTES = 32;
const HALF = 2 ** 32;
/** Δ in the upper half of a word. */
const STEP = 2 ** (59 - 32);
const NOISE_BITS = 17;
const NOISE_BYTES = 3;
const DOMAIN = stringToBytes('fhevm ring encryption v1');
const MAGIC_AND_VERSION = stringToBytes('FHEI\u0001');
const HEADER_BYTES = 15;

/** Lower and upper halves of words, which may be outside 0 … 2^32 − 1 until they are written. */
interface Words {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

export interface RingKey {
  readonly id: Uint8Array;
  readonly a: Words;
  readonly b: Words;
}

/** A key from its id (8 bytes) and the bytes of a and b (8·N each). */
export function ringKey(id: Uint8Array, a: Uint8Array, b: Uint8Array): RingKey {
  return { id, a: negacyclic(a), b: negacyclic(b) };
}

/** An input of at most N digits (0–3), a function of its arguments alone; `seed` has 32 bytes. */
export function encrypt(key: RingKey, digits: Uint8Array, seed: Uint8Array): Uint8Array {
  if (seed.length !== SEED_BYTES || digits.length > DEGREE)
    throw new RangeError('a seed has 32 bytes, an input at most 2048 digits');
  const { u, e1, e2 } = randomness(concatBytes([key.id, seed, digits]), digits.length);
  const c1 = timesBinary(key.a, u, DEGREE);
  const c0 = timesBinary(key.b, u, digits.length);
  addNoise(c1, e1);
  addNoise(c0, e2);
  digits.forEach((digit, i) => {
    c0.high[i] = (c0.high[i] as number) + digit * STEP;
  });
  return pack(key.id, c1, c0);
}

/** −p ‖ p: the window that starts at N − k is X^k·p. */
function negacyclic(bytes: Uint8Array): Words {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const words = { low: new Float64Array(2 * DEGREE), high: new Float64Array(2 * DEGREE) };
  for (let i = 0; i < DEGREE; i++) {
    const low = view.getUint32(8 * i, true);
    const high = view.getUint32(8 * i + 4, true);
    words.low[i] = -low;
    words.high[i] = -high;
    words.low[DEGREE + i] = low;
    words.high[DEGREE + i] = high;
  }
  return words;
}

/** The first `count` coefficients of polynomial · binary: the sum of the shifts that `binary` selects. */
function timesBinary(polynomial: Words, binary: Uint8Array, count: number): Words {
  const sum = { low: new Float64Array(count), high: new Float64Array(count) };
  for (let shift = 0; shift < DEGREE; shift++) {
    const isSet = ((binary[shift >> 3] as number) >> (shift & 7)) & 1;
    if (isSet) addWindow(sum.low, polynomial.low, DEGREE - shift);
    if (isSet) addWindow(sum.high, polynomial.high, DEGREE - shift);
  }
  return sum;
}

/** A function of its own, so that it is compiled within the first encryption. */
function addWindow(sum: Float64Array, values: Float64Array, start: number): void {
  for (let i = 0; i < sum.length; i++) {
    sum[i] = (sum[i] as number) + (values[start + i] as number);
  }
}

/** u: N bits, lowest first in each byte; e1 and e2: three bytes for each coefficient. */
function randomness(seed: Uint8Array, count: number) {
  const sizes = [DEGREE / 8, NOISE_BYTES * DEGREE, NOISE_BYTES * count] as const;
  const first = sizes[0] + sizes[1];
  const stream = shake256(concatBytes([DOMAIN, seed]), { dkLen: first + sizes[2] });
  return {
    u: stream.subarray(0, sizes[0]),
    e1: stream.subarray(sizes[0], first),
    e2: stream.subarray(first),
  };
}

/** Add TUniform(17): −2^17 … 2^17, uniform but for half weight at both ends. */
function addNoise(words: Words, stream: Uint8Array): void {
  for (let i = 0; i < words.low.length; i++) {
    const [x = 0, y = 0, z = 0] = stream.subarray(NOISE_BYTES * i, NOISE_BYTES * (i + 1));
    const uniform = (x | (y << 8) | (z << 16)) & (2 ** (NOISE_BITS + 2) - 1);
    const noise = ((uniform + 1) >> 1) - 2 ** NOISE_BITS;
    words.low[i] = (words.low[i] as number) + noise;
  }
}

/** magic `FHEI` · version 1 (1) · key id (8) · number of digits (2) · c1 · c0, little-endian. */
function pack(id: Uint8Array, c1: Words, c0: Words): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + 8 * (DEGREE + c0.low.length));
  const view = new DataView(bytes.buffer);
  bytes.set(MAGIC_AND_VERSION);
  bytes.set(id, MAGIC_AND_VERSION.length);
  view.setUint16(HEADER_BYTES - 2, c0.low.length, true);
  write(view, HEADER_BYTES, c1);
  write(view, HEADER_BYTES + 8 * DEGREE, c0);
  return bytes;
}

/** Words modulo 2^64: `setUint32` takes its number modulo 2^32, also a negative one. */
function write(view: DataView, at: number, { low, high }: Words): void {
  for (let i = 0; i < low.length; i++) {
    const lower = low[i] as number;
    view.setUint32(at + 8 * i, lower, true);
    view.setUint32(at + 8 * i + 4, (high[i] as number) + Math.floor(lower / HALF), true);
  }
}
