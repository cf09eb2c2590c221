import { expect, test } from 'vitest';
import { fate, headline, pot, reason } from '../../src/game/ending';
import { summary } from '../summaries';

test('won, lost and even, for players and for who watched', () => {
  const won = summary(1, { phase: 'ended', outcome: 'resigned', winners: [1] });
  expect([headline(won, 1), headline(won, 0), headline(won, null)]).toEqual([
    'game.result.won',
    'game.result.lost',
    'game.result.decided',
  ]);
  expect([fate(won, 1), fate(won, 0)]).toEqual(['won', 'lost']);
  expect(reason(won)).toBe('game.reason.resigned');
});

test.each(['drawn', 'null', 'voided'] as const)('%s has no winner', (outcome) => {
  const even = summary(1, { phase: 'ended', outcome });
  expect(headline(even, 0)).toBe(`game.result.${outcome}`);
  expect(fate(even, 0)).toBe('even');
});

test('a cancelled game', () => {
  const cancelled = summary(1, { phase: 'cancelled', players: [null, null] });
  expect(headline(cancelled, null)).toBe('game.result.cancelled');
  expect(reason(cancelled)).toBeNull();
});

test('the pot is every seat’s stake', () => {
  expect(pot(summary(1, { stake: '1000000000000000001' }))).toBe(2_000_000_000_000_000_002n);
});
