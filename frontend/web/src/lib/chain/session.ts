/** Session keys: one for each contract, that signs a wallet player's moves (ITable, "Session keys"). */
import { type Address, encodeFunctionData, type Hex } from 'viem';
import { tableAbi } from './abi/table';
import type { Chain } from './chain';
import { NoSession } from './errors';
import { KeySigner, newPrivateKey } from './keySigner';
import { type Shared, type Signer, sharedByTabs } from './signer';

/**
 * `untilBlock`: the last in which it acts, 0 once revoked; `allowance`: what it has left for gas, in
 * wei; `active`: whether it can sign the next move.
 */
export interface SessionStatus {
  readonly key: Address;
  readonly untilBlock: number;
  readonly blocksLeft: number;
  readonly allowance: bigint;
  readonly active: boolean;
}

/** `blocks` from now on; `gasMoney` in wei goes to the key. */
export interface SessionTerms {
  readonly blocks: number;
  readonly gasMoney: bigint;
}

const STORED = 'session.';
/** A key that ends before its move is mined is of no use. */
const LEAST_BLOCKS = 3;

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
    const [session, block, allowance] = await Promise.all([
      this.#chain.read(tableAbi, contract, 'sessionOf', [key.address]),
      this.#chain.blockNumber(),
      this.#chain.balance(key.address),
    ]);
    const [player, until] = session;
    if (player !== this.#owner.address) return null;
    const blocksLeft = Math.max(0, Number(until) - block);
    const active = blocksLeft >= LEAST_BLOCKS && allowance > 0n;
    return { key: key.address, untilBlock: Number(until), blocksLeft, allowance, active };
  }

  /** Who signs moves now; null where the player himself has to. */
  async signer(contract: Address): Promise<KeySigner | null> {
    const status = await this.status(contract);
    return status?.active ? this.#stored(contract) : null;
  }

  /** Let this browser's key act; again: a new end and more gas money. A transaction of the owner. */
  async authorize(contract: Address, { blocks, gasMoney }: SessionTerms): Promise<void> {
    const privateKey = this.#privateKey(contract) ?? newPrivateKey();
    this.#shared.store.write(this.#name(contract), privateKey); // before money goes to it
    const key = this.#signer(privateKey);
    const untilBlock = BigInt((await this.#chain.blockNumber()) + blocks);
    const consent = await this.#consent(key, contract, untilBlock);
    await this.#send(contract, 'authorize', [key.address, untilBlock, consent], gasMoney);
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
  #consent(key: KeySigner, contract: Address, untilBlock: bigint): Promise<Hex> {
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
          { name: 'untilBlock', type: 'uint256' },
        ],
      },
      message: { player: this.#owner.address, untilBlock },
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
    const privateKey = this.#privateKey(contract);
    return privateKey && this.#signer(privateKey);
  }

  #signer(privateKey: Hex): KeySigner {
    return new KeySigner(privateKey, this.#chain, { kind: 'session', shared: this.#shared });
  }

  #privateKey(contract: Address): Hex | null {
    return this.#shared.store.read<Hex>(this.#name(contract));
  }

  #name(contract: Address): string {
    return `${STORED}${this.#chain.chainId}.${contract}.${this.#owner.address}`;
  }
}
