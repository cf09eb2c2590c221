import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { attend } from '../../src/game/attend';
import { BattleshipStore } from '../../src/game/battleship/store.svelte';
import { parseFleet } from '../../src/lib/battleship/fleets';
import { InsufficientFunds } from '../../src/lib/chain/errors';
import type { Player } from '../../src/lib/chain/player';
import { FakeEventSource } from '../eventSource';
import { GUEST, HOST, OUTSIDER, summary } from '../summaries';
import { be, GameServer, numbered, settle } from './server';

const client = vi.hoisted(() => ({
  serve: vi.fn(),
  fire: vi.fn(),
  ownFleet: vi.fn(),
  join: vi.fn(),
}));
vi.mock('../../src/lib/clients', () => ({ clientOf: async () => client }));

const FLEET = parseFleet('CR 0 0 h, DE 0 1 h');
const committed = (seat: number) =>
  ['BoardCommitted', { seat, nonce: 0, root: `0x0${seat}`, sealedPlacement: '0x' }] as const;
const START = numbered([
  ['GameOpened', { parameters: '0x06', creator: HOST }],
  committed(0),
  ['SeatTaken', { seat: 1, player: GUEST, target: 6 }],
  committed(1),
  ['FirstSeatDrawn', { seat: 0 }],
]);
const shot = (seat: number, cell: number) => ['ShotFired', { seat, cell }] as const;
const answer = (seat: number, cell: number, hit: boolean) =>
  ['ShotAnswered', { seat, cell, hit, sunk: 0 }] as const;

let server: GameServer;
let store: BattleshipStore;
let stop = () => {};

async function sit(address: typeof HOST | null, changes = {}, events = START) {
  be(address);
  const known = { kind: 'battleship', parameters: { size: 6 }, updatedBlock: 1 } as const;
  server = new GameServer(summary(7, { ...known, ...changes } as never), events);
  await server.install();
  store = new BattleshipStore(7);
  stop = $effect.root(() => store.watch());
  await settle();
  FakeEventSource.last.opens();
  await settle(1);
}

beforeEach(() => {
  vi.useFakeTimers({ now: 100_000 }); // 100 s since 1970
  for (const each of Object.values(client)) each.mockReset().mockResolvedValue(undefined);
  client.ownFleet.mockResolvedValue(FLEET);
  client.serve.mockResolvedValue(false);
});
afterEach(() => {
  stop();
  be(null);
  vi.unstubAllGlobals();
});

test('the own fleet is opened and shown, the other is not', async () => {
  await sit(HOST);
  expect(store.state?.boards.map(({ fleet }) => fleet)).toEqual([FLEET, null]);
  be(OUTSIDER);
  await settle(1);
  expect(store.state?.boards.map(({ fleet }) => fleet)).toEqual([null, null]);
});

test('a shot at the own waters is answered without being asked, also after a reload', async () => {
  const events = [...START, ...numbered([shot(0, 8)], 5)];
  await sit(GUEST, { onTurn: 1 }, events);
  expect(store.due).toEqual({ seat: 1, cell: 8 });
  expect(client.serve).toHaveBeenCalledWith(7);
});

test('the shooter waits for the answer, and sees it', async () => {
  await sit(HOST, { onTurn: 1 }, [...START, ...numbered([shot(0, 8)], 5)]);
  await settle(20_000);
  expect(client.serve).not.toHaveBeenCalled();
  server.adds({ onTurn: 1 }, numbered([answer(1, 8, true)], 6));
  await settle();
  expect([...(store.state?.boards[1].hits ?? [])]).toEqual([8]);
  expect(store.due).toBeNull();
});

test('a shot that is chosen while the answer is under way goes out after it', async () => {
  let answered = (_: boolean) => {};
  client.serve.mockReturnValueOnce(new Promise((resolve) => (answered = resolve)));
  await sit(GUEST, { onTurn: 1 }, [...START, ...numbered([shot(0, 8)], 5)]);
  const fired = store.fire(3);
  await settle(1_000);
  expect([store.pending, client.fire.mock.calls.length]).toEqual([3, 0]);
  answered(true);
  server.adds({}, numbered([answer(1, 8, false)], 6));
  await settle(1_000);
  expect(client.fire).toHaveBeenCalledExactlyOnceWith(7, 3);
  server.adds({ onTurn: 0 }, numbered([shot(1, 3)], 7));
  await settle(1_000);
  expect(await fired).toBe(true);
  expect(store.pending).toBeNull();
  expect(client.serve).toHaveBeenCalledTimes(1);
});

