import { expect, test } from 'vitest';
import { stepped } from '../../src/board/roving';

const SHAPE = { rows: 3, columns: 4 };
const none = { ctrlKey: false, altKey: false, metaKey: false };
const go = (key: string, from: number, held = {}) =>
  stepped({ key, ...none, ...held }, from, SHAPE);

test.each([
  ['ArrowLeft', 5, 4],
  ['ArrowRight', 5, 6],
  ['ArrowUp', 5, 1],
  ['ArrowDown', 5, 9],
  ['Home', 6, 4],
  ['End', 4, 7],
  ['PageUp', 10, 2],
  ['PageDown', 1, 9],
])('%s from %d leads to %d', (key, from, to) => {
  expect(go(key, from)).toBe(to);
});

test.each([
  ['ArrowLeft', 4],
  ['ArrowRight', 7],
  ['ArrowUp', 2],
  ['ArrowDown', 9],
])('%s at the edge (%d) stays', (key, at) => {
  expect(go(key, at)).toBe(at);
});

test('Ctrl+Home and Ctrl+End lead to the corners', () => {
  expect(go('Home', 6, { ctrlKey: true })).toBe(0);
  expect(go('End', 6, { ctrlKey: true })).toBe(11);
});

test.each([
  ['h', {}],
  ['Enter', {}],
  ['ArrowLeft', { altKey: true }],
  ['ArrowLeft', { metaKey: true }],
  ['ArrowLeft', { ctrlKey: true }],
])('%s with %o moves nothing on the board', (key, held) => {
  expect(go(key, 5, held)).toBeNull();
});
