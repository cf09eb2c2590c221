/** What a Battleship board shows: cells and ships of one position. Pure. */
import type { Bar, Cell, Mark } from '../../board/types';
import { kindLength, type Ship, shipCells } from '../../lib/battleship/fleets';
import type { Board } from '../../lib/battleship/rules';
import { t } from '../../lib/i18n';

type ShotMark = Extract<Mark, 'miss' | 'hit' | 'sunk' | 'aim'>;

export interface View {
  readonly board: Board;
  readonly playable: (cell: number) => boolean;
  /** The cell of a shot that is not answered yet. */
  readonly target: number | null;
  /** A shot that is sent and not on the chain yet. */
  readonly pending: number | null;
}

/** A cell's text form: column letter, row number. */
export function cellText(size: number, cell: number): string {
  return `${String.fromCharCode(97 + (cell % size))}${Math.floor(cell / size) + 1}`;
}

/** The cells in reading order. */
export function cells(view: View): Cell[] {
  const { size } = view.board;
  const seen = marks(view.board);
  const last = view.target ?? view.board.shots.at(-1)?.cell;
  const ships = new Set((view.board.fleet ?? []).flatMap((ship) => shipCells(ship, size)));
  return Array.from({ length: size * size }, (_, index) => {
    const aimed = index === view.target || index === view.pending;
    const mark = seen.get(index) ?? (aimed ? 'aim' : undefined);
    return {
      name: name(size, index, mark, ships.has(index)),
      mark,
      playable: view.playable(index),
      last: index === last,
      pending: index === view.pending,
    };
  });
}

function name(size: number, index: number, mark: ShotMark | undefined, ship: boolean): string {
  const what = t(`battleship.cell.${mark ?? (ship ? 'ship' : 'water')}`);
  return t('battleship.cell', { cell: cellText(size, index), what });
}

/** A hit is drawn as sunk where its ship is known to be. */
function marks(board: Board): Map<number, ShotMark> {
  const sunk = new Set(sunkShips(board).flatMap((ship) => shipCells(ship, board.size)));
  return new Map(
    board.shots.map(({ cell, answer }) => {
      const mark = !answer.hit ? 'miss' : sunk.has(cell) || answer.sunk ? 'sunk' : 'hit';
      return [cell, mark] as const;
    }),
  );
}

/** The ships of a known fleet that every cell was hit of. */
function sunkShips({ size, fleet, hits }: Board): Ship[] {
  return (fleet ?? []).filter((ship) => shipCells(ship, size).every((cell) => hits.has(cell)));
}

/** The ships of a known fleet, as the board draws them. */
export function bars(board: Board): Bar[] {
  const sunk = new Set(sunkShips(board));
  return (board.fleet ?? []).map((ship) => ({
    row: ship.y,
    column: ship.x,
    length: kindLength(ship.kind),
    vertical: ship.vertical,
    sunk: sunk.has(ship),
  }));
}
