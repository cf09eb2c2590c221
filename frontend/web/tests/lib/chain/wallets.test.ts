import { numberToHex, zeroAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  AccountChanged,
  SignatureRejected,
  WalletBusy,
  WalletDisconnected,
  WalletLocked,
  WalletRefused,
  WrongNetwork,
} from '../../../src/lib/chain/errors';
import { WalletSigner } from '../../../src/lib/chain/walletSigner';
import { discover, type Provider, Wallet } from '../../../src/lib/chain/wallets';
import { CHAIN_ID, CONTRACT, FakeNode, KEY, newBrowser, newChain } from './node';

const account = privateKeyToAccount(KEY);
const NETWORK = { chainId: CHAIN_ID, name: 'Fogbound', rpcUrl: 'http://localhost/rpc' };

/** A wallet with one account; `knows`: the chains that it can switch to. */
class TestProvider extends EventTarget implements Provider {
  chainId = CHAIN_ID;
  accounts: string[] = [account.address.toLowerCase()];
  knows = [CHAIN_ID];
  refusal: unknown = { code: 4902, message: 'unknown' };
  asked: { method: string; params?: unknown }[] = [];
  fails: unknown = null;
  node: FakeNode | null = null;
  readonly listeners = new Map<string, Set<() => void>>();

  async request(asked: { method: string; params?: unknown }): Promise<unknown> {
    this.asked.push(asked);
    if (this.fails) throw this.fails;
    const [given] = (asked.params ?? []) as { chainId: `0x${string}` }[];
    switch (asked.method) {
      case 'eth_accounts':
      case 'eth_requestAccounts':
        return this.accounts;
      case 'eth_chainId':
        return `0x${this.chainId.toString(16)}`;
      case 'wallet_addEthereumChain':
        return void this.knows.push(Number(given?.chainId));
      case 'wallet_switchEthereumChain':
        if (!this.knows.includes(Number(given?.chainId))) throw this.refusal;
        this.chainId = Number(given?.chainId);
        return null;
      case 'eth_signTypedData_v4':
        return account.signTypedData(JSON.parse((asked.params as string[])[1] as string));
      case 'personal_sign':
        return account.signMessage({ message: { raw: (asked.params as [`0x${string}`])[0] } });
      default:
        return this.node?.take('0xfe');
    }
  }

  on(event: string, listener: () => void): void {
    this.listeners.set(event, (this.listeners.get(event) ?? new Set()).add(listener));
  }

  removeListener(event: string, listener: () => void): void {
    this.listeners.get(event)?.delete(listener);
  }

  emit(event: string): void {
    for (const listener of this.listeners.get(event) ?? []) listener();
  }
}

const INFO = { uuid: 'u1', name: 'Test', icon: 'data:image/png;base64,AA==', rdns: 'test.wallet' };
let provider: TestProvider;
let wallet: Wallet;

beforeEach(() => {
  provider = new TestProvider();
  wallet = new Wallet({ info: INFO, provider });
});
afterEach(() => vi.unstubAllGlobals());

function announce(detail: unknown): void {
  window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
}

describe('discovery', () => {
  test('wallets are asked to show themselves, each once', () => {
    const asked = vi.fn(() => announce({ info: INFO, provider }));
    window.addEventListener('eip6963:requestProvider', asked);
    const found: Wallet[] = [];
    const stop = discover((each) => found.push(each));
    announce({ info: INFO, provider });
    announce({ info: { ...INFO, uuid: 'u2', rdns: 'late.wallet' }, provider });
    expect(found.map((each) => each.id)).toEqual(['test.wallet', 'late.wallet']);
    stop();
    announce({ info: { ...INFO, uuid: 'u3' }, provider });
    expect(found.length).toBe(2);
    window.removeEventListener('eip6963:requestProvider', asked);
  });

  test.each([null, {}, { info: INFO }, { info: { name: 1 }, provider: {} }])(
    'the announcement %j is passed over',
    (detail) => {
      const found = vi.fn();
      const stop = discover(found);
      announce(detail);
      stop();
      expect(found).not.toHaveBeenCalled();
    },
  );

  test('no icon is taken from another host', () => {
    const icon = 'https://elsewhere.test/icon.png';
    expect(new Wallet({ info: { ...INFO, icon }, provider }).icon).toBe('');
    expect(wallet.icon).toBe(INFO.icon);
  });
});

