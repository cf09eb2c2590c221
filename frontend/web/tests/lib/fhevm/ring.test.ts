// @vitest-environment node
import { bytesToHex, sha256 } from 'viem';
import { describe, expect, test } from 'vitest';
import { loadEncryptor } from '../../../src/lib/fhevm/backends';
import { InsecureClearEncryptor } from '../../../src/lib/fhevm/backends/clear';
import { ConcreteEncryptor } from '../../../src/lib/fhevm/backends/concrete';
import { MalformedKey, PlaintextOutOfRange, UnknownBackend } from '../../../src/lib/fhevm/errors';
import { FheType, type Plaintext } from '../../../src/lib/fhevm/types';
import type { Vector } from '../../vectors';
import { material, RING } from './vectors';

const KEY = material('concrete').publicKeys.fhe;
const CLEAR_KEY = material('clear').publicKeys.fhe;
const BIT: Plaintext = [FheType.EBOOL, 1n];
const SEED = new Uint8Array(32).fill(7);

function plaintexts(values: [string, string][]): Plaintext[] {
  return values.map(([name, value]) => [
    FheType[name.toUpperCase() as keyof typeof FheType],
    BigInt(value),
  ]);
}

test.each<Vector>(RING.cases)('the same bytes as Python: $length', (each) => {
  const seed = new Uint8Array(Buffer.from(each.seed, 'hex'));
  const blob = new ConcreteEncryptor(KEY).encrypt(plaintexts(each.values), seed);
  expect(blob.length).toBe(each.length);
  expect(bytesToHex(blob.subarray(0, 64))).toBe(`0x${each.head}`);
  expect(bytesToHex(blob.subarray(-64))).toBe(`0x${each.tail}`);
  expect(sha256(blob)).toBe(`0x${each.sha256}`);
});

test('the key may lie anywhere in its buffer', () => {
  const moved = new Uint8Array(KEY.length + 3);
  moved.set(KEY, 3);
  const one = new ConcreteEncryptor(moved.subarray(3)).encrypt([BIT], SEED);
  expect(one).toEqual(new ConcreteEncryptor(KEY).encrypt([BIT], SEED));
});

test('equal bits from different seeds, and other bits from the same seed, share nothing', () => {
  const encryptor = new ConcreteEncryptor(KEY);
  const one = encryptor.encrypt([BIT], SEED);
  const others = [
    encryptor.encrypt([BIT], new Uint8Array(32).fill(8)),
    encryptor.encrypt([[FheType.EBOOL, 0n]], SEED),
  ];
  for (const other of others) {
    const same = one.filter((byte, at) => at > 15 && byte === other[at]).length;
    expect(same).toBeLessThan(one.length / 64);
  }
});

describe.each([
  ['concrete', KEY],
  ['clear', CLEAR_KEY],
] as const)('%s', (backend, key) => {
  test('refuses what a type cannot hold, and does not repeat it', () => {
    const encryptor = loadEncryptor(backend, key);
    for (const wrong of [
      [FheType.EBOOL, 2n],
      [FheType.EUINT8, 256n],
      [FheType.EUINT8, -77n],
    ]) {
      const attempt = () => encryptor.encrypt([wrong as unknown as Plaintext], SEED);
      expect(attempt).toThrow(PlaintextOutOfRange);
      expect(attempt).not.toThrow(/256|77/);
    }
  });

  test.each([0, 1, -1])('refuses a key that is cut, longer or changed: %i', (difference) => {
    const changed = new Uint8Array(key.length + difference);
    changed.set(key.subarray(0, changed.length));
    changed[difference === 0 ? 5 : 0] = (changed[difference === 0 ? 5 : 0] ?? 0) ^ 1;
    expect(() => loadEncryptor(backend, changed)).toThrow(MalformedKey);
    expect(() => loadEncryptor(backend, key.subarray(0, 10))).toThrow(MalformedKey);
  });
});

test('refuses a damaged key', () => {
  for (const at of [0, 4, 5, 14, 70, 94, KEY.length - 1]) {
    const damaged = KEY.slice();
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    expect(() => new ConcreteEncryptor(damaged)).toThrow(MalformedKey);
  }
});

test('refuses the key of another backend, and a backend that it does not know', () => {
  expect(() => new InsecureClearEncryptor(KEY)).toThrow(MalformedKey);
  expect(() => new ConcreteEncryptor(CLEAR_KEY)).toThrow(MalformedKey);
  expect(() => loadEncryptor('other', KEY)).toThrow(UnknownBackend);
});
