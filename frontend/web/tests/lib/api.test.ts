import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError, api, ServerForeign, ServerUnreachable, unlistText } from '../../src/lib/api';
import { HOST, summary } from '../summaries';

const fetch = vi.fn();
beforeEach(() => vi.stubGlobal('fetch', fetch.mockReset()));
afterEach(() => vi.unstubAllGlobals());

function answers(status: number, body: unknown): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  fetch.mockResolvedValue(new Response(text, { status }));
}

test('only what is given is asked for', async () => {
  const page = { sequence: 3, games: [], next: null };
  answers(200, page);
  expect(await api.games({ kind: 'battleship', status: 'open', before: 'a b' })).toEqual(page);
  expect(fetch.mock.calls[0]?.[0]).toBe('/api/games?kind=battleship&status=open&before=a+b');
  answers(200, page);
  await api.games();
  expect(fetch.mock.calls[1]?.[0]).toBe('/api/games');
});

test('what is posted is JSON', async () => {
  answers(202, {});
  await api.inviteBot('bunkerwar', 12);
  const [path, init] = fetch.mock.calls[0] ?? [];
  expect([path, init.method, init.body]).toEqual(['/api/bots/bunkerwar', 'POST', '{"id":12}']);
  expect(init.headers['Content-Type']).toBe('application/json');
});

test('a refusal has the reason that the server gives', async () => {
  answers(404, { error: { code: 'not_found', message: 'there is no bunkerwar game 9' } });
  const error = await api.game('bunkerwar', 9).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  expect([error.status, error.code]).toEqual([404, 'not_found']);
  expect(error.message).toBe('there is no bunkerwar game 9');
});

test('no answer, or that of a proxy alone, is a server out of reach', async () => {
  fetch.mockRejectedValue(new TypeError('Failed to fetch'));
  await expect(api.config()).rejects.toBeInstanceOf(ServerUnreachable);
  answers(502, '<html>Bad Gateway</html>');
  await expect(api.config()).rejects.toBeInstanceOf(ServerUnreachable);
});

test('an error that the server does not explain is one still', async () => {
  answers(500, 'Internal Server Error');
  await expect(api.config()).rejects.toMatchObject({ status: 500, code: 'unknown' });
});

test('a game comes as the server tells of it, without what this page does not know', async () => {
  const game = { ...summary(7), events: [] };
  answers(200, { ...game, later: true });
  expect(await api.game('bunkerwar', 7)).toEqual(game);
});

const ODD = [null, 7, 'text', [], {}, { __proto__: null, games: 7 }];
const asks = [
  () => api.config(),
  () => api.games(),
  () => api.game('bunkerwar', 1),
  () => api.player(HOST),
  () => api.leaderboard('bunkerwar'),
  () => api.verify('{}'),
];
test.each(asks)('something else than what was asked for is told as such (%s)', async (ask) => {
  for (const body of ODD) {
    answers(200, body);
    await expect(ask()).rejects.toBeInstanceOf(ServerForeign);
  }
});

test('no field of a game has another type than it claims', async () => {
  const game = { ...summary(7), events: [] };
  for (const field of Object.keys(game)) {
    for (const value of [undefined, 'odd', -1, 1.5, { a: 1 }, [{}]]) {
      answers(200, { ...game, [field]: value });
      await expect(api.game('bunkerwar', 7), `${field} ${value}`).rejects.toBeInstanceOf(
        ServerForeign,
      );
    }
  }
});

test('the text that takes a game out of the lobby', () => {
  const contract = '0x00000000000000000000000000000000000000AA';
  expect(unlistText('battleship', 7, contract)).toBe(
    `Fogbound: keep battleship game 7 at ${contract} unlisted`,
  );
});