describe('a wallet', () => {
  test('shows an account, checksummed', async () => {
    expect(await wallet.connect()).toBe(account.address);
    provider.accounts = [];
    await expect(wallet.account()).rejects.toBeInstanceOf(WalletLocked);
  });

  test.each([
    [4001, SignatureRejected],
    [4100, WalletLocked],
    [4200, WalletRefused],
    [4900, WalletDisconnected],
    [4901, WalletDisconnected],
    [-32002, WalletBusy],
    [-32603, WalletRefused],
  ])('its error %d is one of this folder', async (code, type) => {
    provider.fails = { code, message: 'no' };
    await expect(wallet.connect()).rejects.toBeInstanceOf(type);
  });

  test.each([
    { code: 4902, message: 'unknown' },
    { code: -32603, message: 'Unrecognized chain ID' },
    { code: -32603, message: 'Internal error', data: { originalError: { code: 4902 } } },
    'no such chain',
  ])('is told of a chain that it does not know, whatever it says (%j)', async (refusal) => {
    provider.chainId = 1;
    provider.knows = [1];
    provider.refusal = refusal;
    await wallet.switchTo(NETWORK);
    expect(await wallet.chainId()).toBe(CHAIN_ID);
    const added = provider.asked.find(({ method }) => method === 'wallet_addEthereumChain');
    expect(added?.params).toMatchObject([{ chainId: '0x7a69', rpcUrls: [NETWORK.rpcUrl] }]);
  });

  test('that will not switch is not told of a chain, and one that stays elsewhere is said so', async () => {
    provider.chainId = 1;
    provider.knows = [];
    provider.refusal = { code: 4001, message: 'no' };
    await expect(wallet.switchTo(NETWORK)).rejects.toBeInstanceOf(SignatureRejected);
    expect(provider.asked.map(({ method }) => method)).toEqual(['wallet_switchEthereumChain']);
    vi.spyOn(provider, 'request').mockImplementation(async ({ method }) =>
      method === 'eth_chainId' ? '0x1' : null,
    );
    await expect(wallet.switchTo(NETWORK)).rejects.toBeInstanceOf(WrongNetwork);
  });

  test('tells of changes until nobody listens', () => {
    const changed = vi.fn();
    const stop = wallet.watch(changed);
    provider.emit('accountsChanged');
    provider.emit('chainChanged');
    expect(changed).toHaveBeenCalledTimes(2);
    stop();
    provider.emit('accountsChanged');
    expect(changed).toHaveBeenCalledTimes(2);
  });
});

describe('a wallet whose answers are of odd shapes', () => {
  const ODD = [undefined, null, 7, '', 'no', {}, [7], ['0x12'], { length: 1 }, Symbol('odd')];

  test('accounts', async () => {
    for (const accounts of ODD) {
      provider.accounts = accounts as never;
      await expect(wallet.connect()).rejects.toBeInstanceOf(WalletRefused);
      await expect(wallet.accounts()).rejects.toBeInstanceOf(WalletRefused);
    }
  });

  test('chain ids', async () => {
    for (const id of [...ODD, '0x', '0xzz', '-1', 0, 1.5, '0x0', '0x20000000000000', Number.NaN]) {
      if (id === 7) continue;
      vi.spyOn(provider, 'request').mockResolvedValue(id);
      await expect(wallet.chainId()).rejects.toBeInstanceOf(WalletRefused);
    }
    for (const [id, found] of [
      ['0x7A69', 31_337],
      ['31337', 31_337],
      [31_337, 31_337],
    ]) {
      vi.spyOn(provider, 'request').mockResolvedValue(id);
      expect(await wallet.chainId()).toBe(found);
    }
  });

  test('signatures and hashes', async () => {
    for (const answer of [...ODD, '0x', '0x123', `0x${'zz'.repeat(65)}`]) {
      vi.spyOn(provider, 'request').mockResolvedValue(answer);
      if (answer !== '0x12') {
        await expect(wallet.sign('personal_sign', [])).rejects.toBeInstanceOf(WalletRefused);
      }
      await expect(wallet.send({})).rejects.toBeInstanceOf(WalletRefused);
    }
  });

  test('errors', async () => {
    const nothing = Object.create(null);
    for (const error of [
      ...ODD,
      nothing,
      { code: {}, message: {} },
      { message: 'm'.repeat(9_999) },
    ]) {
      vi.spyOn(provider, 'request').mockRejectedValue(error);
      await expect(wallet.connect()).rejects.toBeInstanceOf(WalletRefused);
      await expect(wallet.connect()).rejects.toMatchObject({ message: /^.{1,300}$/ });
    }
    vi.spyOn(provider, 'request').mockRejectedValue({ code: '4001', message: 'no' });
    await expect(wallet.connect()).rejects.toBeInstanceOf(SignatureRejected);
  });
});

