/**
 * Hybrid public-key encryption (RFC 9180), base mode: X25519, HKDF-SHA256, AES-256-GCM.
 *
 * A sealing is `encapsulated key (32 bytes) ‖ ciphertext ‖ tag (16 bytes)`: one message for one key.
 */
import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core';
import { concatBytes } from 'viem';
import { BrowserTooOld, InsecurePage, SealingBroken } from './errors';

export const KEY_BYTES = 32;
/** How much longer a sealing is than its message. */
export const OVERHEAD = 48;
const TAG_BYTES = OVERHEAD - KEY_BYTES;
const BASE_POINT = new Uint8Array(KEY_BYTES).fill(9, 0, 1);

/** What a sealing is made for: it opens only with the same `info` and `associated` data. */
export interface Context {
  readonly info: Uint8Array;
  readonly associated: Uint8Array;
}

export interface KeyPair {
  readonly privateKey: Uint8Array;
  readonly publicKey: Uint8Array;
}

/** A new X25519 key pair. Throws InsecurePage, BrowserTooOld. */
export async function generateKeyPair(): Promise<KeyPair> {
  const { kem } = await suite();
  const pair = await kem.generateKeyPair();
  return {
    privateKey: new Uint8Array(await kem.serializePrivateKey(pair.privateKey)),
    publicKey: new Uint8Array(await kem.serializePublicKey(pair.publicKey)),
  };
}

/**
 * Encrypt for the holder of `publicKey`.
 *
 * Throws SealingBroken where that is no usable X25519 key, InsecurePage, BrowserTooOld.
 */
export async function seal(
  publicKey: Uint8Array,
  message: Uint8Array,
  { info, associated }: Context,
): Promise<Uint8Array> {
  const hpke = await suite();
  try {
    const recipientPublicKey = await hpke.kem.deserializePublicKey(publicKey);
    const { enc, ct } = await hpke.seal({ recipientPublicKey, info }, message, associated);
    return concatBytes([new Uint8Array(enc), new Uint8Array(ct)]);
  } catch {
    throw new SealingBroken('not a usable X25519 public key');
  }
}

/**
 * The message in a sealing for this key pair.
 *
 * Throws SealingBroken where anything differs from what was sealed, InsecurePage, BrowserTooOld.
 */
export async function unseal(
  keys: KeyPair,
  sealing: Uint8Array,
  { info, associated }: Context,
): Promise<Uint8Array> {
  const hpke = await suite();
  try {
    if (sealing.length < KEY_BYTES + TAG_BYTES) throw new RangeError('too short');
    const recipientKey = {
      privateKey: await hpke.kem.deserializePrivateKey(keys.privateKey),
      publicKey: await hpke.kem.deserializePublicKey(keys.publicKey),
    };
    const enc = sealing.slice(0, KEY_BYTES);
    const ct = sealing.slice(KEY_BYTES);
    return new Uint8Array(await hpke.open({ recipientKey, enc, info }, ct, associated));
  } catch {
    throw new SealingBroken('made for another key or purpose, or changed on the way');
  }
}

async function suite(): Promise<CipherSuite> {
  const subtle = globalThis.crypto?.subtle;
  if (!subtle) throw new InsecurePage();
  try {
    await subtle.importKey('raw', BASE_POINT, 'X25519', false, []);
  } catch {
    throw new BrowserTooOld();
  }
  const kem = new DhkemX25519HkdfSha256();
  return new CipherSuite({ kem, kdf: new HkdfSha256(), aead: new Aes256Gcm() });
}
