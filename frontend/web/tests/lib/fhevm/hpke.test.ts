// @vitest-environment node
import { bytesToHex, concatHex, hexToBytes, stringToBytes } from 'viem';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { BrowserTooOld, InsecurePage, SealingBroken } from '../../../src/lib/fhevm/errors';
import { generateKeyPair, OVERHEAD, seal, unseal } from '../../../src/lib/fhevm/hpke';
import type { Vector } from '../../vectors';
import { CLIENT, fixEphemeral, material } from './vectors';

// RFC 9180's published test vectors: base mode, DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM,
// the first encryption of the context.
const RFC = {
  info: '0x4f6465206f6e2061204772656369616e2055726e',
  privateKey: '0x497b4502664cfea5d5af0b39934dac72242a74f8480451e1aee7d6a53320333d',
  publicKey: '0x430f4b9859665145a6b1ba274024487bd66f03a2dd577d7753c68d7d7d00c00c',
  associated: '0x436f756e742d30',
  encapsulated: '0x6c93e09869df3402d7bf231bf540fadd35cd56be14f97178f0954db94b7fc256',
  ciphertext:
    '0xe5d84cd531cfb583096e7cfa9641bd3079cf3a91cda813c52deb5f512be9931980a41de125a925cdad859d5b7a',
  message: '0x4265617574792069732074727574682c20747275746820626561757479',
} as const;
const KMS = {
  privateKey: hexToBytes(CLIENT.hpkePrivateKey),
  publicKey: material().publicKeys.hpke,
};
const CONTEXT = { info: stringToBytes('purpose'), associated: stringToBytes('for whom') };
const MESSAGE = stringToBytes('a secret');

afterEach(() => vi.unstubAllGlobals());

test('opens the vector of the RFC', async () => {
  const keys = { privateKey: hexToBytes(RFC.privateKey), publicKey: hexToBytes(RFC.publicKey) };
  const context = { info: hexToBytes(RFC.info), associated: hexToBytes(RFC.associated) };
  const sealing = hexToBytes(concatHex([RFC.encapsulated, RFC.ciphertext]));
  const message = await unseal(keys, sealing, context);
  expect(bytesToHex(message)).toBe(RFC.message);
});

test.each<Vector>(CLIENT.sealings)('seals and opens as Python does: $message', async (each) => {
  const made = { info: hexToBytes(each.info), associated: hexToBytes(each.associated) };
  await fixEphemeral(each.ephemeral);
  const sealing = await seal(KMS.publicKey, hexToBytes(each.message), made);
  expect(bytesToHex(sealing)).toBe(each.sealing);
  const message = await unseal(KMS, hexToBytes(each.sealing), made);
  expect(bytesToHex(message)).toBe(each.message);
});

test('what is sealed for a new key opens, and never looks the same', async () => {
  const keys = await generateKeyPair();
  const sealing = await seal(keys.publicKey, MESSAGE, CONTEXT);
  expect(sealing.length).toBe(MESSAGE.length + OVERHEAD);
  expect(await unseal(keys, sealing, CONTEXT)).toEqual(MESSAGE);
  expect(await seal(keys.publicKey, MESSAGE, CONTEXT)).not.toEqual(sealing);
});

describe('opens for nothing else', () => {
  test('another key, purpose or reader', async () => {
    const sealing = await seal(KMS.publicKey, MESSAGE, CONTEXT);
    const other = await generateKeyPair();
    const attempts = [
      [other, CONTEXT],
      [KMS, { ...CONTEXT, info: stringToBytes('other') }],
      [KMS, { ...CONTEXT, associated: stringToBytes('for another') }],
      [KMS, { ...CONTEXT, associated: new Uint8Array() }],
    ] as const;
    for (const [keys, context] of attempts)
      await expect(unseal(keys, sealing, context)).rejects.toThrow(SealingBroken);
  });

  test.each([0, 1, 31, 32, 47, 55])('cut to %i bytes', async (length) => {
    const sealing = await seal(KMS.publicKey, MESSAGE, CONTEXT);
    const attempt = unseal(KMS, sealing.subarray(0, length), CONTEXT);
    await expect(attempt).rejects.toThrow(SealingBroken);
  });

  test.each([0, 31, 32, 40, 55])('changed at %i', async (at) => {
    const sealing = await seal(KMS.publicKey, MESSAGE, CONTEXT);
    sealing[at] = (sealing[at] ?? 0) ^ 1;
    await expect(unseal(KMS, sealing, CONTEXT)).rejects.toThrow(SealingBroken);
  });
});

/** The all-zero key and the point of order four would give a shared secret that everybody knows. */
test.each([32, 33, 5])('a useless public key is refused', async (length) => {
  const attempts = [new Uint8Array(length), new Uint8Array(length).fill(1, 0, 1)];
  for (const key of attempts)
    await expect(seal(key, MESSAGE, CONTEXT)).rejects.toThrow(SealingBroken);
});

test('a page that is neither https nor localhost is told so', async () => {
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
  await expect(generateKeyPair()).rejects.toThrow(InsecurePage);
  await expect(seal(KMS.publicKey, MESSAGE, CONTEXT)).rejects.toThrow(/https:.*localhost/);
  await expect(unseal(KMS, MESSAGE, CONTEXT)).rejects.toThrow(InsecurePage);
});

test('a browser without X25519 is told so', async () => {
  vi.spyOn(crypto.subtle, 'importKey').mockRejectedValue(new Error('unrecognised name'));
  await expect(seal(KMS.publicKey, MESSAGE, CONTEXT)).rejects.toThrow(BrowserTooOld);
});
