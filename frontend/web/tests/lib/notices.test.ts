import { beforeEach, expect, test, vi } from 'vitest';
import { ServerUnreachable } from '../../src/lib/api';
import { InsufficientFunds } from '../../src/lib/chain/errors';
import { notices } from '../../src/lib/notices.svelte';

const texts = () => notices.all.map(({ text }) => text);

beforeEach(() => {
  vi.useFakeTimers();
  for (const notice of notices.all) notices.close(notice.id);
});

test('a message goes by itself, an error stays until it is closed', () => {
  notices.say('copied');
  const error = notices.say('failed', { tone: 'error' });
  vi.advanceTimersByTime(60_000);
  expect(texts()).toEqual(['failed']);
  notices.close(error);
  expect(texts()).toEqual([]);
});

test('what is said again is shown once', () => {
  notices.say('failed', { tone: 'error' });
  notices.say('failed', { tone: 'error' });
  expect(texts()).toEqual(['failed']);
});

test('an error says what to do', () => {
  notices.error(new InsufficientFunds());
  notices.error(new ServerUnreachable('/config'));
  expect(texts()[0]).toMatch(/^Not enough ether/);
  expect(texts()[1]).toMatch(/^The server does not answer/);
});

test('a fault of the page is told to its developers too', () => {
  const told = vi.spyOn(console, 'error').mockReturnValue();
  const fault = new TypeError('x is not a function');
  notices.error(fault);
  expect(told).toHaveBeenCalledExactlyOnceWith(fault);
  expect(texts()[0]).toMatch(/^Something went wrong/);
});
