/** What a host tells a board. A board draws and reports; it knows no rules and no chain. */

/** What can be drawn in a cell. */
export type Mark = 'house' | 'bunker' | 'shown' | 'hidden' | 'miss' | 'hit' | 'sunk' | 'aim';

/** One cell, in reading order. `playable`: choosing it does something now. */
export interface Cell {
  /** What a screen reader says, place and content: "row c, depth 4: hidden building". */
  readonly name: string;
  readonly mark?: Mark | undefined;
  readonly playable?: boolean | undefined;
  /** Part of the last move. */
  readonly last?: boolean | undefined;
  /** Sent, and not yet on the chain. */
  readonly pending?: boolean | undefined;
}

export type Side = 'left' | 'right' | 'top' | 'bottom';

/** A button at the end of one row (sides left and right) or column (top and bottom). */
export interface EdgeButton {
  readonly name: string;
  readonly text: string;
  readonly disabled: boolean;
}

export interface Edge {
  readonly side: Side;
  readonly name: string;
  readonly buttons: readonly EdgeButton[];
}

/** A straight object across cells; row and column from 0, of its top left cell. */
export interface Bar {
  readonly row: number;
  readonly column: number;
  readonly length: number;
  readonly vertical: boolean;
  readonly sunk?: boolean | undefined;
}

/** Something that flies into a line of cells from one side of the board. */
export interface Flight {
  /** Another key is another flight. */
  readonly key: string;
  readonly from: Side;
  /** The row (from left or right) or column (from top or bottom) that it flies along. */
  readonly line: number;
  /** Cells that it flies over, in order, with what stood there until then. */
  readonly passed: readonly (Mark | undefined)[];
  /** Whether it ends on something, and not at the other end. */
  readonly stopped: boolean;
  /** Where it will stop is not known yet: it waits at the edge. */
  readonly waiting: boolean;
}
