/** Who signs and sends: a key of this browser, or a wallet. */
import type { Address, Hex } from 'viem';
import type { TypedDataSigner } from '../signing';
import type { Call, Chain, Receipt } from './chain';
import { ClientError, InsufficientFunds, Refused } from './errors';
import { type Locks, tabLocks } from './locks';
import { explainFailure, mined, type Pending, PendingList } from './pending';
import { browserStore, type Store } from './store';

export type SignerKind = 'key' | 'session' | 'wallet';

export interface Signer extends TypedDataSigner {
  readonly address: Address;
  readonly kind: SignerKind;
  /**
   * Try out, sign, send and wait until it is mined. Throws what Chain does, TransactionError, and
   * WalletError where a wallet signs.
   */
  send(call: Call): Promise<Receipt>;
  /** EIP-191 (personal_sign). */
  signMessage(text: string): Promise<Hex>;
}

/** What all tabs of a browser share; tests give their own. */
export interface Shared {
  readonly store: Store;
  readonly locks: Locks;
}

export function sharedByTabs(): Shared {
  return { store: browserStore(), locks: tabLocks() };
}

/** Signs and hands over one transaction; tells its place. `keep` must come before it can be mined. */
export type Submit = (
  call: Call,
  gas: bigint,
  keep: (pending: Pending) => void,
) => Promise<Pending>;

const ATTEMPTS = 4;
const STALE =
  /nonce too low|already known|already imported|underpriced|too many (transactions wait|calls are tried out)/i;

/** One account's transactions, one at a time over all tabs until each has its nonce. */
export class Outbox {
  readonly pending: PendingList;
  readonly #locks: Locks;

  constructor(
    readonly chain: Chain,
    readonly sender: { readonly address: Address; readonly kind: SignerKind },
    readonly submit: Submit,
    shared: Shared,
  ) {
    this.pending = new PendingList(chain.chainId, sender.address, shared.store);
    this.#locks = shared.locks;
  }

  async send(call: Call): Promise<Receipt> {
    const { address } = this.sender;
    const lock = `send ${this.chain.chainId} ${address}`;
    const sent = await this.#locks.exclusive(lock, () => this.#submit(call));
    const receipt = await mined(this.chain, address, sent);
    this.pending.remove(sent.hash);
    if (!receipt.succeeded) await explainFailure(this.chain, address, call, receipt);
    return receipt;
  }

  /**
   * Another browser may use the same account, and others may pay for coming first: what is stale is made
   * anew.
   */
  async #submit(call: Call): Promise<Pending> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#submitOnce(call);
      } catch (error) {
        if (error instanceof InsufficientFunds) throw new InsufficientFunds(this.sender.kind);
        const stale = error instanceof Refused && STALE.test(error.message);
        if (!stale || attempt === ATTEMPTS) throw error;
      }
    }
  }

  async #submitOnce(call: Call): Promise<Pending> {
    // A third more than estimated: another's transaction may come first and add work.
    const estimated = await this.chain.estimateGas(call, this.sender.address);
    const gas = (estimated * 4n) / 3n + 20_000n;
    let kept: Pending | undefined;
    try {
      return await this.submit(call, gas, (pending) => {
        kept = pending;
        this.pending.add(pending);
      });
    } catch (error) {
      if (kept && error instanceof ClientError) this.pending.remove(kept.hash);
      throw error;
    }
  }
}
