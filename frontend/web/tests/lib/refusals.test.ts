import { expect, test } from 'vitest';
import type { Refusal } from '../../src/lib/api';
import { LANGUAGES, type Language, speak } from '../../src/lib/i18n';
import { refusalText } from '../../src/lib/refusals';
import { vectors } from '../vectors';

const REASONS = Object.entries(vectors('record-reasons')) as [string, string[]][];

/** Each parameter filled in by a sign of its own. */
function refusal(code: string, names: readonly string[]): Refusal {
  const parameters = Object.fromEntries(names.map((name) => [name, `«${name}»`]));
  return { code, parameters, message: 'in English' };
}

test.each(Object.keys(LANGUAGES) as Language[])('every reason has a text in %s', async (spoken) => {
  await speak(spoken);
  const texts = REASONS.map(([code, names]) => refusalText(refusal(code, names)));
  expect(texts.length).toBeGreaterThan(60);
  expect(texts.filter((text) => text === 'in English' || /[{}]/.test(text))).toEqual([]);
});

test('what is told is filled in', async () => {
  const told = refusal('battleship.opening_false', ['cell']);
  expect(refusalText(told)).toContain('«cell»');
  await speak('ko');
  expect(refusalText(told)).toContain('«cell»번 칸');
});

test.each(['chess.illegal_castling', 'toString', ''])(
  'of an unknown code, %j, the English reason',
  (code) => {
    expect(refusalText(refusal(code, []))).toBe('in English');
  },
);
