/** A Battleship shot, and its answer, in words. */
import type { Frame } from '../../lib/battleship/frames';
import { cellOf } from '../../lib/battleship/rules';
import { t } from '../../lib/i18n';
import { cellText } from './cells';

/** Null for what is neither. */
export function moveText({ attack, answer, game: { size } }: Frame): string | null {
  if (!attack) return null;
  const cell = cellText(size, cellOf(attack, size));
  if (!answer) return t('battleship.fired', { cell });
  if (!answer.hit) return t('battleship.missed', { cell });
  if (!answer.sunk) return t('battleship.hit', { cell });
  return t('battleship.sank', { cell, kind: t(`ship.${answer.sunk}`) });
}
