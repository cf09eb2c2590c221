import { expect, test } from 'vitest';
import { blocksLeft, clockText, secondsLeft } from '../../src/game/clock';

const BLOCK = { number: 100, timestamp: 1_000 };

test('blocks are left until the deadline, never fewer than none', () => {
  expect(blocksLeft({ deadline: 340 }, BLOCK)).toBe(240);
  expect(blocksLeft({ deadline: 90 }, BLOCK)).toBe(0);
});

test.each([
  [10, 15, 1_000, 150],
  [10, 15, 1_004, 146],
  [10, 15, 1_900, 135], // the chain stands still: a block's time at most has gone
  [10, 15, 900, 150], // the chain's clock runs ahead
  [0, 15, 1_000, 0],
])('%d blocks of %d s, seen at %d, take %d s', (blocks, perBlock, now, seconds) => {
  expect(secondsLeft(blocks, BLOCK, perBlock, now)).toBe(seconds);
});

test.each([
  [5, '0:05'],
  [3_547, '59:07'],
  [3_723, '1:02:03'],
])('%d s read %s', (seconds, text) => {
  expect(clockText(seconds)).toBe(text);
});
