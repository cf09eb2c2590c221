import { beforeEach, expect, test, vi } from 'vitest';

let time: typeof import('../../src/lib/time');
const NOW = 1_000_000_000;
const date = (seconds: number) => new Date(seconds * 1_000).toUTCString();

beforeEach(async () => {
  vi.resetModules();
  vi.useFakeTimers({ now: NOW * 1_000 + 400 });
  time = await import('../../src/lib/time');
});

/** An answer with that date, which took so many milliseconds to come. */
function answered(seconds: number, took = 0): void {
  time.learnTime(date(seconds), Date.now() - took, Date.now());
}

test('this machine’s clock, where nothing is known and where it agrees with the server', () => {
  expect(time.serverTime()).toBe(NOW);
  answered(NOW);
  expect(time.serverTime()).toBe(NOW);
});

test.each([-3_600, -30, 30, 86_400])(
  'a clock that is %d s behind the server’s is corrected',
  (behind) => {
    answered(NOW + behind);
    expect(Math.abs(time.serverTime() - NOW - behind)).toBeLessThanOrEqual(1);
    vi.advanceTimersByTime(10_000);
    expect(Math.abs(time.serverTime() - NOW - behind - 10)).toBeLessThanOrEqual(1);
  },
);

test('a slow answer proves nothing', () => {
  answered(NOW - 5, 10_000);
  expect(time.serverTime()).toBe(NOW);
});

test('a clock that was set is learnt anew', () => {
  answered(NOW);
  vi.setSystemTime((NOW + 5_000) * 1_000);
  answered(NOW + 1);
  expect(Math.abs(time.serverTime() - NOW - 1)).toBeLessThanOrEqual(1);
});

test.each([null, '', 'yesterday'])('no date (%s) changes nothing', (given) => {
  time.learnTime(given, 0, 0);
  expect(time.serverTime()).toBe(NOW);
});