test('what fails is said, and tried again', async () => {
  client.serve.mockRejectedValueOnce(new InsufficientFunds());
  await sit(GUEST, { onTurn: 1 }, [...START, ...numbered([shot(0, 8)], 5)]);
  expect(store.duties.trouble?.key).toBe('error.insufficientFunds');
  await settle(6_000);
  expect(client.serve).toHaveBeenCalledTimes(2);
});

const RESIGNED = numbered(
  [
    ['Resigned', { seat: 1 }],
    ['ProofAsked', { seat: 0, deadline: 340 }],
  ],
  5,
);

test('who gains proves the board; the other waits for it', async () => {
  await sit(HOST, { phase: 'proving' }, [...START, ...RESIGNED]);
  expect(client.serve).toHaveBeenCalledWith(7);
  stop();
  client.serve.mockClear();
  await sit(GUEST, { phase: 'proving' }, [...START, ...RESIGNED]);
  await settle(20_000);
  expect(client.serve).not.toHaveBeenCalled();
});

test('the loser of a fair game shows the board while there is time', async () => {
  const revealed = { seat: 0, placement: '0x00', seed: '0x00', honest: true };
  const end = numbered(
    [
      ['BoardRevealed', revealed],
      ['GameEnded', { outcome: 3, winners: 1 }],
    ],
    7,
  );
  const over = { phase: 'ended', outcome: 'resigned', winners: [0] } as const;
  const events = [...START, ...RESIGNED, ...end];
  await sit(GUEST, { ...over, deadline: 340 }, events);
  expect(client.serve).toHaveBeenCalled();
  stop();
  client.serve.mockClear();
  await sit(GUEST, { ...over, deadline: 99 }, events);
  expect(client.serve).not.toHaveBeenCalled();
});

test('a seat is taken with the fleet that was placed, for the stake that is shown', async () => {
  const open = { phase: 'open', players: [HOST, null], onTurn: null, stake: '5' };
  await sit(GUEST, open, START.slice(0, 2));
  store.placed = FLEET;
  const joined = store.perform('join');
  server.adds({ phase: 'drawing', players: [HOST, GUEST] }, START.slice(2, 4));
  await settle(300);
  expect(await joined).toBe(true);
  expect(client.join).toHaveBeenCalledExactlyOnceWith(7, FLEET, 5n);
});

const guest = (kind: string) =>
  ({ address: GUEST, sender: async () => ({ kind }) }) as unknown as Player;
const game = (changes = {}) => summary(9, { kind: 'battleship', onTurn: 1, ...changes } as never);

test('games whose page is not open are attended too', async () => {
  await new GameServer(game()).install();
  await attend(game(), guest('key'));
  await attend(game({ phase: 'proving', onTurn: null }), guest('session'));
  expect(client.serve.mock.calls).toEqual([[9], [9]]);
});

test('but only where something is owed, and no wallet is asked for it', async () => {
  await new GameServer(game()).install();
  await attend(game({ onTurn: 0 }), guest('key'));
  await attend(game({ kind: 'bunkerwar' }), guest('key'));
  await attend(game(), guest('wallet'));
  expect(client.serve).not.toHaveBeenCalled();
});

test('a change while it is attended is attended after it', async () => {
  await new GameServer(game()).install();
  let finish = (_: boolean) => {};
  client.serve.mockReturnValueOnce(new Promise((resolve) => (finish = resolve)));
  const first = attend(game(), guest('key'));
  await attend(game({ moveNumber: 4 }), guest('key'));
  expect(client.serve).toHaveBeenCalledTimes(1);
  finish(true);
  await first;
  expect(client.serve).toHaveBeenCalledTimes(2);
});
