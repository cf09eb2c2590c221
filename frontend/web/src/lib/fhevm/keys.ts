/** What `GET /v2/keyurl` tells: the gateway's public keys, and where signatures are valid. */
import { sha256 } from '@noble/hashes/sha2.js';
import { type Address, bytesToHex, getAddress, hexToBytes, isHex, stringToBytes } from 'viem';
import type { Domains } from './eip712';
import { KeysDamaged } from './errors';
import { isRecord } from './statuses';

/** What everybody may know. `hpke`: of the KMS; `fhe`: the backend's public key. */
export interface PublicKeys {
  readonly backend: string;
  readonly fhe: Uint8Array;
  readonly hpke: Uint8Array;
  readonly kmsSigner: Address;
  readonly attestationSigner: Address;
}

export interface KeyMaterial {
  readonly publicKeys: PublicKeys;
  readonly domains: Domains;
}

/** SHA-256 of the whole public part, as 64 hexadecimal digits: of the JSON that Python writes of it. */
export function fingerprint(keys: PublicKeys): string {
  const sorted = {
    attestationSigner: keys.attestationSigner,
    backend: keys.backend,
    fhe: digits(keys.fhe),
    hpke: digits(keys.hpke),
    kmsSigner: keys.kmsSigner,
  };
  const pairs = Object.entries(sorted).map((pair) => pair.map((part) => JSON.stringify(part)));
  return digits(sha256(stringToBytes(`{${pairs.map((pair) => pair.join(': ')).join(', ')}}`)));
}

/** The material in the gateway's JSON. Throws KeysDamaged. */
export function parseKeyMaterial(material: unknown): KeyMaterial {
  const fields = record(material);
  const keys = record(fields.publicKeys);
  return {
    publicKeys: {
      backend: word(keys.backend),
      fhe: bytes(keys.fhe),
      hpke: bytes(keys.hpke),
      kmsSigner: address(keys.kmsSigner),
      attestationSigner: address(keys.attestationSigner),
    },
    domains: {
      chainId: integer(fields.chainId),
      acl: address(fields.acl),
      gateway: {
        chainId: integer(fields.gatewayChainId),
        decryption: address(fields.decryption),
        inputVerification: address(fields.inputVerification),
      },
    },
  };
}

function record(value: unknown): Record<string, unknown> {
  if (!isRecord(value)) throw new KeysDamaged('not key material');
  return value;
}

/** A name of ASCII letters, which Python's JSON and JavaScript's write alike. */
function word(value: unknown): string {
  if (typeof value !== 'string' || !/^[a-z]{1,32}$/.test(value))
    throw new KeysDamaged('not the name of a backend');
  return value;
}

function bytes(value: unknown): Uint8Array {
  const hex = `0x${value}`;
  if (!isHex(hex) || hex.length % 2) throw new KeysDamaged('a key that is not hexadecimal');
  return hexToBytes(hex);
}

function address(value: unknown): Address {
  try {
    return getAddress(String(value));
  } catch {
    throw new KeysDamaged('not an address');
  }
}

function integer(value: unknown): number {
  if (!Number.isSafeInteger(value) || Number(value) <= 0) throw new KeysDamaged('not a chain id');
  return Number(value);
}

function digits(data: Uint8Array): string {
  return bytesToHex(data).slice(2);
}
