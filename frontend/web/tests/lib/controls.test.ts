import { expect, test } from 'vitest';
import { controlName, nearest, paceText } from '../../src/lib/controls';

const CONTROLS = [60, 300, 3_600, 86_400].map((move) => ({ move, keepAlives: 3 }));

test('controls are shown as people know them', () => {
  expect(CONTROLS.map(controlName)).toEqual(['Fast', 'Normal', 'Slow', 'Correspondence']);
  expect(CONTROLS.map(paceText)).toEqual([
    '1 minute a move',
    '5 minutes a move',
    '1 hour a move',
    '1 day a move',
  ]);
});

test('the nearest to what was chosen last, else to five minutes', () => {
  expect(nearest(CONTROLS)).toBe(1);
  expect(nearest(CONTROLS, 4_000)).toBe(2);
  expect(nearest([{ move: 30, keepAlives: 0 }], 86_400)).toBe(0);
});
