/** Many tabs of one browser, one connection. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Follower, Live, type Topic } from '../../../src/lib/live.svelte';
import { HUB_PATIENCE, LEASE, MOST_TOPICS, RENEWAL } from '../../../src/lib/stream/protocol';
import { FakeEventSource } from '../../eventSource';
import { summary } from '../../summaries';
import { FakeChannel, FakeLocks } from './browser';

interface Tab {
  readonly live: Live;
  readonly told: Follower & { refresh: ReturnType<typeof vi.fn>; game: ReturnType<typeof vi.fn> };
  readonly stop: () => void;
}

let locks: FakeLocks;

beforeEach(() => {
  vi.useFakeTimers();
  locks = new FakeLocks();
  FakeChannel.all.clear();
  FakeEventSource.all = [];
  vi.stubGlobal('EventSource', FakeEventSource);
  vi.stubGlobal('BroadcastChannel', FakeChannel);
  vi.stubGlobal('navigator', { locks });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const settle = (milliseconds = 0) => vi.advanceTimersByTimeAsync(milliseconds);

async function open(...topics: Topic[]): Promise<Tab> {
  const live = new Live();
  const told = { refresh: vi.fn(), reset: vi.fn(), game: vi.fn(), events: vi.fn() };
  const stop = live.follow(topics, told);
  await settle();
  return { live, told, stop };
}

async function block(id: number): Promise<void> {
  const source = FakeEventSource.last;
  source.connects();
  source.says('block', { number: id, timestamp: id }, String(id));
  await settle();
}

const connections = () => FakeEventSource.all.filter((each) => each.readyState !== 2);

test('ten tabs have one connection, and each hears what it follows', async () => {
  const tabs = await Promise.all(
    Array.from({ length: 10 }, (_, at) => open(`game:bunkerwar:${at + 1}`)),
  );
  await settle();
  expect(connections()).toHaveLength(1);
  await block(7);
  expect(FakeEventSource.last.topics).toHaveLength(10);
  for (const { told, live } of tabs) {
    expect(told.refresh).toHaveBeenCalledTimes(1);
    expect(live.state).toBe('open');
  }
  FakeEventSource.last.says('game', summary(3));
  await settle();
  expect(tabs.map(({ told }) => told.game.mock.calls.length)).toEqual([
    0, 0, 1, 0, 0, 0, 0, 0, 0, 0,
  ]);
});

test('a new topic goes on where the stream ended: nobody else fetches anew', async () => {
  const first = await open('lobby');
  await block(7);
  const second = await open('game:bunkerwar:1');
  expect(connections()).toHaveLength(1);
  expect(new URL(FakeEventSource.last.url, 'http://host').searchParams.get('since')).toBe('7');
  await block(9);
  expect(first.told.refresh).toHaveBeenCalledTimes(1);
  expect(second.told.refresh).toHaveBeenCalledTimes(1);
});

test('the leader is closed: another tab leads, and all fetch what they may have missed', async () => {
  const leader = await open('lobby');
  const other = await open('game:bunkerwar:2');
  await block(7);
  leader.live.suspend();
  await settle(1);
  expect(connections()).toHaveLength(1);
  await block(12);
  expect(FakeEventSource.last.topics).toEqual(['game:bunkerwar:2']);
  expect(other.told.refresh).toHaveBeenCalledTimes(2);
  leader.live.resume();
  await settle(1);
  expect(FakeEventSource.last.topics).toEqual(['game:bunkerwar:2', 'lobby']);
  await block(13);
  expect(leader.told.refresh).toHaveBeenCalledTimes(2);
  expect(other.told.refresh).toHaveBeenCalledTimes(2);
});

test('the leader has crashed', async () => {
  await open('lobby');
  const other = await open('game:bunkerwar:2');
  await block(7);
  FakeEventSource.last.close();
  locks.crash();
  await settle(1);
  await block(12);
  expect(other.told.refresh).toHaveBeenCalledTimes(2);
  FakeEventSource.last.says('game', summary(2));
  await settle();
  expect(other.told.game).toHaveBeenCalledTimes(1);
});

test('the leader is frozen and keeps its lock: the lock is taken, and it waits when it is back', async () => {
  await open('lobby');
  const other = await open('game:bunkerwar:2');
  await block(7);
  const [, hub] = [...FakeChannel.all]; // the first tab's own channel, then that of its hub
  if (!hub) throw new Error('no hub');
  const { onmessage } = hub;
  hub.onmessage = null;
  await settle(RENEWAL + HUB_PATIENCE + 10);
  await block(12);
  expect(other.told.refresh).toHaveBeenCalledTimes(2);
  hub.onmessage = onmessage;
  await settle(RENEWAL);
  expect(connections()).toHaveLength(1);
});

test('a tab that has gone without a word is forgotten', async () => {
  const first = await open('lobby');
  const gone = await open('game:bunkerwar:2');
  await block(7);
  [...FakeChannel.all].at(-1)?.close(); // so that it cannot say that it goes
  gone.live.suspend();
  await settle(LEASE + 2 * RENEWAL);
  const third = await open('game:bunkerwar:3');
  expect(FakeEventSource.last.topics).toEqual(['game:bunkerwar:3', 'lobby']);
  first.stop();
  third.stop();
  await settle();
  expect(connections()).toHaveLength(0);
});

test('more topics than a connection may have: the lobby tells of every game', async () => {
  const tabs = await Promise.all(
    Array.from({ length: MOST_TOPICS + 5 }, (_, at) => open(`game:bunkerwar:${at + 1}`)),
  );
  await settle();
  await block(7);
  expect(FakeEventSource.last.topics).toHaveLength(MOST_TOPICS);
  expect(FakeEventSource.last.topics).toContain('lobby');
  for (const { told } of tabs) expect(told.refresh).toHaveBeenCalledTimes(1);
});

test('a gap in the numbers is noticed', async () => {
  const { told, live } = await open('lobby');
  await block(7);
  const [own] = [...FakeChannel.all];
  const silent = own?.onmessage ?? null;
  if (own) own.onmessage = null;
  await block(8);
  if (own) own.onmessage = silent;
  await block(9);
  expect(told.refresh).toHaveBeenCalledTimes(2);
  expect(live.block?.number).toBe(9);
});

test('a server that counts anew is one of which nothing is known', async () => {
  const { told } = await open('lobby');
  await block(70);
  FakeEventSource.last.breaks(true);
  await settle(2_000);
  await block(3);
  expect(told.reset).toHaveBeenCalledTimes(1);
});
