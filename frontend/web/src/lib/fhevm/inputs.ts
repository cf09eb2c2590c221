/**
 * Encrypted inputs: the mock of the zero-knowledge proof, as `fhevm/inputs.py` explains it.
 *
 * blob    = length of ciphertext (4) ‖ ciphertext ‖ sealing; it is what the handles name
 * sealing = HPKE(ρ (32) ‖ for each value: type (1) ‖ value (big-endian, whole bytes))
 */
import {
  type Address,
  bytesToHex,
  concatBytes,
  type Hex,
  hexToBytes,
  keccak256,
  numberToBytes,
  stringToBytes,
} from 'viem';
import type { Encryptor } from './backends/encryptor';
import { SEED_BYTES } from './backends/ring';
import type { Domains } from './eip712';
import { InputRefused, TooLarge } from './errors';
import { seal } from './hpke';
import { bitsOf, type FheType, holds, type Plaintext } from './types';

export const MAX_VALUES = 254;
export const MAX_BITS = 2048;
const INFO = stringToBytes('fhevm input');
const CIPHERTEXT = stringToBytes('ZK-w_rct');
const HANDLE = stringToBytes('ZK-w_hdl');

/** For whom and for what an input is made; it is good for nothing else. */
export interface Binding {
  readonly contract: Address;
  readonly user: Address;
  readonly domains: Domains;
}

/**
 * The blob of an input: `kms` is the KMS's HPKE public key.
 *
 * Throws InputRefused for a value out of its type's range or no value at all, TooLarge for more than 254
 * values or 2,048 bits; InsecurePage, BrowserTooOld.
 */
export async function encryptInput(
  values: readonly Plaintext[],
  binding: Binding,
  encryptor: Encryptor,
  kms: Uint8Array,
): Promise<Uint8Array> {
  checkValues(values);
  const seed = crypto.getRandomValues(new Uint8Array(SEED_BYTES));
  const ciphertext = encryptor.encrypt(values, seed);
  const message = concatBytes([seed, ...values.map(pack)]);
  const sealing = await seal(kms, message, { info: INFO, associated: associatedData(binding) });
  return concatBytes([numberToBytes(ciphertext.length, { size: 4 }), ciphertext, sealing]);
}

/** The handles of an input's values, in order. */
export function inputHandles(blob: Uint8Array, types: readonly FheType[], domains: Domains): Hex[] {
  const content = keccak256(concatBytes([CIPHERTEXT, blob]), 'bytes');
  const place = [hexToBytes(domains.acl), numberToBytes(domains.chainId, { size: 32 })];
  return types.map((type, index) => {
    const hashed = concatBytes([HANDLE, content, Uint8Array.of(index), ...place]);
    const tail = [numberToBytes(domains.chainId, { size: 8 }), Uint8Array.of(type, 0)];
    const head = [keccak256(hashed, 'bytes').subarray(0, 21), Uint8Array.of(index)];
    return bytesToHex(concatBytes([...head, ...tail]));
  });
}

/** Throws InputRefused, TooLarge where `values` make no input. */
export function checkValues(values: readonly Plaintext[]): void {
  if (values.length === 0) throw new InputRefused('no value');
  if (values.length > MAX_VALUES) throw new TooLarge(`an input has at most ${MAX_VALUES} values`);
  const bits = values.reduce((sum, [type]) => sum + bitsOf(type), 0);
  if (bits > MAX_BITS) throw new TooLarge(`an input has at most ${MAX_BITS} bits`);
  const wrong = values.findIndex(([type, value]) => !holds(type, value));
  if (wrong >= 0) throw new InputRefused(`value ${wrong} is out of its type's range`);
}

/** contract (20) ‖ user (20) ‖ ACL (20) ‖ chain id (32). */
function associatedData({ contract, user, domains }: Binding): Uint8Array {
  const addresses = [contract, user, domains.acl].map((address) => hexToBytes(address));
  return concatBytes([...addresses, numberToBytes(domains.chainId, { size: 32 })]);
}

function pack([type, value]: Plaintext): Uint8Array {
  const size = Math.ceil(bitsOf(type) / 8);
  return concatBytes([Uint8Array.of(type), numberToBytes(value, { size })]);
}
