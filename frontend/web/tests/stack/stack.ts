/** The stack that runs, its events as the API tells them, and players of each kind. */
import * as v from 'valibot';
import { type Address, createClient, http, publicActions } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import * as answers from '../../src/lib/answers';
import type { GameConfig } from '../../src/lib/api';
import { Chain } from '../../src/lib/chain/chain';
import { KeySigner } from '../../src/lib/chain/keySigner';
import { tabLocks } from '../../src/lib/chain/locks';
import { keyPlayer, type Player, walletPlayer } from '../../src/lib/chain/player';
import type { Shared } from '../../src/lib/chain/signer';
import { WebStore } from '../../src/lib/chain/store';
import { WalletSigner } from '../../src/lib/chain/walletSigner';
import { type Provider, Wallet } from '../../src/lib/chain/wallets';
import type { GameEvent, Kind } from '../../src/lib/events';
import { memoryStorage } from '../memory';

interface Stack {
  /** Where the web app answers. */
  readonly web: string;
  readonly chainId: number;
  /** Private keys of accounts with money. */
  readonly accounts: readonly [`0x${string}`, `0x${string}`];
}

export const stack: Stack = JSON.parse(process.env.FOGBOUND_STACK ?? 'null');
export const [HOST_KEY, GUEST_KEY] = stack.accounts;
const config = v.parse(answers.config, await (await fetch(`${stack.web}/api/config`)).json());
export const chain = new Chain({ chainId: config.chainId, url: `${stack.web}/rpc` });

export function contractOf(kind: Kind): Address {
  return (config.games[kind] as GameConfig).contract;
}

const node = createClient({ transport: http(`${stack.web}/rpc`) }).extend(publicActions);

/** A browser that has kept nothing yet. */
export function newBrowser(): Shared {
  return { store: new WebStore(memoryStorage()), locks: tabLocks() };
}

export function withKey(key: `0x${string}`, shared: Shared): Player {
  return keyPlayer(new KeySigner(key, chain, { shared }));
}

/** The player, and what their wallet was asked. */
export function withWallet(key: `0x${string}`, shared: Shared) {
  const asked: string[] = [];
  const account = privateKeyToAccount(key);
  const info = { uuid: 'u', name: 'Test wallet', icon: '', rdns: 'test.wallet' };
  const wallet = new Wallet({ info, provider: provider(account, asked) });
  const signer = new WalletSigner(account.address, wallet, chain, shared);
  return { player: walletPlayer(signer, chain, shared), asked };
}

/** EIP-1193 over an account, as an extension is one. */
function provider(account: PrivateKeyAccount, asked: string[]): Provider {
  return {
    async request({ method, params }) {
      asked.push(method);
      const given = (params ?? []) as [never, never];
      if (method === 'eth_accounts') return [account.address.toLowerCase()];
      if (method === 'eth_signTypedData_v4') return account.signTypedData(JSON.parse(given[1]));
      if (method === 'eth_sendTransaction') return sendBy(account, given[0]);
      return node.request({ method, params: given } as never);
    },
  };
}

async function sendBy(account: PrivateKeyAccount, wanted: Record<string, `0x${string}`>) {
  const { address } = account;
  const nonce = await node.getTransactionCount({ address, blockTag: 'pending' });
  const fees = await node.estimateFeesPerGas();
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId: stack.chainId,
    nonce,
    maxFeePerGas: fees.maxFeePerGas,
    maxPriorityFeePerGas: fees.maxPriorityFeePerGas,
    to: wanted.to as Address,
    data: wanted.data ?? '0x',
    gas: BigInt(wanted.gas ?? 0),
    value: BigInt(wanted.value ?? 0),
  });
  return node.sendRawTransaction({ serializedTransaction: raw });
}

/** One game's events, as the page fetches them. */
export async function eventsOf(kind: Kind, id: number): Promise<GameEvent[]> {
  const response = await fetch(`${stack.web}/api/games/${kind}/${id}`);
  if (!response.ok) return [];
  return [...v.parse(answers.game, await response.json()).events];
}

/** Once the last of them is `name`: the index follows the chain a little later. */
export function eventsUpTo(name: string, kind: Kind, id: number): Promise<GameEvent[]> {
  return until(name, async () => {
    const events = await eventsOf(kind, id);
    return events.at(-1)?.name === name && events;
  });
}

/** Try until it is there. */
export async function until<T>(what: string, look: () => Promise<T | null | false>): Promise<T> {
  for (let attempt = 0; attempt < 1200; attempt++) {
    const found = await look();
    if (found !== null && found !== false) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`waited in vain for ${what}`);
}