describe('its account', () => {
  const signer = () => new WalletSigner(account.address, wallet, newChain(), newBrowser());
  const CALL = { to: CONTRACT, data: '0x12345678', value: 5n } as const;

  test('sends after the call was tried out, and waits', async () => {
    provider.node = new FakeNode();
    expect(await signer().send(CALL)).toMatchObject({ succeeded: true });
    const sent = provider.asked.find(({ method }) => method === 'eth_sendTransaction');
    const wanted = {
      from: account.address,
      to: CONTRACT,
      value: '0x5',
      chainId: numberToHex(CHAIN_ID),
    };
    expect(sent?.params).toMatchObject([wanted]);
    expect(provider.node.asked('eth_estimateGas').length).toBe(1);
  });

  test('sends nothing on another network, or as another account', async () => {
    new FakeNode();
    provider.chainId = 1;
    await expect(signer().send(CALL)).rejects.toBeInstanceOf(WrongNetwork);
    provider.chainId = CHAIN_ID;
    provider.accounts = [zeroAddress];
    await expect(signer().send(CALL)).rejects.toBeInstanceOf(AccountChanged);
    await expect(signer().signMessage('hi')).rejects.toBeInstanceOf(AccountChanged);
    expect(provider.asked.some(({ method }) => method === 'eth_sendTransaction')).toBe(false);
  });

  const data = {
    domain: { name: 'Test', version: '1', chainId: CHAIN_ID, verifyingContract: CONTRACT },
    primaryType: 'Word',
    types: { Word: [{ name: 'word', type: 'string' }] },
    message: { word: 'yes' },
  } as const;

  test('signs no typed data on another network, or as another account', async () => {
    provider.chainId = 1;
    await expect(signer().signTypedData(data)).rejects.toBeInstanceOf(WrongNetwork);
    provider.chainId = CHAIN_ID;
    provider.accounts = [zeroAddress];
    await expect(signer().signTypedData(data)).rejects.toBeInstanceOf(AccountChanged);
    expect(provider.asked.some(({ method }) => method === 'eth_signTypedData_v4')).toBe(false);
  });

  test('takes no signature of another account for its own, unless a contract signs', async () => {
    const node = new FakeNode();
    node.on('eth_getCode', () => '0x');
    const other = privateKeyToAccount(`0x${'77'.repeat(32)}`);
    vi.spyOn(wallet, 'sign').mockImplementation(() => other.signMessage({ message: 'hi' }));
    await expect(signer().signMessage('hi')).rejects.toBeInstanceOf(AccountChanged);
    await expect(signer().signTypedData(data)).rejects.toBeInstanceOf(AccountChanged);
    node.on('eth_getCode', () => '0x60');
    expect(await signer().signMessage('hi')).toMatch(/^0x/);
  });

  test('signs what a key would sign', async () => {
    expect(await signer().signTypedData(data)).toBe(await account.signTypedData(data));
    expect(await signer().signMessage('hällo')).toBe(
      await account.signMessage({ message: 'hällo' }),
    );
  });

  test('leaves nothing behind where the player says no', async () => {
    new FakeNode();
    const browser = newBrowser();
    const refusing = new WalletSigner(account.address, wallet, newChain(), browser);
    vi.spyOn(wallet, 'request').mockImplementation(async (method) => {
      if (method === 'eth_sendTransaction') throw new SignatureRejected('no');
      return provider.request({ method });
    });
    await expect(refusing.send(CALL)).rejects.toBeInstanceOf(SignatureRejected);
    expect(browser.store.names('pending')).toEqual([]);
  });
});
