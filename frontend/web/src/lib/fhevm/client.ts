/**
 * The client: encrypts inputs, reads values, fetches public decryptions. It holds no key but its reader's.
 *
 * It trusts the gateway with nothing that it can check: every answer's signature is checked against the
 * public keys, and these against the fingerprint that was pinned or seen first.
 */
import {
  type Address,
  bytesToHex,
  getAddress,
  type Hex,
  hexToBytes,
  isHex,
  recoverTypedDataAddress,
  type TypedDataDefinition,
} from 'viem';
import type { TypedDataSigner } from '../signing';
import { loadEncryptor } from './backends';
import type { Encryptor } from './backends/encryptor';
import {
  ciphertextVerification,
  type Domains,
  decryptionProof,
  inputProof,
  publicDecryptVerification,
  userDecryptResponse,
} from './eip712';
import { ProofInvalid } from './errors';
import { Gateway, type Json } from './gateway';
import { handleType } from './handles';
import { checkHost, type HostChain } from './host';
import { type Binding, encryptInput, inputHandles } from './inputs';
import { type KeyMaterial, type PublicKeys, parseKeyMaterial } from './keys';
import { Permit } from './permits';
import { checkKnown, checkPinned, type Memory } from './pins';
import { readRequest, typedWords, unsealWords, type Value } from './reading';
import { FheType, type Plaintext } from './types';

export interface ConnectOptions {
  /** Of the only public key to accept. */
  readonly fingerprint?: string;
  /** Remembers the first key seen. */
  readonly memory?: Memory;
  /** What it is remembered for (by default, the gateway's address): a chain that was reset has new keys. */
  readonly knownAs?: string;
  /** Its host contracts must accept the gateway's signers. */
  readonly chain?: HostChain;
}

/** What a contract's `fromExternal(handle, proof)` takes. */
export interface EncryptedInput {
  readonly handles: readonly Hex[];
  readonly proof: Hex;
}

/** What a contract's `FHE.checkSignatures(handles, abiEncoded, proof)` takes, and the values. */
export interface PublicDecryption {
  readonly handles: readonly Hex[];
  readonly cleartexts: readonly Value[];
  readonly abiEncoded: Hex;
  readonly proof: Hex;
}

export interface PermitOptions {
  /** 1–365. */
  readonly days?: number;
  /** In seconds of the chain's clock; now, where not given. */
  readonly start?: number;
}

/** Talks to one gateway. Throws ServiceError, and ProofInvalid where an answer is not signed. */
export class FhevmClient {
  readonly publicKeys: PublicKeys;
  readonly domains: Domains;
  readonly #gateway: Gateway;
  #encryptor: Encryptor | undefined;

  constructor(gateway: Gateway, { publicKeys, domains }: KeyMaterial) {
    this.publicKeys = publicKeys;
    this.domains = domains;
    this.#gateway = gateway;
  }

  /** Fetch and check the gateway's keys. Throws KeyChanged, KeysDamaged, HostError, Unavailable. */
  static async connect(
    gateway = new Gateway(),
    { fingerprint, memory, knownAs = gateway.url, chain }: ConnectOptions = {},
  ): Promise<FhevmClient> {
    const material = parseKeyMaterial(await gateway.keyMaterial());
    if (fingerprint !== undefined) checkPinned(material.publicKeys, fingerprint);
    if (chain !== undefined) await checkHost(material, chain);
    if (memory !== undefined) checkKnown(material.publicKeys, knownAs, memory);
    return new FhevmClient(gateway, material);
  }

  /**
   * Encrypt one bit that `user`, the sender of the transaction, will send to `contract`.
   *
   * Throws InputRefused, ProofInvalid, InsecurePage, BrowserTooOld.
   */
  async encryptBool(
    contract: Address,
    user: Address,
    bit: boolean,
    signal?: AbortSignal,
  ): Promise<{ handle: Hex; proof: Hex }> {
    const plaintext: Plaintext = [FheType.EBOOL, bit ? 1n : 0n];
    const { handles, proof } = await this.encrypt(contract, user, [plaintext], signal);
    return { handle: handles[0] as Hex, proof };
  }

