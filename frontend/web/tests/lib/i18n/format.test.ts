import { expect, test } from 'vitest';
import { dateTime, duration, ether, list, relativeTime, speak } from '../../../src/lib/i18n';

test.each([
  ['0', '0 ETH'],
  ['1980000000000000000', '1.98 ETH'],
  ['1999999999999999999', '1.999999 ETH'],
  ['1234567000000000000000', '1,234.567 ETH'],
  ['1', '< 0.000001 ETH'],
  ['1000000000000', '0.000001 ETH'],
])('%s wei', (wei, text) => {
  expect(ether(wei)).toBe(text);
  expect(ether(BigInt(wei))).toBe(text);
});

test.each([
  [0, 'now'],
  [-5, '5 seconds ago'],
  [-59, '59 seconds ago'],
  [-60, '1 minute ago'],
  [7_200, 'in 2 hours'],
  [-86_400, 'yesterday'],
])('%d seconds from now', (seconds, text) => {
  expect(relativeTime(1_000_000 + seconds, 1_000_000)).toBe(text);
});

test('times in Korean', async () => {
  await speak('ko');
  expect(relativeTime(940, 1_000)).toBe('1분 전');
  expect(duration(7_300)).toBe('2시간');
});

test('lengths of time, days and lists', () => {
  expect(duration(1)).toBe('1 second');
  expect(duration(0.4)).toBe('0 seconds');
  expect(duration(604_800)).toBe('7 days');
  expect(dateTime(1_700_000_000)).toContain('2023');
  expect(list(['a', 'b', 'c'])).toBe('a, b, and c');
});
