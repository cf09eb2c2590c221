import { beforeEach, expect, type MockInstance, test, vi } from 'vitest';
import { api } from '../../src/lib/api';
import { Feed, fits, merged, onTurn } from '../../src/lib/feed.svelte';
import { GUEST, HOST, OUTSIDER, summary } from '../summaries';

let games: MockInstance<typeof api.games>;
beforeEach(() => {
  games = vi.spyOn(api, 'games');
});

test('which list a game belongs to', () => {
  const open = summary(1, { phase: 'open', players: [HOST, null] });
  expect(fits({ status: 'open' }, open)).toBe(true);
  expect(fits({ status: 'live' }, open)).toBe(false);
  expect(fits({ kind: 'battleship' }, open)).toBe(false);
  expect(fits({ player: GUEST }, open)).toBe(false);
  expect(fits({ invited: GUEST }, open)).toBe(false);
  for (const phase of ['drawing', 'playing', 'waiting', 'proving'] as const)
    expect(fits({ status: 'live' }, summary(1, { phase }))).toBe(true);
  for (const phase of ['ended', 'cancelled'] as const)
    expect(fits({ status: 'finished' }, summary(1, { phase }))).toBe(true);
});

test('an unlisted open game is for its players and who is invited', () => {
  const hidden = summary(1, { phase: 'open', players: [HOST, null], listed: false });
  expect(fits({ status: 'open' }, hidden)).toBe(false);
  expect(fits({ status: 'open', player: HOST }, hidden)).toBe(true);
  expect(fits({ invited: GUEST }, { ...hidden, invited: GUEST })).toBe(true);
  expect(fits({}, { ...hidden, phase: 'playing' })).toBe(true);
});

test('a changed game stays where it is, a new one is first, one that no longer fits goes', () => {
  const list = [summary(3), summary(2)];
  const filter = { status: 'live' } as const;
  const ids = (next: ReturnType<typeof merged>) => next.map(({ id }) => id);
  expect(ids(merged(list, summary(2, { moveNumber: 9 }), filter))).toEqual([3, 2]);
  expect(merged(list, summary(2, { moveNumber: 9 }), filter)[1]?.moveNumber).toBe(9);
  expect(ids(merged(list, summary(4), filter))).toEqual([4, 3, 2]);
  expect(ids(merged(list, summary(3, { phase: 'ended' }), filter))).toEqual([2]);
  expect(merged(list, summary(5, { phase: 'ended' }), filter)).toBe(list);
  expect(ids(merged(list, { ...summary(2), kind: 'battleship' } as never, filter))).toHaveLength(3);
});

test('older games are asked for from where the list ends, each shown once', async () => {
  games.mockResolvedValueOnce({ games: [summary(5), summary(4)], next: 'c' });
  const feed = new Feed({ status: 'live' }, 'lobby');
  await feed.refresh();
  expect([feed.state, feed.more]).toEqual(['ready', true]);
  games.mockResolvedValueOnce({ games: [summary(4), summary(3)], next: null });
  await feed.loadMore();
  expect(games).toHaveBeenLastCalledWith({ status: 'live', before: 'c' });
  expect(feed.games.map(({ id }) => id)).toEqual([5, 4, 3]);
  expect(feed.more).toBe(false);
});

test('a list that could not be loaded says so, one that was there stays', async () => {
  games.mockRejectedValueOnce(new Error('away'));
  const feed = new Feed({}, 'lobby');
  await feed.refresh();
  expect(feed.state).toBe('failed');
  games.mockResolvedValueOnce({ games: [summary(1)], next: null });
  await feed.refresh();
  games.mockRejectedValueOnce(new Error('away'));
  await feed.refresh();
  expect([feed.state, feed.games.length]).toEqual(['ready', 1]);
});

test('whose turn it is', () => {
  expect(onTurn(summary(1), HOST)).toBe(true);
  expect(onTurn(summary(1), GUEST)).toBe(false);
  expect(onTurn(summary(1), OUTSIDER)).toBe(false);
  expect(onTurn(summary(1, { phase: 'waiting' }), HOST)).toBe(false);
});
