import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Follower, Live, type Topic } from '../../src/lib/live.svelte';
import { FakeEventSource } from '../eventSource';
import { GUEST, OUTSIDER, summary } from '../summaries';

let live: Live;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', FakeEventSource);
  FakeEventSource.all = [];
  live = new Live();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function follower() {
  return { refresh: vi.fn(), game: vi.fn(), events: vi.fn() } satisfies Follower;
}

function follow(...topics: Topic[]) {
  const told = follower();
  const stop = live.follow(topics, told);
  vi.advanceTimersByTime(0);
  return { ...told, stop };
}

test('all topics share one connection', () => {
  live.follow(['lobby'], follower());
  live.follow(['lobby', 'game:bunkerwar:1'], follower());
  vi.advanceTimersByTime(0);
  expect(FakeEventSource.all.map((source) => source.topics)).toEqual([
    ['game:bunkerwar:1', 'lobby'],
  ]);
});

test('a new topic opens a new connection, the last one gone closes it', () => {
  const first = follow('lobby');
  const second = follow('game:battleship:2');
  expect(FakeEventSource.all).toHaveLength(2);
  expect(FakeEventSource.all[0]?.readyState).toBe(FakeEventSource.CLOSED);
  first.stop();
  second.stop();
  vi.advanceTimersByTime(0);
  expect([live.state, FakeEventSource.last.readyState]).toEqual(['idle', FakeEventSource.CLOSED]);
});

test('everybody fetches anew on connection and reset, not when the browser resumes', () => {
  const { refresh } = follow('lobby');
  expect(refresh).not.toHaveBeenCalled();
  FakeEventSource.last.opens();
  expect([live.state, refresh.mock.calls.length]).toEqual(['open', 1]);
  FakeEventSource.last.breaks(false);
  expect(live.state).toBe('lost');
  FakeEventSource.last.opens();
  expect([live.state, refresh.mock.calls.length]).toEqual(['open', 1]);
  FakeEventSource.last.says('reset', {});
  expect(refresh).toHaveBeenCalledTimes(2);
});

test('nothing is fetched before the stream has begun: what changed until then would be missed', () => {
  const { refresh } = follow('lobby');
  FakeEventSource.last.connects();
  expect([live.state, refresh.mock.calls.length]).toEqual(['open', 0]);
  FakeEventSource.last.says('block', { number: 5, timestamp: 99 });
  FakeEventSource.last.says('block', { number: 6, timestamp: 100 });
  expect(refresh).toHaveBeenCalledTimes(1);
});

test('what changes reaches those whom it concerns', () => {
  const lobby = follow('lobby');
  const guest = follow(`player:${GUEST}`);
  const outsider = follow(`player:${OUTSIDER}`);
  const page = follow('game:bunkerwar:1');
  FakeEventSource.last.opens();

  const game = summary(1);
  FakeEventSource.last.says('game', game);
  for (const each of [lobby, guest, page]) expect(each.game).toHaveBeenCalledExactlyOnceWith(game);
  expect(outsider.game).not.toHaveBeenCalled();

  FakeEventSource.last.says('game', summary(2));
  expect(page.game).toHaveBeenCalledTimes(1);
  FakeEventSource.last.says('events', { kind: 'bunkerwar', id: 1, events: [] });
  expect(page.events).toHaveBeenCalledTimes(1);
  expect(lobby.events).not.toHaveBeenCalled();
});

test('the newest block is known', () => {
  follow('lobby');
  FakeEventSource.last.says('block', { number: 5, timestamp: 99 });
  expect(live.block).toEqual({ number: 5, timestamp: 99 });
});

test('a connection that the browser gives up is tried again, ever less often', () => {
  const { refresh } = follow('lobby');
  const waits = Array.from({ length: 6 }, () => {
    const before = FakeEventSource.all.length;
    FakeEventSource.last.breaks(true);
    let waited = 0;
    for (; FakeEventSource.all.length === before; waited += 50) vi.advanceTimersByTime(50);
    return waited;
  });
  expect(waits[0]).toBeLessThanOrEqual(1_300);
  expect(waits[5]).toBeGreaterThanOrEqual(14_000);
  expect(Math.max(...waits)).toBeLessThanOrEqual(25_050);

  FakeEventSource.last.opens();
  expect(refresh).toHaveBeenCalledTimes(1);
  FakeEventSource.last.breaks(true);
  vi.advanceTimersByTime(1_300);
  expect(FakeEventSource.all).toHaveLength(8);
});

test('it is tried at once on request, and only where it is lost', () => {
  follow('lobby');
  FakeEventSource.last.opens();
  live.retry();
  expect(FakeEventSource.all).toHaveLength(1);
  FakeEventSource.last.breaks(true);
  live.retry();
  expect(FakeEventSource.all).toHaveLength(2);
});
