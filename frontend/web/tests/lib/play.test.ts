import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError, api, type Config, unlistText } from '../../src/lib/api';
import { app } from '../../src/lib/app.svelte';
import type { Player } from '../../src/lib/chain/player';
import { openGame, playBot } from '../../src/lib/play';
import { GUEST, HOST, OUTSIDER, summary } from '../summaries';

const opened = vi.hoisted(() => vi.fn());
vi.mock('../../src/lib/clients', () => ({ clientOf: async () => ({ open: opened }) }));

const signMessage = vi.fn();
const host = {
  address: HOST,
  sender: async () => ({ signMessage }),
} as unknown as Player;
const setup = { kind: 'bunkerwar', lanes: 2, depth: 2, stacked: false } as const;
const bot = { kind: 'bunkerwar', address: GUEST, name: 'random' } as const;
const known = (id: number) => ({ ...summary(id), events: [] });
const unknown = () => new ApiError(404, 'not_found', 'no such game');

beforeEach(async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 100 });
  opened.mockReset().mockResolvedValue(7);
  signMessage.mockReset().mockResolvedValue('0x51');
  const games = { bunkerwar: { contract: OUTSIDER } };
  vi.spyOn(api, 'config').mockResolvedValue({ games } as unknown as Config);
  await app.load();
});
afterEach(() => vi.useRealTimers());

test('a bot is called once the server knows the game', async () => {
  const game = vi.spyOn(api, 'game').mockRejectedValueOnce(unknown());
  game.mockResolvedValue(known(7));
  const invite = vi.spyOn(api, 'inviteBot').mockResolvedValue({});
  expect(await playBot(host, setup, bot, 1)).toBe(7);
  expect(opened).toHaveBeenCalledWith(setup, { control: 1, stake: 0n, opponent: GUEST });
  expect(game).toHaveBeenCalledTimes(2);
  expect(invite).toHaveBeenCalledExactlyOnceWith('bunkerwar', 7);
});

test('an unlisted game is taken out of the lobby by its creator’s word', async () => {
  vi.spyOn(api, 'game').mockResolvedValue(known(7));
  const unlist = vi.spyOn(api, 'unlist').mockResolvedValue({});
  expect(await openGame(host, setup, { control: 0, stake: 5n, unlisted: true })).toBe(7);
  expect(signMessage).toHaveBeenCalledExactlyOnceWith(unlistText('bunkerwar', 7, OUTSIDER));
  expect(unlist).toHaveBeenCalledExactlyOnceWith('bunkerwar', 7, '0x51');
});

test('a listed game asks for no signature', async () => {
  await openGame(host, setup, { control: 0, stake: 0n });
  expect(signMessage).not.toHaveBeenCalled();
});

test('what the server refuses is thrown', async () => {
  vi.spyOn(api, 'game').mockResolvedValue(known(7));
  vi.spyOn(api, 'inviteBot').mockRejectedValue(new ApiError(409, 'full', 'the game is full'));
  await expect(playBot(host, setup, bot, 1)).rejects.toMatchObject({ code: 'full' });
});
