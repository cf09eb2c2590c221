/** Session keys: one for each contract, that signs a wallet player's moves (ITable, "Session keys"). */
import { type Address, encodeFunctionData, type Hex } from 'viem';
import { serverTime } from '../time';
import { tableAbi } from './abi/table';
import type { Chain } from './chain';
import { NoSession } from './errors';
import { KeySigner, newPrivateKey } from './keySigner';
import { privateKey, shaped } from './shapes';
import { type Shared, type Signer, sharedByTabs } from './signer';

/**
 * `until`: the last second (since 1970) in which it acts, 0 once revoked; `allowance`: what it has left
 * for gas, in wei; `active`: whether it can sign the next move.
 */
export interface SessionStatus {
  readonly key: Address;
  readonly until: number;
  readonly allowance: bigint;
  readonly active: boolean;
}

/** `seconds` from now on; `gasMoney` in wei goes to the key. */
export interface SessionTerms {
  readonly seconds: number;
  readonly gasMoney: bigint;
}

const STORED = 'session.';
/** A key that ends before its move is mined is of no use. */
const LEAST_SECONDS = 30;

/** The session keys of one player in this browser; the keys stay inside. */
export class Sessions {
  readonly #chain: Chain;
  readonly #owner: Signer;
  readonly #shared: Shared;

  constructor(chain: Chain, owner: Signer, shared: Shared = sharedByTabs()) {
    this.#chain = chain;
    this.#owner = owner;
    this.#shared = shared;
  }

  /** null where no key was ever authorized from this browser on this chain. */
  async status(contract: Address): Promise<SessionStatus | null> {
    const key = this.#stored(contract);
    if (!key) return null;
    const [session, allowance] = await Promise.all([
      this.#chain.read(tableAbi, contract, 'sessionOf', [key.address]),
      this.#chain.balance(key.address),
    ]);
    const [player, until] = [session[0], Number(session[1])];
    if (player !== this.#owner.address) return null;
    const active = until - serverTime() >= LEAST_SECONDS && allowance > 0n;
    return { key: key.address, until, allowance, active };
  }

  /** Who signs moves now; null where the player has to sign alone. */
  async signer(contract: Address): Promise<KeySigner | null> {
    const status = await this.status(contract);
    return status?.active ? this.#stored(contract) : null;
  }

  /** Let this browser's key act; again: a new end and more gas money. A transaction of the owner. */
  async authorize(contract: Address, { seconds, gasMoney }: SessionTerms): Promise<void> {
    const secret = this.#privateKey(contract) ?? newPrivateKey();
    this.#shared.store.write(this.#name(contract), secret); // before money goes to it
    const key = this.#signer(secret);
    const until = BigInt(serverTime() + seconds);
    const consent = await this.#consent(key, contract, until);
    await this.#send(contract, 'authorize', [key.address, until, consent], gasMoney);
  }

  /** Throws NoSession. */
  async revoke(contract: Address): Promise<void> {
    await this.#send(contract, 'revoke', [this.#existing(contract).address]);
  }

  /** Send unspent gas money back to the owner; how much, in wei. Throws NoSession. */
  async sendBack(contract: Address): Promise<bigint> {
    return this.#existing(contract).sendAll(this.#owner.address);
  }

  /** The key's own word that it will act for this player. */
  #consent(key: KeySigner, contract: Address, until: bigint): Promise<Hex> {
    return key.signTypedData({
      domain: {
        name: 'Fogbound Table',
        version: '1',
        chainId: this.#chain.chainId,
        verifyingContract: contract,
      },
      primaryType: 'SessionConsent',
      types: {
        SessionConsent: [
          { name: 'player', type: 'address' },
          { name: 'until', type: 'uint256' },
        ],
      },
      message: { player: this.#owner.address, until },
    });
  }

  async #send(
    contract: Address,
    functionName: 'authorize' | 'revoke',
    args: readonly unknown[],
    value = 0n,
  ): Promise<void> {
    const data = encodeFunctionData({ abi: tableAbi, functionName, args } as never);
    await this.#owner.send({ to: contract, data, value, label: functionName });
  }

  #existing(contract: Address): KeySigner {
    const key = this.#stored(contract);
    if (!key) throw new NoSession('no session key was made for this contract');
    return key;
  }

  #stored(contract: Address): KeySigner | null {
    const secret = this.#privateKey(contract);
    return secret && this.#signer(secret);
  }

  #signer(secret: Hex): KeySigner {
    return new KeySigner(secret, this.#chain, { kind: 'session', shared: this.#shared });
  }

  #privateKey(contract: Address): Hex | null {
    return shaped(privateKey, this.#shared.store.read(this.#name(contract)));
  }

  #name(contract: Address): string {
    return `${STORED}${this.#chain.chainId}.${contract}.${this.#owner.address}`;
  }
}
