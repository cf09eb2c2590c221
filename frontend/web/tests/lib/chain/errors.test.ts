// @vitest-environment node
import { encodeErrorResult, parseAbi, toHex } from 'viem';
import { afterEach, expect, test, vi } from 'vitest';
import { battleshipAbi } from '../../../src/lib/chain/abi/battleship';
import { bunkerWarAbi } from '../../../src/lib/chain/abi/bunkerWar';
import {
  ContractError,
  explain,
  Refused,
  TooManyRequests,
  Unreachable,
  WrongChain,
} from '../../../src/lib/chain/errors';
import { CONTRACT_KEYS, FOREIGN_KEYS } from '../../../src/lib/chain/errorTexts';
import { decodeRevert } from '../../../src/lib/chain/reverts';
import { chain as texts } from '../../../src/lib/i18n/en/chain';
import { chain as korean } from '../../../src/lib/i18n/ko/chain';
import { FakeNode, newChain, RpcFailure } from './node';

afterEach(() => vi.unstubAllGlobals());

/** What only a page that is wrong, or the pool's owner, can meet. */
const UNTOLD = new Set([
  'Table_ClocksOutOfRange',
  'Table_ControlsOutOfRange',
  'Table_ControlOutOfRange',
  'Table_SeatsOutOfRange',
  'Table_ProofAlreadyAsked',
  'Table_ConsentInvalid',
  'Table_NotPoolOwner',
  'Battleship_WrongProofLength',
  'Battleship_SunkWithoutHit',
  'BunkerWar_SeatOutOfRange',
  'BunkerWar_EmptyInputProof',
  'BunkerWar_InputUsed',
]);

const names = [...battleshipAbi, ...bunkerWarAbi]
  .filter((entry) => entry.type === 'error')
  .map((entry) => entry.name)
  .filter((name) => name.includes('_'));

test.each([...new Set<string>(names)])('a player is told what to do about %s', (name) => {
  expect(name in CONTRACT_KEYS).toBe(!UNTOLD.has(name));
});

test('no text is for an error that no contract has', () => {
  const ours = Object.keys(CONTRACT_KEYS).filter((name) => name.includes('_'));
  expect(ours.filter((name) => !names.includes(name as never))).toEqual([]);
});

test('each text says the same parameters in both languages', () => {
  const placeholders = (text: unknown) =>
    String(text)
      .match(/\{\w+\}/g)
      ?.sort() ?? [];
  for (const [key, text] of Object.entries(texts)) {
    expect(placeholders(korean[key as keyof typeof texts])).toEqual(placeholders(text));
  }
});

test('a revert is told by its name', () => {
  const data = encodeErrorResult({
    abi: battleshipAbi,
    errorName: 'Table_DeadlineNotPassed',
    args: [3n, 250n],
  });
  expect(explain(decodeRevert(data))).toEqual({
    key: 'error.deadlineNotPassed',
    params: { error: 'Table_DeadlineNotPassed' },
  });
});

test('an error that is unknown shows its data', () => {
  expect(decodeRevert('0xdeadbeef')).toMatchObject({
    error: 'Unknown',
    args: { data: '0xdeadbeef' },
    key: 'error.contract',
  });
});

test('errors of other folders are told by their name', () => {
  const error = Object.assign(new Error('x'), { name: 'KeyChanged' });
  expect(explain(error).key).toBe(FOREIGN_KEYS.KeyChanged);
  expect(explain('what').key).toBe('error.unknown');
});

const words = encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: ['sold out'] });

test.each([
  ['a limit', () => new Response('', { status: 429 }), TooManyRequests],
  ['a broken gateway', () => new Response('', { status: 502 }), Unreachable],
  ['a refusal', () => new RpcFailure(-32601, 'method not allowed'), Refused],
  ['a revert in words', () => new RpcFailure(3, 'execution reverted: no'), ContractError],
  ['nested data', () => new RpcFailure(3, 'reverted', { data: '0xdeadbeef' }), ContractError],
])('%s is an error of this folder', async (_, answer, type) => {
  const node = new FakeNode();
  node.on('eth_blockNumber', answer);
  await expect(newChain().blockNumber()).rejects.toBeInstanceOf(type);
});

test('a require’s words are its message', () => {
  expect(decodeRevert(words)).toMatchObject({ error: 'Error', args: { message: 'sold out' } });
});

test('nothing that answers is an error too', async () => {
  new FakeNode().online = false;
  await expect(newChain().blockNumber()).rejects.toBeInstanceOf(Unreachable);
});

test('another chain is noticed', async () => {
  const node = new FakeNode();
  await newChain().check();
  node.on('eth_chainId', () => toHex(1));
  await expect(newChain().check()).rejects.toBeInstanceOf(WrongChain);
});

test('an address without a contract is noticed', async () => {
  new FakeNode();
  const read = newChain().read(
    battleshipAbi,
    '0x5FbDB2315678afecb367f032d93F642f64180aa3',
    'pool',
    [],
  );
  await expect(read).rejects.toMatchObject({ error: 'NoContract' });
});
