import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BunkerWarStore } from '../../src/game/bunkerwar/store.svelte';
import { api, ServerUnreachable } from '../../src/lib/api';
import { Board, BUNKER } from '../../src/lib/bunkerwar/rules';
import { SignatureRejected } from '../../src/lib/chain/errors';
import { FakeEventSource } from '../eventSource';
import { GUEST, HOST, OUTSIDER, summary } from '../summaries';
import { be, GameServer, numbered, settle } from './server';

const client = vi.hoisted(() => ({
  build: vi.fn(),
  sendMissile: vi.fn(),
  ownBoard: vi.fn(),
  tend: vi.fn(),
  game: vi.fn(),
  settleDrawIfDue: vi.fn(),
  join: vi.fn(),
  offerDraw: vi.fn(),
}));
vi.mock('../../src/lib/clients', () => ({ clientOf: async () => client }));

const word = (value: number) => value.toString(16).padStart(64, '0');
const OPENED = ['GameOpened', { parameters: `0x${word(2)}${word(2)}${word(0)}` }] as const;
const START = numbered([
  OPENED,
  ['SeatTaken', { seat: 1, player: GUEST, target: 3 }],
  ['FirstSeatDrawn', { seat: 0 }],
]);
const SIZE = { parameters: { lanes: 2, depth: 2, stacked: false } };
const built = (seat: number, lane: number, depth: number) =>
  ['BuildingPlaced', { seat, lane, depth }] as const;

let server: GameServer;
let store: BunkerWarStore;
let stop = () => {};

async function sit(address: typeof HOST | null, changes = {}, events = START) {
  be(address);
  server = new GameServer(summary(5, { ...SIZE, updatedBlock: 1, ...changes }), events);
  await server.install();
  store = new BunkerWarStore(5);
  stop = $effect.root(() => store.watch());
  await settle();
  FakeEventSource.last.opens();
  await settle();
}

beforeEach(() => {
  vi.useFakeTimers();
  for (const each of Object.values(client)) each.mockReset().mockResolvedValue(undefined);
});
afterEach(() => {
  stop();
  be(null);
  vi.unstubAllGlobals();
});

test('the host on turn, the guest not, an outsider at no seat', async () => {
  await sit(HOST);
  expect([store.seat, store.myTurn, store.state?.turn]).toEqual([0, true, 0]);
  stop();
  await sit(GUEST);
  expect([store.seat, store.myTurn]).toEqual([1, false]);
  stop();
  await sit(OUTSIDER);
  expect([store.seat, store.myTurn]).toEqual([null, false]);
});

test('a summary waits for the events that led to it', async () => {
  await sit(GUEST);
  const news = numbered([built(0, 0, 0)], 3);
  server.summary = summary(5, { ...SIZE, onTurn: 1, updatedBlock: 4, sequence: 4 });
  server.tellsSummary();
  await settle();
  expect([store.myTurn, store.state?.played]).toEqual([false, 0]);
  server.tellsEvents(news);
  await settle();
  expect([store.myTurn, store.state?.played]).toEqual([true, 1]);
  expect(store.state?.boards[0].at(0, 0)).toBe('?');
});

test('an answer that was made before the draw comes after the stream told of it', async () => {
  be(HOST);
  const drawing = {
    ...SIZE,
    phase: 'drawing',
    onTurn: null,
    updatedBlock: 2,
    sequence: 1,
  } as const;
  server = new GameServer(summary(5, drawing), START.slice(0, 2));
  await server.install();
  const late = { ...summary(5, drawing), events: START.slice(0, 2) };
  let answer = () => {};
  vi.spyOn(api, 'game').mockImplementation(
    () => new Promise((resolve) => (answer = () => resolve(late))),
  );
  store = new BunkerWarStore(5);
  stop = $effect.root(() => store.watch());
  await settle();
  FakeEventSource.last.opens();
  await settle();
  server.adds({ phase: 'playing', onTurn: 0 }, START.slice(2));
  await settle();
  expect(store.summary?.phase).toBe('playing');
  answer();
  await settle();
  expect([store.summary?.phase, store.events.length]).toEqual(['playing', 3]);
  expect([store.myTurn, store.state?.turn]).toEqual([true, 0]);
});

test('where the events of a summary never come, the game is asked for', async () => {
  await sit(GUEST);
  const news = numbered([built(0, 0, 0)], 3);
  server.events = [...START, ...news];
  server.summary = summary(5, { ...SIZE, onTurn: 1, updatedBlock: 4, sequence: 4 });
  server.tellsSummary();
  await settle(1_900);
  expect(store.myTurn).toBe(false);
  await settle(200);
  expect([store.myTurn, store.state?.played]).toEqual([true, 1]);
});

test('an answer that does not come is asked for again', async () => {
  await sit(GUEST);
  const news = numbered([built(0, 0, 0)], 3);
  vi.mocked(api.game).mockRejectedValueOnce(new ServerUnreachable('away'));
  server.events = [...START, ...news];
  server.summary = summary(5, { ...SIZE, onTurn: 1, updatedBlock: 4, sequence: 4 });
  FakeEventSource.last.says('reset', {});
  await settle(1_100);
  expect([store.myTurn, store.state?.played, store.trouble]).toEqual([true, 1, null]);
});

