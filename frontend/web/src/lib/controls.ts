/** Time controls as people know them. */
import type { TimeControl } from './api';
import { duration, t } from './i18n';

type Name = 'fast' | 'normal' | 'slow' | 'correspondence';
/** What a control is called by the seconds that it gives for a move, up to so many. */
const NAMES: readonly [Name, number][] = [
  ['fast', 120],
  ['normal', 900],
  ['slow', 14_400],
  ['correspondence', Number.POSITIVE_INFINITY],
];
/** What a player is offered first, in seconds for a move. */
const USUAL = 300;

/** `5 minutes a move`. */
export function paceText({ move }: TimeControl): string {
  return t('control.pace', { time: duration(move) });
}

/** `Normal`. */
export function controlName({ move }: TimeControl): string {
  const [name] = NAMES.find(([, most]) => move <= most) ?? ['correspondence' as const];
  return t(`control.${name}`);
}

/** The index of the control that is nearest to so many seconds for a move. */
export function nearest(controls: readonly TimeControl[], move = USUAL): number {
  const distances = controls.map((control) => Math.abs(control.move - move));
  return Math.max(distances.indexOf(Math.min(...distances)), 0);
}
