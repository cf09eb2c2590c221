/** What a user decryption asks, and how its sealed answer opens. */
import { type Address, bytesToBigInt, concatHex, type Hex, hexToBytes, stringToBytes } from 'viem';
import { EXTRA_DATA } from './eip712';
import { ProofInvalid } from './errors';
import type { Json } from './gateway';
import { handleType } from './handles';
import { unseal } from './hpke';
import type { Permit } from './permits';
import { FheType } from './types';

/** A decrypted value: an ebool is a boolean, every other type a number (addresses too). */
export type Value = boolean | bigint;

const INFO = stringToBytes('fhevm user decryption');
const WORD_BYTES = 32;

/** The request for these handles, in the relayer's JSON. */
export function readRequest(
  permit: Permit,
  handles: readonly Hex[],
  contract: Address,
  chainId: number,
): Json {
  const { user, contracts, start, days } = permit.terms;
  return {
    handleContractPairs: handles.map((handle) => ({ handle, contractAddress: contract })),
    requestValidity: { startTimestamp: String(start), durationDays: String(days) },
    contractsChainId: String(chainId),
    contractAddresses: contracts,
    userAddress: user,
    publicKey: permit.publicKey,
    signature: permit.signature,
    extraData: EXTRA_DATA,
  };
}

/** The ABI words in the KMS's answer. Throws SealingBroken, InsecurePage, BrowserTooOld. */
export async function unsealWords(
  permit: Permit,
  handles: readonly Hex[],
  contract: Address,
  sealing: Hex,
): Promise<Uint8Array> {
  const associated = reading(permit.terms.user, handles, contract);
  return unseal(permit.keys, hexToBytes(sealing), { info: INFO, associated });
}

/** ABI words as values of the handles' types. Throws ProofInvalid unless there is one for each. */
export function typedWords(handles: readonly Hex[], words: Uint8Array): Value[] {
  if (words.length !== WORD_BYTES * handles.length)
    throw new ProofInvalid('not one value for each handle');
  return handles.map((handle, index) => {
    const value = bytesToBigInt(words.slice(WORD_BYTES * index, WORD_BYTES * (index + 1)));
    return handleType(handle) === FheType.EBOOL ? value !== 0n : value;
  });
}

/** Who reads what through which contract: user (20) ‖ owner (20) ‖ (handle (32) ‖ contract (20))… */
function reading(user: Address, handles: readonly Hex[], contract: Address): Uint8Array {
  return hexToBytes(concatHex([user, user, ...handles.flatMap((handle) => [handle, contract])]));
}
