/** An account of a wallet: each signature is the player's decision. */
import {
  type Address,
  type Hex,
  hashMessage,
  hashTypedData,
  numberToHex,
  recoverAddress,
  size,
  stringToHex,
  type TypedDataDefinition,
} from 'viem';
import { serializeTypedData } from 'viem/utils';
import type { Call, Chain, Receipt } from './chain';
import { AccountChanged, WrongNetwork } from './errors';
import type { Pending } from './pending';
import { Outbox, type Shared, type Signer, sharedByTabs } from './signer';
import type { Wallet } from './wallets';

export class WalletSigner implements Signer {
  readonly kind = 'wallet';
  readonly #outbox: Outbox;

  constructor(
    readonly address: Address,
    readonly wallet: Wallet,
    readonly chain: Chain,
    shared: Shared = sharedByTabs(),
  ) {
    this.#outbox = new Outbox(chain, this, (...given) => this.#submit(...given), shared);
  }

  async send(call: Call): Promise<Receipt> {
    await this.#check();
    return this.#outbox.send(call);
  }

  /** Throws WrongNetwork too: wallets refuse EIP-712 data of another chain. */
  async signTypedData(data: TypedDataDefinition): Promise<Hex> {
    await this.#check();
    const text = serializeTypedData(withDomainType(data));
    const signature = await this.wallet.sign('eth_signTypedData_v4', [this.address, text]);
    await this.#checkSigned(hashTypedData(data), signature);
    return signature;
  }

  async signMessage(text: string): Promise<Hex> {
    await this.#checkAccount();
    const params = [stringToHex(text), this.address];
    const signature = await this.wallet.sign('personal_sign', params);
    await this.#checkSigned(hashMessage(text), signature);
    return signature;
  }

  /** The wallet chooses fees and nonce, but not the chain: it may have moved since it was asked. */
  async #submit(call: Call, gas: bigint, keep: (pending: Pending) => void): Promise<Pending> {
    const { to, data, value } = call;
    const transaction = {
      from: this.address,
      to,
      chainId: numberToHex(this.chain.chainId),
      gas: numberToHex(gas),
      ...(data && { data }),
      ...(value && { value: numberToHex(value) }),
    };
    const hash = await this.wallet.send(transaction);
    const pending = { hash, raw: null, nonce: null, label: call.label ?? '', sentAt: Date.now() };
    keep(pending);
    return { ...pending, nonce: await this.chain.nonceOf(hash) };
  }

  /** An ordinary signature is the account's own, unless a contract signs its own way. Throws AccountChanged. */
  async #checkSigned(hash: Hex, signature: Hex): Promise<void> {
    if (size(signature) !== 65) return;
    const signer = await recoverAddress({ hash, signature }).catch(() => null);
    if (signer === this.address || (await this.chain.hasCode(this.address))) return;
    throw new AccountChanged(this.address);
  }

  async #check(): Promise<void> {
    const found = await this.wallet.chainId();
    if (found !== this.chain.chainId) throw new WrongNetwork(this.chain.chainId, found);
    await this.#checkAccount();
  }

  async #checkAccount(): Promise<void> {
    const shown = await this.wallet.accounts();
    if (!shown.includes(this.address)) throw new AccountChanged(this.address);
  }
}

const DOMAIN_FIELDS = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
] as const;

/** Wallets want the domain's type spelled out. */
function withDomainType(data: TypedDataDefinition): TypedDataDefinition {
  const given = Object.keys(data.domain ?? {});
  const fields = DOMAIN_FIELDS.filter(({ name }) => given.includes(name));
  const types = { EIP712Domain: fields, ...(data.types as object) };
  return { ...data, types } as unknown as TypedDataDefinition;
}
