/** Moves and their text forms: `H a3` house, `B c1` bunker, `? b2` hidden building, `M b` missile. */
import { BUNKER, type Cell, HIDDEN, HOUSE, letter } from './board';
import { MalformedText } from './errors';

/** Build in an empty cell of the own board; HIDDEN in a public record. Lane and depth from 0. */
export interface Build {
  readonly kind: 'build';
  readonly lane: number;
  readonly depth: number;
  readonly cell: Cell;
}

/** Send a missile at a lane of the other board. */
export interface Missile {
  readonly kind: 'missile';
  readonly lane: number;
}

export type Move = Build | Missile;

export function build(lane: number, depth: number, cell: Cell): Build {
  return { kind: 'build', lane, depth, cell };
}

export function missile(lane: number): Missile {
  return { kind: 'missile', lane };
}

export function moveText(move: Move): string {
  if (move.kind === 'missile') return `M ${letter(move.lane)}`;
  return `${move.cell.toUpperCase()} ${letter(move.lane)}${move.depth + 1}`;
}

const CELLS: Readonly<Record<string, Cell>> = { H: HOUSE, B: BUNKER, '?': HIDDEN };

/** The inverse of `moveText`. Throws MalformedText. */
export function parseMove(text: string): Move {
  const match = /^(?:M ([a-h])|([HB?]) ([a-h])([1-8]))$/.exec(text);
  if (!match) throw new MalformedText(`not a move: ${text} (like H a3, B c1, M b)`);
  const [, target, cell, lane, depth] = match;
  if (target) return missile(laneOf(target));
  return build(laneOf(lane as string), Number(depth) - 1, CELLS[cell as string] as Cell);
}

/** What everybody sees of a move. */
export function publicMove(move: Move): Move {
  return move.kind === 'build' ? { ...move, cell: HIDDEN } : move;
}

function laneOf(name: string): number {
  return name.charCodeAt(0) - 97;
}
