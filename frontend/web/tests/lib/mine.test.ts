import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { api, type Summary } from '../../src/lib/api';
import { mine } from '../../src/lib/mine.svelte';
import { location } from '../../src/lib/router.svelte';
import { settings } from '../../src/lib/settings.svelte';
import * as sound from '../../src/lib/sound';
import { FakeEventSource } from '../eventSource';
import { GUEST, HOST, summary } from '../summaries';

const shown = vi.fn();
class FakeNotification {
  static permission = 'granted';
  constructor(title: string, options: NotificationOptions) {
    shown(title, options.body);
  }
}

let stop: () => void;
let running: Summary[];
const challenge = summary(7, { phase: 'open', players: [GUEST, null], invited: HOST });

beforeEach(async () => {
  vi.stubGlobal('EventSource', FakeEventSource);
  vi.stubGlobal('Notification', FakeNotification);
  vi.spyOn(sound, 'play').mockReturnValue();
  vi.spyOn(api, 'games').mockImplementation(async ({ status, invited } = {}) => {
    const open = invited ? [challenge] : [summary(9, { phase: 'open', players: [HOST, null] })];
    return { sequence: 0, games: status === 'live' ? running : open, next: null };
  });
  shown.mockReset();
  location.go('/');
  running = [summary(1, { onTurn: 1 }), summary(2, { onTurn: 1 })];
  stop = mine.follow(HOST);
  await vi.waitFor(() => expect(mine.games).toHaveLength(4));
  mine.tell();
  await vi.waitFor(() => expect(FakeEventSource.last.topics).toEqual([`player:${HOST}`]));
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

let sequence = 0;
function changes(game: Summary): void {
  FakeEventSource.last.says('game', { ...game, sequence: ++sequence });
}

function turnComes(id: number, seat: 0 | 1 = 0): void {
  changes(summary(id, { onTurn: seat }));
  mine.tell();
}

test('what waits for the player comes first, what they have opened last', () => {
  expect(mine.onTurn).toHaveLength(0);
  turnComes(2);
  expect(mine.games.map(({ id }) => id)).toEqual([7, 2, 1, 9]);
  expect(mine.onTurn.map(({ id }) => id)).toEqual([2]);
});

test('a game that the player is invited to is there until they sit in it', () => {
  const ids = () => mine.games.map(({ id }) => id);
  changes({ ...challenge, id: 8 });
  expect(ids()).toEqual([8, 7, 1, 2, 9]);
  changes({ ...challenge, phase: 'cancelled' });
  changes(summary(8, { invited: null, players: [GUEST, HOST], phase: 'drawing', onTurn: null }));
  expect(ids()).toEqual([8, 1, 2, 9]);
});

test('a turn is told once, when it comes', () => {
  turnComes(1);
  mine.tell();
  expect(sound.play).toHaveBeenCalledExactlyOnceWith('turn');
  turnComes(1, 1);
  turnComes(1);
  expect(sound.play).toHaveBeenCalledTimes(2);
});

test('an invitation is told once, when it comes', () => {
  changes({ ...challenge, id: 8 });
  mine.tell();
  mine.tell();
  expect(sound.play).toHaveBeenCalledTimes(1);
});

test('what was so at the start is no news', () => {
  expect(mine.games).toContain(challenge);
  expect(sound.play).not.toHaveBeenCalled();
});

test('a notification is shown to who wants it and looks elsewhere', async () => {
  turnComes(1);
  expect(shown).not.toHaveBeenCalled();
  await settings.set('notifications', true);
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  turnComes(2);
  expect(shown).toHaveBeenLastCalledWith('Fogbound', 'Your turn in Bunker War Z, game 2');
  changes({ ...challenge, id: 8 });
  mine.tell();
  expect(shown).toHaveBeenLastCalledWith('Fogbound', 'You are invited to Bunker War Z, game 8');
  expect(shown).toHaveBeenCalledTimes(2);
  await settings.set('notifications', false);
});

test('nothing is left when the player leaves', () => {
  stop();
  expect(mine.games).toHaveLength(0);
});
