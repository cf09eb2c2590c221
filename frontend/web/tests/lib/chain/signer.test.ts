// @vitest-environment node
import { encodeErrorResult, type Hex, numberToHex, parseTransaction } from 'viem';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { tableAbi } from '../../../src/lib/chain/abi/table';
import {
  ContractError,
  InsufficientFunds,
  StorageRefused,
  TransactionFailed,
  TransactionLost,
  TransactionReplaced,
  Unreachable,
} from '../../../src/lib/chain/errors';
import { KeySigner } from '../../../src/lib/chain/keySigner';
import { type Pending, PendingList, resume } from '../../../src/lib/chain/pending';
import type { Shared } from '../../../src/lib/chain/signer';
import { CHAIN_ID, CONTRACT, FakeNode, KEY, newBrowser, newChain, RpcFailure } from './node';

let node: FakeNode;
let browser: Shared;
let signer: KeySigner;

beforeEach(() => {
  node = new FakeNode();
  browser = newBrowser();
  signer = new KeySigner(KEY, newChain(), { shared: browser });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const CALL = { to: CONTRACT, data: '0x12345678', label: 'fire' } as const;
const reverted = () =>
  encodeErrorResult({
    abi: tableAbi,
    errorName: 'Table_NotOnTurn',
    args: [7n, CONTRACT, 1],
  });

function pending(): readonly Pending[] {
  return new PendingList(CHAIN_ID, signer.address, browser.store).all();
}

function first(): Pending {
  return pending()[0] as Pending;
}

/** The outcome of a promise while the clock runs as fast as it can. */
async function soon<T>(promise: Promise<T>): Promise<T | unknown> {
  const settled = promise.catch((error) => error);
  await vi.advanceTimersByTimeAsync(200_000);
  return settled;
}

test('a transaction is kept until it is mined', async () => {
  node.mines = false;
  const sending = signer.send(CALL);
  await vi.waitFor(() => expect(node.sent.length).toBe(1));
  expect(pending()).toMatchObject([{ raw: node.sent[0], nonce: 0, label: 'fire' }]);
  node.mine(first().hash);
  expect(await sending).toMatchObject({ succeeded: true, block: 101 });
  expect(pending()).toEqual([]);
});

test('what would revert is told by name with its data, and not sent', async () => {
  node.on('eth_estimateGas', () => new RpcFailure(3, 'execution reverted', reverted()));
  const error = await signer.send(CALL).catch((each) => each);
  expect(error).toBeInstanceOf(ContractError);
  expect(error).toMatchObject({
    error: 'Table_NotOnTurn',
    args: { id: 7n, account: CONTRACT, onTurn: 1 },
    key: 'error.notOnTurn',
  });
  expect(node.sent).toEqual([]);
  expect(pending()).toEqual([]);
});

test('a node that hides a revert’s data while estimating is asked for it', async () => {
  node.on('eth_estimateGas', () => new RpcFailure(3, 'execution reverted'));
  node.on('eth_call', () => new RpcFailure(3, 'execution reverted', reverted()));
  await expect(signer.send(CALL)).rejects.toMatchObject({
    error: 'Table_NotOnTurn',
  });
});

test('what is mined and fails is explained on the state before its block', async () => {
  node.succeeds = false;
  node.on('eth_call', () => new RpcFailure(3, 'execution reverted', reverted()));
  await expect(signer.send(CALL)).rejects.toMatchObject({
    error: 'Table_NotOnTurn',
  });
  expect(node.asked('eth_call')[0]?.[1]).toBe('0x64');
  expect(pending()).toEqual([]);
});

test('a failure without a reason is told as such', async () => {
  node.succeeds = false;
  await expect(signer.send(CALL)).rejects.toBeInstanceOf(TransactionFailed);
});

test('several at once take one nonce after the other', async () => {
  await Promise.all([signer.send(CALL), signer.send(CALL), signer.send(CALL)]);
  expect(node.nonces).toEqual([0, 1, 2]);
});

test('another tab with the same key waits for its nonce', async () => {
  const other = new KeySigner(KEY, newChain(), { shared: browser });
  await Promise.all([signer.send(CALL), other.send(CALL)]);
  expect(node.nonces).toEqual([0, 1]);
});

test('a nonce that another browser has just taken is tried anew', async () => {
  let refused = 0;
  node.on('eth_getTransactionCount', () => (refused ? '0x5' : '0x4'));
  node.on('eth_sendRawTransaction', ([raw]) =>
    refused++ ? node.take(raw as never) : new RpcFailure(-32003, 'nonce too low'),
  );
  await signer.send(CALL);
  expect(node.nonces).toEqual([5]);
  expect(pending()).toEqual([]);
});

test.each([
  ['key', 'error.insufficientFunds'],
  ['session', 'error.sessionSpent'],
] as const)('a %s without money says so', async (kind, key) => {
  const poor = new KeySigner(KEY, newChain(), { kind, shared: browser });
  const words = 'insufficient funds for gas * price + value';
  node.on('eth_estimateGas', () => new RpcFailure(-32003, words));
  const error = await poor.send(CALL).catch((each) => each);
  expect(error).toBeInstanceOf(InsufficientFunds);
  expect(error.key).toBe(key);
});

test('nothing is sent that could not be found again', async () => {
  vi.spyOn(browser.store, 'write').mockImplementation(() => {
    throw new StorageRefused('full');
  });
  await expect(signer.send(CALL)).rejects.toBeInstanceOf(StorageRefused);
  expect(node.sent).toEqual([]);
});

test('all that is left goes out, less what gas may cost', async () => {
  const sent = await signer.sendAll(CONTRACT);
  expect(sent).toBe(10n ** 18n - 86_666n * 5n);
  node.on('eth_getBalance', () => '0x5');
  expect(await signer.sendAll(CONTRACT)).toBe(0n);
  expect(node.sent.length).toBe(1);
});

describe('on a connection that breaks', () => {
  beforeEach(() => vi.useFakeTimers({ shouldAdvanceTime: true }));

  test('a transaction that had arrived is found', async () => {
    node.on('eth_sendRawTransaction', ([raw]) => {
      node.take(raw as never);
      return new Response('', { status: 502 });
    });
    expect(await soon(signer.send(CALL))).toMatchObject({ succeeded: true });
  });

  test('a transaction that a restarted node has forgotten is sent again', async () => {
    let lost = true;
    node.on('eth_sendRawTransaction', ([raw]) => {
      if (!lost) return node.take(raw as never);
      lost = false;
      return new RpcFailure(0, '') && '0x';
    });
    expect(await soon(signer.send(CALL))).toMatchObject({ succeeded: true });
    expect(node.nonces).toEqual([0]);
  });

  test('it is waited for while nothing answers', async () => {
    node.mines = false;
    const sending = signer.send(CALL);
    await vi.waitFor(() => expect(node.sent.length).toBe(1));
    node.online = false;
    await vi.advanceTimersByTimeAsync(20_000);
    node.online = true;
    node.mine(first().hash);
    expect(await soon(sending)).toMatchObject({ succeeded: true });
  });

  test('what is not mined in time stays known', async () => {
    node.mines = false;
    expect(await soon(signer.send(CALL))).toBeInstanceOf(TransactionLost);
    expect(pending().length).toBe(1);
  });

  test('what another transaction replaced is given up', async () => {
    node.mines = false;
    node.on('eth_getTransactionCount', ([, tag]) => (tag === 'latest' ? '0x1' : '0x0'));
    expect(await soon(signer.send(CALL))).toBeInstanceOf(TransactionReplaced);
  });

  test('nothing is kept where nothing was sent', async () => {
    node.online = false;
    expect(await soon(signer.send(CALL))).toBeInstanceOf(Unreachable);
    expect(pending()).toEqual([]);
  });
});

describe('after a reload', () => {
  const list = () => new PendingList(CHAIN_ID, signer.address, browser.store);

  test('a pending transaction is found again', async () => {
    node.mines = false;
    const before = signer.send(CALL);
    await vi.waitFor(() => expect(pending().length).toBe(1));
    const resumed = resume(newChain(), signer.address, list());
    node.mine(first().hash);
    await resumed;
    expect(pending()).toEqual([]);
    await before;
  });

  test('an old one is not sent again, and forgotten', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    list().add({
      hash: '0xaa',
      raw: '0xbb',
      nonce: 0,
      label: '',
      sentAt: Date.now() - 700_000,
    });
    await soon(resume(newChain(), signer.address, list()));
    expect(node.asked('eth_sendRawTransaction')).toEqual([]);
    expect(pending()).toEqual([]);
  });
});

const GWEI = 10n ** 9n;
const GAS = 86_666n; // a third more than is estimated, and 20,000
const AFTER_BASE = (wei: bigint) => wei - 2n * 2n * GAS;

test.each([
  ['what is usual is paid as it is', 100n * GWEI, 10n ** 18n, 100n * GWEI],
  ['more is paid where money is plenty', 300n * GWEI, 10n ** 18n, 300n * GWEI],
  [
    'a node that lies gets a twentieth of the money',
    10n ** 18n,
    10n ** 18n,
    AFTER_BASE(10n ** 18n) / 20n / GAS,
  ],
  ['who has little pays what they have', 100n * GWEI, 10n ** 15n, AFTER_BASE(10n ** 15n) / GAS],
  ['who has nothing left pays nothing', 100n * GWEI, 0n, 0n],
])('tips: %s', async (_, advised, balance, paid) => {
  node.on('eth_maxPriorityFeePerGas', () => numberToHex(advised));
  node.on('eth_getBalance', () => numberToHex(balance));
  await signer.send(CALL);
  expect(parseTransaction(node.sent[0] as Hex).maxPriorityFeePerGas ?? 0n).toBe(paid);
});

test('who is outbid sends again, with the tip that is advised then', async () => {
  const tips = [1n, 9n];
  node.on('eth_maxPriorityFeePerGas', () => numberToHex(tips.shift() ?? 0n));
  node.on('eth_sendRawTransaction', ([raw]) => {
    if (tips.length > 0) return new RpcFailure(-32005, 'too many transactions wait; try again');
    return node.take(raw as Hex);
  });
  await signer.send(CALL);
  expect(node.sent.map((raw) => parseTransaction(raw).maxPriorityFeePerGas)).toEqual([9n]);
});

test('who is not heard among many calls asks again', async () => {
  let refusals = 2;
  node.on('eth_estimateGas', () =>
    refusals-- > 0 ? new RpcFailure(-32005, 'too many calls are tried out; try again') : '0xc350',
  );
  await signer.send(CALL);
  expect(node.sent).toHaveLength(1);
});
