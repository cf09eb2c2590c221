/** Permits: one signature of a reader that many reads can use, and the key that opens the answers. */
import {
  type Address,
  bytesToHex,
  type Hex,
  hexToBytes,
  isAddressEqual,
  recoverTypedDataAddress,
} from 'viem';
import type { TypedDataSigner } from '../signing';
import { type Domains, userDecryptRequest } from './eip712';
import { SignatureRefused } from './errors';
import { generateKeyPair, type KeyPair } from './hpke';

const DAY_SECONDS = 86_400;

/** Who may read through which contracts, from `start` (seconds since 1970) for `days` days. */
export interface Terms {
  readonly user: Address;
  readonly contracts: readonly Address[];
  readonly start: number;
  readonly days: number;
}

/** A permit as it is kept. Whoever has it reads what its user may read, while it lasts. */
export interface StoredPermit extends Terms {
  readonly publicKey: Hex;
  readonly privateKey: Hex;
  readonly signature: Hex;
}

/** What is secret in it comes out of `secret` and `keys` only, never out of a log or JSON. */
export class Permit {
  readonly terms: Terms;
  readonly publicKey: Hex;
  readonly signature: Hex;
  readonly #privateKey: Hex;

  constructor({ publicKey, privateKey, signature, ...terms }: StoredPermit) {
    this.terms = terms;
    this.publicKey = publicKey;
    this.signature = signature;
    this.#privateKey = privateKey;
  }

  /**
   * A new key pair, and the signature for its public half.
   *
   * Throws SignatureRefused where the wallet signs as somebody else (the KMS would refuse that later),
   * InsecurePage, BrowserTooOld, and what the signer throws.
   */
  static async sign(
    signer: TypedDataSigner,
    domains: Domains,
    contracts: readonly Address[],
    start: number,
    days: number,
  ): Promise<Permit> {
    const keys = await generateKeyPair();
    const publicKey = bytesToHex(keys.publicKey);
    const message = userDecryptRequest(domains, publicKey, contracts, start, days);
    const signature = await signer.signTypedData(message);
    const user = signer.address;
    if (!isAddressEqual(await recovered({ ...message, signature }), user))
      throw new SignatureRefused(`not signed by ${user}, or for other contents`);
    const privateKey = bytesToHex(keys.privateKey);
    return new Permit({ user, contracts, start, days, publicKey, privateKey, signature });
  }

  /** What opens the answers. */
  get keys(): KeyPair {
    return { privateKey: hexToBytes(this.#privateKey), publicKey: hexToBytes(this.publicKey) };
  }

  /** For storage; `new Permit(stored)` is the way back. */
  secret(): StoredPermit {
    const { publicKey, signature } = this;
    return { ...this.terms, publicKey, privateKey: this.#privateKey, signature };
  }

  /** Whether it reads through `contract` at that time (seconds since 1970). */
  covers(contract: Address, timestamp: number): boolean {
    const { contracts, start, days } = this.terms;
    const isNamed = contracts.some((each) => isAddressEqual(each, contract));
    return isNamed && start <= timestamp && timestamp < start + days * DAY_SECONDS;
  }
}

async function recovered(message: Parameters<typeof recoverTypedDataAddress>[0]): Promise<Address> {
  try {
    return await recoverTypedDataAddress(message);
  } catch {
    throw new SignatureRefused('not a signature of an account with a key');
  }
}
