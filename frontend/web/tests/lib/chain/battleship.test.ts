// @vitest-environment node
import { decodeFunctionData, encodeFunctionResult, type Hex, parseTransaction } from 'viem';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BoardKeys } from '../../../src/lib/battleship/boardKeys';
import { parseFleet } from '../../../src/lib/battleship/fleets';
import { battleshipAbi } from '../../../src/lib/chain/abi/battleship';
import { BattleshipClient } from '../../../src/lib/chain/battleship';
import { NothingToAnswer } from '../../../src/lib/chain/errors';
import { KeySigner } from '../../../src/lib/chain/keySigner';
import { keyPlayer } from '../../../src/lib/chain/player';
import { CHAIN_ID, CONTRACT, FakeNode, KEY, newBrowser, newChain } from './node';

const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const ID = 7;
const PLAYING = 3;
const fleets = ['CR 0 0 h, DE 2 2 v', 'CR 0 5 h, DE 4 0 v'] as const;
const DEPLOYMENTS: readonly Hex[] = [`0x${'d1'.repeat(32)}`, `0x${'d2'.repeat(32)}`];

let node: FakeNode;
let shared: ReturnType<typeof newBrowser>;
let owner: KeySigner;
/** What the chain holds: which of the boards is game 7's, and at which deployment. */
let board: number;
let deployment: number;
/** What the API tells: a board that need not be the chain's. */
let told: number;

beforeEach(() => {
  [board, deployment, told] = [0, 0, 0];
  node = new FakeNode();
  shared = newBrowser();
  owner = new KeySigner(KEY, newChain(), { shared });
  node.on('eth_call', ([call]) => view((call as { data: Hex }).data));
});
afterEach(() => {
  vi.unstubAllGlobals();
});

async function made(which: number) {
  const id = DEPLOYMENTS[deployment] as Hex;
  const keys = await BoardKeys.fromWallet(owner, CHAIN_ID, CONTRACT, id);
  const gameKey = {
    chainId: CHAIN_ID,
    contract: CONTRACT,
    player: owner.address,
    nonce: which,
    size: 6,
  };
  return keys.commit(gameKey, parseFleet(fleets[which] as string), () => new Uint8Array(16));
}
const rootOf = async (which: number) => (await made(which)).commitment.root;

/** The game as the contract tells it: a shot at cell 3 of seat 0 is due. */
async function view(data: Hex): Promise<Hex> {
  const { functionName } = decodeFunctionData({ abi: battleshipAbi, data });
  const results: Record<string, unknown> = {
    deploymentId: DEPLOYMENTS[deployment],
    nextNonce: 0n,
    boardOf: [await rootOf(board), BigInt(board), 0],
    firedAt: [1n << 3n, 0n],
    seatsOf: [[owner.address, OTHER], 0n, `0x${'00'.repeat(20)}`],
  };
  if (functionName === 'turnOf') results.turnOf = struct('turnOf', { phase: PLAYING });
  if (functionName === 'shootingOf')
    results.shootingOf = struct('shootingOf', { size: 6, target: 3, answerDue: true });
  const result = results[functionName];
  return encodeFunctionResult({ abi: battleshipAbi, functionName, result } as never);
}

/** What a view returns, with zero where nothing is given. */
function struct(name: string, given: Record<string, unknown>) {
  const entry = battleshipAbi.find((each) => each.type === 'function' && each.name === name);
  const [output] = (entry as unknown as { outputs: [{ components: Component[] }] }).outputs;
  return Object.fromEntries(
    output.components.map((each) => [each.name, given[each.name] ?? zero(each)]),
  );
}

interface Component {
  name: string;
  type: string;
}

function zero({ type }: Component): unknown {
  const [, length] = /\[(\d+)\]$/.exec(type) ?? [];
  return length ? Array(Number(length)).fill(0) : type !== 'bool' && 0;
}

async function events() {
  const { commitment, sealed } = await made(told);
  const at = { seq: 0, block: 1, index: 0, transaction: '0x', time: 0 };
  return [
    { ...at, name: 'GameOpened', arguments: { parameters: '0x06', creator: owner.address } },
    {
      ...at,
      name: 'BoardCommitted',
      arguments: { seat: '0', nonce: String(told), root: commitment.root, sealedPlacement: sealed },
    },
  ];
}

function newClient(): BattleshipClient {
  const player = keyPlayer(owner);
  return new BattleshipClient({ chain: newChain(), contract: CONTRACT, player, events, shared });
}

/** The opening that went out last. */
function answered() {
  const { data } = parseTransaction(node.sent.at(-1) as Hex);
  const { args } = decodeFunctionData({ abi: battleshipAbi, data: data as Hex });
  const [, cell, isShip, salt] = args as unknown as readonly [bigint, bigint, boolean, Hex];
  return { cell: Number(cell), isShip, salt };
}

async function opening(which: number) {
  const { cell, isShip, salt } = (await made(which)).commitment.open(3);
  return { cell, isShip, salt };
}

test('a game that comes to be another one is answered with that one’s board', async () => {
  const client = newClient();
  await client.answer(ID);
  expect(answered()).toEqual(await opening(0));
  board = told = 1; // a reorganisation gave its number to the player's other game
  await client.answer(ID);
  expect(answered()).toEqual(await opening(1));
});

test('nothing is opened of a board that the chain does not hold, whatever the API says', async () => {
  const client = newClient();
  told = 1;
  await expect(client.answer(ID)).rejects.toThrow(NothingToAnswer);
  await expect(client.reveal(ID)).rejects.toThrow(NothingToAnswer);
  expect(node.sent).toEqual([]);
  expect(node.asked('eth_estimateGas')).toEqual([]);
  told = 0;
  await client.answer(ID);
  expect(answered()).toEqual(await opening(0));
});

test('a chain that was reset is played with the keys of its own deployment', async () => {
  const client = newClient();
  const before = await client.boardKeys();
  deployment = 1;
  const after = await client.boardKeys();
  expect(after.stored().secret).not.toBe(before.stored().secret);
  expect(after.stored()).toEqual((await newClient().boardKeys()).stored());
  await client.answer(ID);
  expect(answered()).toEqual(await opening(0));
});

test('who joins pays the stake that they were shown, not what the game has come to cost', async () => {
  const fleet = parseFleet(fleets[0]);
  await newClient().join(ID, fleet, 5n);
  const { data, value } = parseTransaction(node.sent.at(-1) as Hex);
  const { functionName } = decodeFunctionData({ abi: battleshipAbi, data: data as Hex });
  expect([functionName, value]).toEqual(['join', 5n]);
});
