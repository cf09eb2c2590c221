/** A private key of this browser: the player's own, or their session key. */
import type { Address, Hex, TypedDataDefinition } from 'viem';
import { keccak256 } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type { Call, Chain, Fees, Receipt } from './chain';
import { Unreachable } from './errors';
import type { Pending } from './pending';
import { Outbox, type Shared, type Signer, sharedByTabs } from './signer';

/** Wei a unit of gas; more is paid only where all of it is at most one part in TIP_SHARE of the money. */
const USUAL_TIP = 100n * 10n ** 9n;
const TIP_SHARE = 20n;

export const newPrivateKey = generatePrivateKey;

/** The key stays inside: nothing logs or serialises it. */
export class KeySigner implements Signer {
  readonly address: Address;
  readonly kind: 'key' | 'session';
  readonly #account: PrivateKeyAccount;
  readonly #chain: Chain;
  readonly #outbox: Outbox;

  constructor(
    privateKey: Hex,
    chain: Chain,
    { kind = 'key', shared = sharedByTabs() }: { kind?: 'key' | 'session'; shared?: Shared } = {},
  ) {
    this.#account = privateKeyToAccount(privateKey);
    this.address = this.#account.address;
    this.kind = kind;
    this.#chain = chain;
    this.#outbox = new Outbox(chain, this, (...given) => this.#submit(...given), shared);
  }

  send(call: Call): Promise<Receipt> {
    return this.#outbox.send(call);
  }

  signTypedData(data: TypedDataDefinition): Promise<Hex> {
    return this.#account.signTypedData(data);
  }

  signMessage(text: string): Promise<Hex> {
    return this.#account.signMessage({ message: text });
  }

  /** Send all that is left after gas; how much that was, in wei (0: too little to send). */
  async sendAll(to: Address): Promise<bigint> {
    const [balance, gas, fees] = await Promise.all([
      this.#chain.balance(this.address),
      this.#chain.estimateGas({ to }, this.address),
      this.#chain.fees(),
    ]);
    const reserve = ((gas * 4n) / 3n + 20_000n) * highest(fees);
    if (balance <= reserve) return 0n;
    await this.send({ to, value: balance - reserve, label: 'sendBack' });
    return balance - reserve;
  }

  /** It may have arrived where the connection broke: then its receipt is waited for. */
  async #submit(call: Call, gas: bigint, keep: (pending: Pending) => void): Promise<Pending> {
    const [nonce, fees] = await Promise.all([
      this.#chain.nonce(this.address, 'pending'),
      this.#fees(gas, call.value ?? 0n),
    ]);
    const raw = await this.#sign(call, gas, nonce, fees);
    const label = call.label ?? '';
    const pending = { hash: keccak256(raw), raw, nonce, label, sentAt: Date.now() };
    keep(pending);
    try {
      await this.#chain.sendRaw(raw);
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
    }
    return pending;
  }

  /**
   * As the node advises, who may lie: what is usual as far as the money goes, more only where that is a
   * small part of it. `value`: wei that are sent along.
   */
  async #fees(gas: bigint, value: bigint): Promise<Fees> {
    const { tip, base } = await this.#chain.fees();
    if (tip === 0n) return { tip, base };
    const left = (await this.#chain.balance(this.address)) - value - 2n * base * gas;
    const has = larger(left, 0n);
    const most = larger(has / TIP_SHARE, smaller(has, USUAL_TIP * gas)) / gas;
    return { tip: smaller(tip, most), base };
  }

  #sign({ to, data, value }: Call, gas: bigint, nonce: number, fees: Fees): Promise<Hex> {
    return this.#account.signTransaction({
      type: 'eip1559',
      chainId: this.#chain.chainId,
      nonce,
      gas,
      maxPriorityFeePerGas: fees.tip,
      maxFeePerGas: highest(fees),
      to,
      ...(data && { data }),
      ...(value && { value }),
    });
  }
}

/** What a unit of gas may cost at most: the base fee at most doubles while it waits. */
function highest({ base, tip }: Fees): bigint {
  return 2n * base + tip;
}

const larger = (one: bigint, other: bigint) => (one > other ? one : other);
const smaller = (one: bigint, other: bigint) => (one < other ? one : other);
