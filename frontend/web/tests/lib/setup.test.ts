import { beforeEach, expect, test } from 'vitest';
import { keepChoices, lastChoices, parseStake, prize } from '../../src/lib/setup';

beforeEach(() => localStorage.clear());

test.each([
  ['', 0n],
  [' 0 ', 0n],
  ['1', 10n ** 18n],
  ['0.05', 5n * 10n ** 16n],
  ['0,05', 5n * 10n ** 16n],
  ['1.', 10n ** 18n],
  ['0.000000000000000001', 1n],
  ['0.0000000000000000001', null],
  ['-1', null],
  ['1e3', null],
  ['one', null],
  ['1.2.3', null],
])('a stake of "%s"', (text, wei) => {
  expect(parseStake(text)).toBe(wei);
});

test('the winner gets the pot less one per cent, rounded as the contract does', () => {
  expect(prize(10n ** 18n)).toBe(198n * 10n ** 16n);
  expect(prize(1n)).toBe(2n);
  expect(prize(50n)).toBe(99n);
  expect(prize(149n)).toBe(296n);
});

test('the last choices come back', () => {
  const choices = lastChoices();
  choices.bunkerwar = { lanes: 2, depth: 5, stacked: true };
  choices.battleship = { size: 10 };
  choices.pace = 3_600;
  keepChoices(choices);
  expect(lastChoices()).toEqual(choices);
});

test('choices that no contract takes are replaced', () => {
  const bunkerwar = { lanes: 9, depth: 1, stacked: true };
  keepChoices({ pace: -1, bunkerwar, battleship: { size: 7 } });
  expect(lastChoices()).toEqual({
    pace: 300,
    bunkerwar: { lanes: 4, depth: 4, stacked: false },
    battleship: { size: 8 },
  });
});
