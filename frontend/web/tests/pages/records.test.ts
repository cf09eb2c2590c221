import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError, api, type Verdict } from '../../src/lib/api';
import { speak } from '../../src/lib/i18n';
import { notices } from '../../src/lib/notices.svelte';
import Records from '../../src/pages/records.svelte';
import { GameServer } from '../game/server';

const VALID: Verdict = { valid: true, reason: null, onChain: true };
let page: ReturnType<typeof mount>;

beforeEach(async () => {
  await new GameServer(null).install();
  page = mount(Records, { target: document.body });
  flushSync();
});
afterEach(async () => {
  await unmount(page);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const input = (selector: string) => document.querySelector(selector) as HTMLInputElement;
const verdict = () => document.querySelector('[data-testid=verdict]')?.textContent ?? '';

/** What the page says of a file, which the server would judge so. */
async function choose(text: string, judged: Verdict): Promise<string> {
  vi.spyOn(api, 'verify').mockResolvedValue(judged);
  const file = new File([text], 'game.json');
  Object.defineProperty(input('input[type=file]'), 'files', { value: [file], configurable: true });
  input('input[type=file]').dispatchEvent(new Event('change', { bubbles: true }));
  flushSync();
  await vi.waitFor(() => expect(verdict()).not.toBe(''));
  return verdict();
}

test('a refusal is told in the language of the page', async () => {
  const reason = { code: 'battleship.opening_false', parameters: { cell: '7' }, message: 'cell 7' };
  const refused = { valid: false, reason, onChain: null };
  expect(await choose('{}', refused)).toContain('The answer for cell 7');
  await speak('ko');
  flushSync();
  expect(verdict()).toContain('7번 칸의 대답이');
});

test('of a game of another chain the page does not say that it was played', async () => {
  expect(await choose('{}', VALID)).not.toContain('another chain');
  expect(await choose('{}', { ...VALID, onChain: null })).toContain('another chain');
});

test('what is no JSON is not sent', async () => {
  expect(await choose('<html>', VALID)).toContain('no JSON');
  expect(api.verify).not.toHaveBeenCalled();
});

test('a record that there is not is not downloaded', async () => {
  vi.spyOn(api, 'record').mockRejectedValue(new ApiError(404, 'unknown_game', 'no such game'));
  const say = vi.spyOn(notices, 'say');
  const get = () => document.querySelector('form button') as HTMLButtonElement;
  expect(get().disabled).toBe(true);
  input('#id').value = '77';
  input('#id').dispatchEvent(new Event('input'));
  flushSync();
  get().click();
  await vi.waitFor(() =>
    expect(say).toHaveBeenCalledWith('There is no such game', expect.anything()),
  );
  expect(api.record).toHaveBeenCalledWith('bunkerwar', 77);
});
