/** Where lanes and depths lie on the screen: enemy ends face each other. Pure.
 *
 * Wide: lanes run from left to right, the home board (base at the left) left of the other one.
 * Tall: lanes run from bottom to top, the home board (base at the bottom) below the other one.
 */
import type { Shape } from '../../board/roving';
import type { Side } from '../../board/types';
import { letter } from '../../lib/bunkerwar/rules';

export interface Layout {
  readonly lanes: number;
  readonly depth: number;
  readonly tall: boolean;
  /** Whether it is the board at the left, or below. */
  readonly home: boolean;
}

export interface Place {
  readonly lane: number;
  readonly depth: number;
}

export function shape({ lanes, depth, tall }: Layout): Shape {
  return tall ? { rows: depth, columns: lanes } : { rows: lanes, columns: depth };
}

export function placeOf(layout: Layout, index: number): Place {
  const { columns } = shape(layout);
  const [row, column] = [Math.floor(index / columns), index % columns];
  const [lane, along] = layout.tall ? [column, row] : [row, column];
  return { lane, depth: baseFirst(layout) ? along : layout.depth - 1 - along };
}

export function indexOf(layout: Layout, { lane, depth }: Place): number {
  const { columns } = shape(layout);
  const along = baseFirst(layout) ? depth : layout.depth - 1 - depth;
  return layout.tall ? along * columns + lane : lane * columns + along;
}

/** The side at which missiles come in. */
export function enemySide({ tall, home }: Layout): Side {
  if (tall) return home ? 'top' : 'bottom';
  return home ? 'right' : 'left';
}

/** Labels of the visible rows and columns. */
export function labels(layout: Layout): { rows: string[]; columns: string[] } {
  const lanes = Array.from({ length: layout.lanes }, (_, lane) => letter(lane));
  const depths = Array.from({ length: layout.depth }, (_, depth) => String(depth + 1));
  if (!baseFirst(layout)) depths.reverse();
  return layout.tall ? { rows: depths, columns: lanes } : { rows: lanes, columns: depths };
}

/** Whether depth 0 comes first in reading order. */
function baseFirst({ tall, home }: Layout): boolean {
  return tall !== home;
}
