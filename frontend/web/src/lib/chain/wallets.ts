/** Wallets in this browser: found by EIP-6963, asked by EIP-1193. */
import { type Address, getAddress, type Hex, hexToNumber, numberToHex } from 'viem';
import {
  type ClientError,
  SignatureRejected,
  WalletBusy,
  WalletDisconnected,
  WalletLocked,
  WalletRefused,
} from './errors';
import { fromNode } from './reverts';

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

/** Call `found` for each wallet, now and later, until the returned function is called. */
export function discover(
  found: (wallet: Wallet) => void,
  target: EventTarget = window,
): () => void {
  const known = new Set<string>();
  const announced = (event: Event) => {
    const { detail } = event as CustomEvent<Announcement>;
    if (!isAnnouncement(detail) || known.has(detail.info.uuid)) return;
    known.add(detail.info.uuid);
    found(new Wallet(detail));
  };
  target.addEventListener('eip6963:announceProvider', announced);
  target.dispatchEvent(new Event('eip6963:requestProvider'));
  return () => target.removeEventListener('eip6963:announceProvider', announced);
}

function isAnnouncement(detail: unknown): detail is Announcement {
  const given = detail as Partial<Announcement> | null;
  const texts = [given?.info?.uuid, given?.info?.name, given?.info?.rdns];
  return texts.every((each) => typeof each === 'string') && Boolean(given?.provider?.request);
}

const NO_SUCH_CHAIN = 4902;

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

  /** Ask the player which account he shows this page. */
  async connect(): Promise<Address> {
    return first(await this.request('eth_requestAccounts'));
  }

  /** The account that it shows already. Throws WalletLocked. */
  async account(): Promise<Address> {
    return first(await this.request('eth_accounts'));
  }

  async accounts(): Promise<Address[]> {
    return addresses(await this.request('eth_accounts'));
  }

  async chainId(): Promise<number> {
    return hexToNumber((await this.request('eth_chainId')) as Hex);
  }

  /** Bring the wallet to a chain, which it learns of where it does not know it. */
  async switchTo(network: Network): Promise<void> {
    const chainId = numberToHex(network.chainId);
    try {
      await this.request('wallet_switchEthereumChain', [{ chainId }]);
    } catch (error) {
      if (!isUnknownChain(error)) throw error;
      await this.request('wallet_addEthereumChain', [described(network)]);
      await this.request('wallet_switchEthereumChain', [{ chainId }]);
    }
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
  const { code, message, data } = (error ?? {}) as {
    code?: number;
    message?: string;
    data?: unknown;
  };
  const words = String(message ?? error).slice(0, 300);
  const cause = { cause: error };
  if (code === 4001 || code === 5000) return new SignatureRejected(words, cause);
  if (code === 4100) return new WalletLocked(words, cause);
  if (code === 4900 || code === 4901) return new WalletDisconnected(words, cause);
  if (code === -32002) return new WalletBusy(words, cause);
  const told = fromNode(code ?? 0, words, data);
  return told.name === 'Refused' ? new WalletRefused(words, cause) : told;
}

function isUnknownChain(error: unknown): boolean {
  const cause = (error as Error).cause as {
    code?: number;
    data?: { originalError?: { code: number } };
  };
  return cause?.code === NO_SUCH_CHAIN || cause?.data?.originalError?.code === NO_SUCH_CHAIN;
}

function described({ chainId, name, rpcUrl }: Network) {
  return {
    chainId: numberToHex(chainId),
    chainName: name,
    rpcUrls: [rpcUrl],
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  };
}

function first(answer: unknown): Address {
  const [account] = addresses(answer);
  if (!account) throw new WalletLocked('the wallet shows no account');
  return account;
}

function addresses(answer: unknown): Address[] {
  if (!Array.isArray(answer)) throw new WalletRefused('the wallet answers without accounts');
  return answer.map((each) => getAddress(each));
}
