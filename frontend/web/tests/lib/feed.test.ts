import { beforeEach, expect, type MockInstance, test, vi } from 'vitest';
import { api } from '../../src/lib/api';
import { Feed, fits, onTurn } from '../../src/lib/feed.svelte';
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

test('older games are asked for from where the list ends, each shown once', async () => {
  games.mockResolvedValueOnce({ sequence: 0, games: [summary(5), summary(4)], next: 'c' });
  const feed = new Feed({ status: 'live' }, 'lobby');
  await feed.refresh();
  expect([feed.state, feed.more]).toEqual(['ready', true]);
  games.mockResolvedValueOnce({ sequence: 0, games: [summary(4), summary(3)], next: null });
  await feed.loadMore();
  expect(games).toHaveBeenLastCalledWith({ status: 'live', before: 'c' });
  expect(feed.games.map(({ id }) => id)).toEqual([5, 4, 3]);
  expect(feed.more).toBe(false);
});

/** A server with so many games, 2 a page; `sequence` is that of its answers. */
class Server {
  sequence = 0;
  answering = () => Promise.resolve();

  constructor(readonly ids: number[]) {
    games.mockImplementation(async ({ before } = {}) => {
      const from = before ? Number(before.split(' ')[0]) : 0;
      await this.answering();
      const page = this.ids.slice(from, from + 2).map((id) => summary(id));
      const next = from + 2 < this.ids.length ? `${from + 2} as of ${this.sequence}` : null;
      return { sequence: this.sequence, games: page, next };
    });
  }
}

const ids = (feed: Feed) => feed.games.map(({ id }) => id);

test('a page that is asked for while the list comes anew is not lost', async () => {
  const server = new Server([9, 8, 7, 6, 5, 4]);
  const feed = new Feed({}, 'lobby');
  await feed.refresh();
  await feed.loadMore();
  expect(ids(feed)).toEqual([9, 8, 7, 6]);
  let answered = () => {};
  server.answering = () => new Promise((resolve) => (answered = resolve));
  const more = feed.loadMore();
  const lateAnswer = answered;
  server.answering = () => Promise.resolve();
  server.sequence = 1;
  await feed.refresh(); // as whenever the stream begins anew
  lateAnswer();
  await more;
  expect(ids(feed)).toEqual([9, 8, 7, 6, 5, 4]);
  expect(feed.more).toBe(false);
});

test('a list that comes anew stays as long as it was read, and is never shorter meanwhile', async () => {
  const server = new Server([9, 8, 7, 6, 5, 4, 3]);
  const feed = new Feed({}, 'lobby');
  await feed.refresh();
  await feed.loadMore();
  await feed.loadMore();
  const shown = vi.fn();
  server.answering = async () => shown(feed.games.length);
  server.sequence = 1;
  server.ids.unshift(10);
  await feed.refresh();
  await vi.waitFor(() => expect(ids(feed)).toEqual([10, 9, 8, 7, 6, 5]));
  expect(shown.mock.calls).toEqual([[6], [6], [6]]);
  expect(feed.more).toBe(true);
});

test('a page that is older than the list is asked for again, not for ever', async () => {
  const server = new Server([9, 8, 7, 6]);
  server.sequence = 5;
  const feed = new Feed({}, 'lobby');
  await feed.refresh();
  server.sequence = 4;
  await feed.loadMore();
  expect([ids(feed), feed.more]).toEqual([[9, 8], true]);
  expect(games.mock.calls.length).toBeLessThan(10);
  server.sequence = 6;
  await feed.loadMore();
  expect(ids(feed)).toEqual([9, 8, 7, 6]);
});

test('a page that does not come is an error, and can be asked for again', async () => {
  const server = new Server([9, 8, 7]);
  const feed = new Feed({}, 'lobby');
  await feed.refresh();
  server.answering = () => Promise.reject(new Error('away'));
  await expect(feed.loadMore()).rejects.toThrow('away');
  expect([ids(feed), feed.more]).toEqual([[9, 8], true]);
  server.answering = () => Promise.resolve();
  await feed.loadMore();
  expect(ids(feed)).toEqual([9, 8, 7]);
});

test('a list that could not be loaded says so, one that was there stays', async () => {
  games.mockRejectedValueOnce(new Error('away'));
  const feed = new Feed({}, 'lobby');
  await feed.refresh();
  expect(feed.state).toBe('failed');
  games.mockResolvedValueOnce({ sequence: 0, games: [summary(1)], next: null });
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
