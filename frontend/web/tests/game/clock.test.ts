import { expect, test } from 'vitest';
import { clockText } from '../../src/game/clock';

test.each([
  [5, '0:05'],
  [3_547, '59:07'],
  [3_723, '1:02:03'],
])('%d s read %s', (seconds, text) => {
  expect(clockText(seconds)).toBe(text);
});
