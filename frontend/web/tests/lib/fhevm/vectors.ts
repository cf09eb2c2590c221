/** The client vectors, and the randomness that they were made with in place of the browser's. */
import { type Hex, hexToBytes } from 'viem';
import { vi } from 'vitest';
import { type KeyMaterial, parseKeyMaterial } from '../../../src/lib/fhevm/keys';
import { vectors } from '../../vectors';

export const CLIENT = vectors('fhevm-client');
export const RING = vectors('ring-encryption');
const BACKEND_KEYS: Record<string, Uint8Array> = {
  concrete: new Uint8Array(Buffer.from(RING.publicKey, 'base64')),
};

/** The gateway's keys; those of the real backend are in the ring vectors. */
export function material(backend = 'clear'): KeyMaterial {
  const parsed = parseKeyMaterial(CLIENT.keyMaterial);
  const fhe = BACKEND_KEYS[backend] ?? parsed.publicKeys.fhe;
  return { ...parsed, publicKeys: { ...parsed.publicKeys, backend, fhe } };
}

/** Every new X25519 key is this one. */
export async function fixEphemeral(privateKey: Hex): Promise<void> {
  const { DhkemX25519HkdfSha256 } = await import('@hpke/core');
  const kem = new DhkemX25519HkdfSha256();
  const key = await kem.deserializePrivateKey(hexToBytes(privateKey));
  const jwk = await crypto.subtle.exportKey('jwk', key);
  const { d: _, key_ops: __, ...half } = jwk;
  const publicKey = await crypto.subtle.importKey('jwk', half, 'X25519', true, []);
  vi.spyOn(crypto.subtle, 'generateKey').mockResolvedValue({
    privateKey: key,
    publicKey,
  } as CryptoKeyPair & CryptoKey);
}

/** The next random bytes are these. */
export function fixRandom(bytes: Hex): void {
  vi.spyOn(crypto, 'getRandomValues').mockImplementationOnce((array) => {
    (array as Uint8Array).set(hexToBytes(bytes));
    return array;
  });
}
