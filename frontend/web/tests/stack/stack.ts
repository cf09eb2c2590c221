/** The stack that runs, its events as the API tells them, and players of each kind. */
import { type Abi, type Address, createClient, http, parseEventLogs, publicActions } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { battleshipAbi } from '../../src/lib/chain/abi/battleship';
import { bunkerWarAbi } from '../../src/lib/chain/abi/bunkerWar';
import { Chain } from '../../src/lib/chain/chain';
import { KeySigner } from '../../src/lib/chain/keySigner';
import { tabLocks } from '../../src/lib/chain/locks';
import { keyPlayer, type Player, walletPlayer } from '../../src/lib/chain/player';
import type { Shared } from '../../src/lib/chain/signer';
import { WebStore } from '../../src/lib/chain/store';
import { WalletSigner } from '../../src/lib/chain/walletSigner';
import { type Provider, Wallet } from '../../src/lib/chain/wallets';
import type { GameEvent } from '../../src/lib/events';
import { memoryStorage } from '../memory';

interface Stack {
  readonly rpc: string;
  readonly gateway: string;
  readonly chainId: number;
  readonly contracts: { readonly bunkerwar: Address; readonly battleship: Address };
  /** Private keys of accounts with money. */
  readonly accounts: readonly `0x${string}`[];
}

export const stack: Stack = JSON.parse(process.env.FOGBOUND_STACK ?? 'null');
export const [HOST_KEY, GUEST_KEY] = stack.accounts as [`0x${string}`, `0x${string}`];
export const chain = new Chain({ chainId: stack.chainId, url: stack.rpc });
const node = createClient({ transport: http(stack.rpc) }).extend(publicActions);

/** A browser that has kept nothing yet. */
export function newBrowser(): Shared {
  return { store: new WebStore(memoryStorage()), locks: tabLocks() };
}

export function withKey(key: `0x${string}`, shared: Shared): Player {
  return keyPlayer(new KeySigner(key, chain, { shared }));
}

/** The player, and what his wallet was asked. */
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

const ABIS = { bunkerwar: bunkerWarAbi, battleship: battleshipAbi } as const;

/** One game's events in the API's form. */
export async function eventsOf(kind: keyof typeof ABIS, id: number): Promise<GameEvent[]> {
  const address = stack.contracts[kind];
  const raw = await node.request({
    method: 'eth_getLogs',
    params: [{ address, fromBlock: '0x0', toBlock: 'latest' }],
  });
  const logs = parseEventLogs({ abi: ABIS[kind] as Abi, logs: raw as never });
  const told = logs.map((log, seq) => ({
    seq,
    name: log.eventName as string,
    arguments: tell(log.args) as Record<string, unknown>,
    block: Number(log.blockNumber),
    index: Number(log.logIndex),
    transaction: String(log.transactionHash),
    timestamp: 0,
  }));
  return told.filter((event) => event.arguments.id === String(id));
}

function tell(value: unknown): unknown {
  if (typeof value === 'bigint' || typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.map(tell);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, tell(each)]));
}

/** Try until it is there. */
export async function until<T>(what: string, look: () => Promise<T | null | false>): Promise<T> {
  for (let attempt = 0; attempt < 400; attempt++) {
    const found = await look();
    if (found !== null && found !== false) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`waited in vain for ${what}`);
}