  /** Encrypt values here, have them attested there. Throws as `encryptBool`, and TooLarge. */
  async encrypt(
    contract: Address,
    user: Address,
    values: readonly Plaintext[],
    signal?: AbortSignal,
  ): Promise<EncryptedInput> {
    const domains = this.domains;
    const binding: Binding = { contract: getAddress(contract), user: getAddress(user), domains };
    const blob = await encryptInput(values, binding, this.#loaded(), this.publicKeys.hpke);
    const types = values.map(([type]) => type);
    const handles = inputHandles(blob, types, domains);
    const answer = await this.#gateway.answer('input-proof', proofRequest(binding, blob), signal);
    const signatures = signaturesOf(answer);
    const message = ciphertextVerification(domains, handles, binding.user, binding.contract);
    await checkSigner(message, signatures, this.publicKeys.attestationSigner);
    return { handles, proof: inputProof(handles, signatures) };
  }

  /** One signature for many reads through 1–10 `contracts`. Throws as `Permit.sign`. */
  async permit(
    signer: TypedDataSigner,
    contracts: readonly Address[],
    { days = 1, start }: PermitOptions = {},
  ): Promise<Permit> {
    const begin = start ?? (await this.#gateway.clock()).timestamp;
    const named = contracts.map((contract) => getAddress(contract));
    return Permit.sign(signer, this.domains, named, begin, days);
  }

  /**
   * The values of `handles`, in order, that the permit's user and `contract` are both allowed to read.
   *
   * Throws RequestExpired where another permit is needed, NotAllowed, UnknownHandle, SealingBroken.
   */
  async userDecrypt(
    permit: Permit,
    handles: readonly Hex[],
    contract: Address,
    signal?: AbortSignal,
  ): Promise<Value[]> {
    handles.forEach(handleType);
    const through = getAddress(contract);
    const request = readRequest(permit, handles, through, this.domains.chainId);
    const answer = await this.#gateway.answer('user-decrypt', request, signal);
    const sealing = hexOf(answer.payload);
    const message = userDecryptResponse(this.domains, permit.publicKey, handles, sealing);
    await checkSigner(message, signaturesOf(answer), this.publicKeys.kmsSigner);
    return typedWords(handles, await unsealWords(permit, handles, through, sealing));
  }

  /** The values of publicly decryptable handles, with the proof that a contract checks. */
  async publicDecrypt(handles: readonly Hex[], signal?: AbortSignal): Promise<PublicDecryption> {
    handles.forEach(handleType);
    const request = { ciphertextHandles: handles, extraData: '0x00' };
    const answer = await this.#gateway.answer('public-decrypt', request, signal);
    const abiEncoded = hexOf(answer.decryptedValue);
    const signatures = signaturesOf(answer);
    const message = publicDecryptVerification(this.domains, handles, abiEncoded);
    await checkSigner(message, signatures, this.publicKeys.kmsSigner);
    const cleartexts = typedWords(handles, hexToBytes(abiEncoded));
    return { handles, cleartexts, abiEncoded, proof: decryptionProof(signatures) };
  }

  #loaded(): Encryptor {
    this.#encryptor ??= loadEncryptor(this.publicKeys.backend, this.publicKeys.fhe);
    return this.#encryptor;
  }
}

function proofRequest({ contract, user, domains }: Binding, blob: Uint8Array): Json {
  return {
    contractAddress: contract,
    userAddress: user,
    contractChainId: String(domains.chainId),
    ciphertextWithInputVerification: bytesToHex(blob),
    extraData: '0x00',
  };
}

/** Throws ProofInvalid unless `signer`, and nobody else, signed. */
async function checkSigner(
  message: TypedDataDefinition,
  signatures: readonly Hex[],
  signer: Address,
): Promise<void> {
  const found = await Promise.all(signatures.map((signature) => signerOf(message, signature)));
  if (found.length === 0 || found.some((each) => each !== signer))
    throw new ProofInvalid(`signed by ${found.join(' ') || 'nobody'}, not by ${signer}`);
}

async function signerOf(message: TypedDataDefinition, signature: Hex): Promise<Address> {
  try {
    return getAddress(await recoverTypedDataAddress({ ...message, signature }));
  } catch {
    throw new ProofInvalid('not a signature');
  }
}

function signaturesOf({ signatures }: Json): Hex[] {
  if (!Array.isArray(signatures)) throw new ProofInvalid('an answer without signatures');
  return signatures.map(hexOf);
}

function hexOf(value: unknown): Hex {
  if (!isHex(value) || value.length % 2)
    throw new ProofInvalid('an answer that is not hexadecimal');
  return value;
}
