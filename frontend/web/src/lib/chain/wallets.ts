/** Wallets in this browser: found by EIP-6963, asked by EIP-1193. */
import * as v from 'valibot';
import { type Address, type Hash, type Hex, numberToHex } from 'viem';
import {
  type ClientError,
  SignatureRejected,
  WalletBusy,
  WalletDisconnected,
  WalletLocked,
  WalletRefused,
  WrongNetwork,
} from './errors';
import { fromNode } from './reverts';
import { accounts, hash, shaped, signature, walletChainId } from './shapes';

/** EIP-1193. */
export interface Provider {
  request(request: { method: string; params?: unknown }): Promise<unknown>;
  on?(event: string, listener: (...given: never[]) => void): void;
  removeListener?(event: string, listener: (...given: never[]) => void): void;
}

/** EIP-6963. `rdns` names the wallet for ever, `uuid` in this page only. */
interface Announcement {
  readonly info: { uuid: string; name: string; icon: string; rdns: string };
  readonly provider: Provider;
}

/** A chain as a wallet is told of it. */
export interface Network {
  readonly chainId: number;
  readonly name: string;
  readonly rpcUrl: string;
}

/** Nobody has more. */
const MOST = 50;

/** Call `found` for each wallet, now and later, until the returned function is called. */
export function discover(
  found: (wallet: Wallet) => void,
  target: EventTarget = window,
): () => void {
  const known = new Set<string>();
  const announced = (event: Event) => {
    const { detail } = event as CustomEvent<Announcement>;
    if (!isAnnouncement(detail) || known.has(detail.info.rdns) || known.size >= MOST) return;
    known.add(detail.info.rdns);
    found(new Wallet(detail));
  };
  target.addEventListener('eip6963:announceProvider', announced);
  target.dispatchEvent(new Event('eip6963:requestProvider'));
  return () => target.removeEventListener('eip6963:announceProvider', announced);
}

function isAnnouncement(detail: unknown): detail is Announcement {
  const given = detail as Partial<Announcement> | null;
  const texts = [given?.info?.uuid, given?.info?.name, given?.info?.rdns];
  const named = texts.every((each) => typeof each === 'string' && each !== '');
  return named && typeof given?.provider?.request === 'function';
}

/** One wallet. Every method throws WalletErrors. `icon`: a data: address, or empty. */
export class Wallet {
  readonly id: string;
  readonly name: string;
  readonly icon: string;
  readonly #provider: Provider;

  constructor({ info, provider }: Announcement) {
    this.id = info.rdns;
    this.name = info.name.slice(0, 60);
    this.icon = String(info.icon).startsWith('data:image/') ? info.icon : '';
    this.#provider = provider;
  }

  /** Ask the player which account they show this page. */
  async connect(): Promise<Address> {
    return first(answered(accounts, await this.request('eth_requestAccounts'), 'accounts'));
  }

  /** The account that it shows already. Throws WalletLocked. */
  async account(): Promise<Address> {
    return first(await this.accounts());
  }

  async accounts(): Promise<Address[]> {
    return answered(accounts, await this.request('eth_accounts'), 'accounts');
  }

  async chainId(): Promise<number> {
    return answered(walletChainId, await this.request('eth_chainId'), 'a chain id');
  }

  /** What the player signs, by the account's key or by its contract. */
  async sign(method: 'eth_signTypedData_v4' | 'personal_sign', params: unknown): Promise<Hex> {
    return answered(signature, await this.request(method, params), 'a signature');
  }

  /** The transaction's hash; where the wallet answers without one, it may have been sent all the same. */
  async send(transaction: object): Promise<Hash> {
    return answered(hash, await this.request('eth_sendTransaction', [transaction]), 'a hash');
  }

  /**
   * Bring the wallet to a chain. Whatever it says of one that it does not know (codes differ), it is told of
   * it. Throws WrongNetwork where it stays elsewhere.
   */
  async switchTo(network: Network): Promise<void> {
    const chainId = numberToHex(network.chainId);
    try {
      await this.request('wallet_switchEthereumChain', [{ chainId }]);
    } catch (error) {
      if (error instanceof SignatureRejected || error instanceof WalletBusy) throw error;
      await this.request('wallet_addEthereumChain', [described(network)]);
      if ((await this.chainId()) !== network.chainId) {
        await this.request('wallet_switchEthereumChain', [{ chainId }]);
      }
    }
    const found = await this.chainId();
    if (found !== network.chainId) throw new WrongNetwork(network.chainId, found);
  }

  /** Call `changed` whenever accounts or chain may be others, until the returned function is called. */
  watch(changed: () => void): () => void {
    const events = ['accountsChanged', 'chainChanged', 'connect', 'disconnect'];
    const listener = () => changed();
    for (const event of events) this.#provider.on?.(event, listener);
    return () => {
      for (const event of events) this.#provider.removeListener?.(event, listener);
    };
  }

  async request(method: string, params?: unknown): Promise<unknown> {
    try {
      return await this.#provider.request(params === undefined ? { method } : { method, params });
    } catch (error) {
      throw fromWallet(error);
    }
  }
}

/** EIP-1193's and the usual JSON-RPC codes as errors of this folder. */
export function fromWallet(error: unknown): ClientError {
  const { code, message, data } = v.parse(Failure, error);
  const words = message || 'the wallet gave no reason';
  const cause = { cause: error };
  if (code === 4001 || code === 5000) return new SignatureRejected(words, cause);
  if (code === 4100) return new WalletLocked(words, cause);
  if (code === 4900 || code === 4901) return new WalletDisconnected(words, cause);
  if (code === -32002) return new WalletBusy(words, cause);
  const told = fromNode(code, words, data);
  return told.name === 'Refused' ? new WalletRefused(words, cause) : told;
}

/** Wallets throw errors, objects, words, or nothing at all. */
const Failure = v.pipe(
  v.unknown(),
  v.transform((error) => (typeof error === 'string' ? { message: error } : error)),
  v.fallback(
    v.object({
      code: v.fallback(v.pipe(v.union([v.number(), v.string()]), v.transform(Number)), 0),
      message: v.fallback(
        v.pipe(
          v.string(),
          v.transform((words) => words.slice(0, 300)),
        ),
        '',
      ),
      data: v.optional(v.unknown()),
    }),
    { code: 0, message: '', data: undefined },
  ),
);

function described({ chainId, name, rpcUrl }: Network) {
  return {
    chainId: numberToHex(chainId),
    chainName: name,
    rpcUrls: [rpcUrl],
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  };
}

function first([account]: readonly Address[]): Address {
  if (!account) throw new WalletLocked('the wallet shows no account');
  return account;
}

/** What a wallet answers, where it is what was asked for. Throws WalletRefused. */
function answered<S extends v.GenericSchema>(
  schema: S,
  answer: unknown,
  what: string,
): v.InferOutput<S> {
  const found = shaped(schema, answer);
  if (found === null) throw new WalletRefused(`the wallet answers without ${what}`);
  return found;
}
