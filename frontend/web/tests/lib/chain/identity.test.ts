import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CHAIN_ID, FakeNode, KEY } from './node';

const CONFIG = { chainId: CHAIN_ID, local: true, faucet: { wei: '1' } };
const [FIRST, SECOND] = [KEY, `0x${'22'.repeat(32)}` as const].map(
  (key) => privateKeyToAccount(key).address,
) as [string, string];

let identity: typeof import('../../../src/lib/chain/identity.svelte').identity;
let stop = () => {};
let node: FakeNode;
let funded: string[];

/** The page as it starts, with what the browser has kept. */
async function load(): Promise<void> {
  stop();
  vi.resetModules();
  ({ identity } = await import('../../../src/lib/chain/identity.svelte'));
  stop = identity.start(CONFIG);
}

beforeEach(async () => {
  localStorage.clear();
  node = new FakeNode();
  funded = [];
  const asNode = globalThis.fetch;
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (String(url).includes('/rpc')) return asNode(url, init);
    funded.push(JSON.parse(String(init.body)).address);
    node.on('eth_getBalance', () => '0x10');
    return Response.json({ transaction: '0x1', wei: '16' });
  });
  node.on('eth_getBalance', () => '0x0');
  await load();
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

describe('a key of this browser', () => {
  test('is made, funded once, and there after a reload', async () => {
    expect(identity.player).toBeNull();
    await identity.createKey();
    const { address } = identity;
    expect(identity.kind).toBe('key');
    expect(funded).toEqual([address]);
    expect(identity.balance).toBe(16n);
    await load();
    expect(identity.address).toBe(address);
    await identity.createKey();
    expect(identity.address).toBe(address);
    expect(funded.length).toBe(1);
  });

  test('is funded anew on a chain that was reset, and on demand', async () => {
    await identity.createKey();
    node.on('eth_getBalance', () => '0x0');
    await load();
    await vi.waitFor(() => expect(identity.balance).toBe(16n));
    expect(funded.length).toBe(2);
    node.on('eth_getBalance', () => '0x1');
    await identity.fund();
    expect(funded.length).toBe(3);
  });

  test('comes back from its backup', async () => {
    await identity.createKey();
    const { address } = identity;
    const text = await identity.backup();
    localStorage.clear();
    await load();
    expect(identity.address).toBeNull();
    await identity.restore(await identity.readBackup(text));
    expect(identity.address).toBe(address);
  });

  test('stays in the browser when the player leaves', async () => {
    await identity.createKey();
    const { address } = identity;
    identity.disconnect();
    expect(identity.player).toBeNull();
    await load();
    expect(identity.player).toBeNull();
    await identity.createKey();
    expect(identity.address).toBe(address);
  });
});

describe('a wallet', () => {
  const wallet = {
    accounts: [FIRST],
    chainId: '0x7a69',
    listeners: [] as (() => void)[],
    async request({ method, params }: { method: string; params?: { chainId: string }[] }) {
      if (method === 'eth_chainId') return this.chainId;
      if (method === 'wallet_switchEthereumChain') this.chainId = params?.[0]?.chainId ?? '';
      return this.accounts;
    },
    on(_: string, listener: () => void) {
      this.listeners.push(listener);
    },
    removeListener(_: string, listener: () => void) {
      this.listeners = this.listeners.filter((each) => each !== listener);
    },
  };
  const info = { uuid: 'u', name: 'Test', icon: '', rdns: 'test.wallet' };
  const announce = () =>
    window.dispatchEvent(
      new CustomEvent('eip6963:announceProvider', { detail: { info, provider: wallet } }),
    );

  beforeEach(async () => {
    wallet.accounts = [FIRST];
    wallet.chainId = '0x7a69';
    announce();
    await identity.connect('test.wallet');
  });

  test('is who the player is, also after a reload', async () => {
    expect(identity).toMatchObject({ address: FIRST, kind: 'wallet', rightChain: true });
    expect(identity.sessions).not.toBeNull();
    await load();
    expect(identity.player).toBeNull();
    announce();
    await vi.waitFor(() => expect(identity.address).toBe(FIRST));
  });

  test('changes account and chain under way', async () => {
    wallet.accounts = [SECOND];
    wallet.listeners[0]?.();
    await vi.waitFor(() => expect(identity.address).toBe(SECOND));
    wallet.chainId = '0x1';
    wallet.listeners[0]?.();
    await vi.waitFor(() => expect(identity.rightChain).toBe(false));
    await identity.switchChain();
    expect(identity.rightChain).toBe(true);
    wallet.accounts = [];
    wallet.listeners[0]?.();
    await vi.waitFor(() => expect(identity.player).toBeNull());
  });

  test('is not watched any more once the player leaves', () => {
    identity.disconnect();
    expect(wallet.listeners).toEqual([]);
    expect(identity).toMatchObject({ player: null, wallet: null, rightChain: true });
  });
});