test('what is told twice counts once; after a reset all is fetched anew', async () => {
  await sit(null);
  const news = numbered([built(0, 0, 0)], 3);
  server.adds({ onTurn: 1 }, news);
  server.tellsEvents(news);
  await settle();
  expect(store.events).toHaveLength(4);
  server.events = START;
  server.summary = summary(5, { ...SIZE, updatedBlock: 1 });
  FakeEventSource.last.says('reset', {});
  await settle();
  expect([store.events.length, store.state?.played]).toEqual([3, 0]);
});

test('events that contradict the rules are not shown', async () => {
  await sit(null, {}, [...START, ...numbered([built(1, 0, 0)], 3)]);
  expect(store.reading.contradiction).toMatch(/not on turn/);
  expect(store.state).toBeNull();
});

test('a game that the server does not know yet is asked for again, then given up', async () => {
  await sit(HOST);
  stop();
  server.summary = null;
  store = new BunkerWarStore(6);
  stop = $effect.root(() => store.watch());
  await settle(600);
  expect(store.missing).toBe(false);
  await settle(10_000);
  expect(store.missing).toBe(true);
});

test('a build shows at once, its steps are told, and the player knows it from then on', async () => {
  await sit(HOST);
  let finish = () => {};
  client.build.mockImplementation(async (_id, _lane, _depth, _bunker, onStep) => {
    onStep('encrypting');
    await new Promise<void>((resolve) => (finish = resolve));
  });
  const done = store.build(1, 0, true);
  await settle();
  expect(store.pending).toEqual({ lane: 1, depth: 0, cell: BUNKER });
  expect(store.step).toBe('encrypting');
  finish();
  await settle(300);
  expect(store.pending).not.toBeNull(); // the index does not know it yet
  server.adds({ onTurn: 1 }, numbered([built(0, 1, 0)], 3));
  await settle(300);
  expect(await done).toBe(true);
  expect([store.pending, store.step]).toEqual([null, null]);
  expect(store.state?.boards[0].at(1, 0)).toBe(BUNKER);
  expect(store.score).toBe(0);
  expect(client.ownBoard).not.toHaveBeenCalled();
});

test('a failed build says why and takes the building away', async () => {
  await sit(HOST);
  client.build.mockRejectedValue(new SignatureRejected());
  expect(await store.build(0, 0, false)).toBe(false);
  expect([store.pending, store.step, store.trouble?.key]).toEqual([null, null, 'error.rejected']);
});

test('own buildings are decrypted after a reload, the other’s stay hidden', async () => {
  client.ownBoard.mockResolvedValue(Board.parse('b./..'));
  const events = [...START, ...numbered([built(0, 0, 0), built(1, 1, 1)], 3)];
  await sit(HOST, {}, events);
  await settle(1);
  expect(client.ownBoard).toHaveBeenCalledWith(5);
  expect(String(store.state)).toBe('b./.. ../.? 0 2 01 -');
});

test('another player knows nothing of it', async () => {
  client.ownBoard.mockResolvedValue(Board.parse('b./..'));
  await sit(HOST, {}, [...START, ...numbered([built(0, 0, 0)], 3)]);
  await settle(1);
  expect(store.state?.boards[0].at(0, 0)).toBe(BUNKER);
  be(OUTSIDER);
  await settle(1);
  expect(store.state?.boards[0].at(0, 0)).toBe('?');
});

test('a missile is resolved from here only if nobody else has for a while', async () => {
  const sent = numbered([['MissileSent', { seat: 0, lane: 0, stop: '0xab' }]], 5);
  const before = numbered([built(0, 0, 0), built(1, 0, 0)], 3);
  client.ownBoard.mockResolvedValue(Board.parse('h./..'));
  await sit(HOST, { phase: 'waiting' }, [...START, ...before, ...sent]);
  await settle(11_000);
  expect(client.tend).not.toHaveBeenCalled();
  await settle(1_100);
  expect(client.tend).toHaveBeenCalledExactlyOnceWith(5);
});

test('the draw likewise; a spectator settles nothing', async () => {
  const drawing = { phase: 'drawing', onTurn: null, mark: 50 } as const;
  await sit(GUEST, drawing, START.slice(0, 2));
  await settle(5_100);
  expect(client.settleDrawIfDue).toHaveBeenCalledTimes(1);
  stop();
  client.settleDrawIfDue.mockReset();
  await sit(OUTSIDER, drawing, START.slice(0, 2));
  await settle(20_000);
  expect(client.settleDrawIfDue).not.toHaveBeenCalled();
});

test('the table’s actions reach the client, one at a time', async () => {
  await sit(HOST);
  const first = store.perform('offerDraw');
  expect(await store.perform('resign')).toBe(false);
  server.adds({ consents: [0] }, numbered([['DrawOffered', { seat: 0, moveNumber: 1 }]], 3));
  await settle(300);
  expect(await first).toBe(true);
  expect(client.offerDraw).toHaveBeenCalledExactlyOnceWith(5);
  expect(store.options).not.toContain('offerDraw');
});
