/** One player's board, as far as the holder of the value knows it. */
import { HiddenInformation, IllegalBoard, ImpossibleStop, MalformedText } from './errors';

/**
 * `.` empty, `h` house, `b` bunker, `B` bunker that a missile has stopped at (both players know it),
 * `?` hidden.
 */
export type Cell = '.' | 'h' | 'b' | 'B' | '?';
export const EMPTY = '.';
export const HOUSE = 'h';
export const BUNKER = 'b';
export const SHOWN = 'B';
export const HIDDEN = '?';

/** Whether it is known to stop a missile. */
export function stops(cell: Cell): boolean {
  return cell === BUNKER || cell === SHOWN;
}

export type Lane = readonly Cell[];

/** `cells[lane][depth]`; depth 0 is the base end. 1–8 lanes, depth 2–8, else IllegalBoard. */
export class Board {
  constructor(readonly cells: readonly Lane[]) {
    const { lanes, depth } = this;
    if (!(lanes >= 1 && lanes <= 8 && depth >= 2 && depth <= 8)) {
      throw new IllegalBoard(`${lanes} x ${depth}: lanes are 1–8, depth 2–8`);
    }
    if (cells.some((lane) => lane.length !== depth)) {
      throw new IllegalBoard('the lanes of a board have one depth');
    }
  }

  static empty(lanes: number, depth: number): Board {
    return new Board(Array.from({ length: lanes }, () => Array<Cell>(depth).fill(EMPTY)));
  }

  /** The board with this text form: lanes, base end first, joined by `/`. Throws MalformedText. */
  static parse(text: string): Board {
    if (!/^[.hbB?/]+$/.test(text)) throw new MalformedText(`not a board: ${text}`);
    return new Board(text.split('/').map((lane) => [...lane] as Cell[]));
  }

  toString(): string {
    return this.cells.map((lane) => lane.join('')).join('/');
  }

  get lanes(): number {
    return this.cells.length;
  }

  get depth(): number {
    return this.cells[0]?.length ?? 0;
  }

  /** Number of cells: the rounds of a game. */
  get size(): number {
    return this.lanes * this.depth;
  }

  /** Number of buildings, of whatever kind. */
  get standing(): number {
    return this.#count((cell) => cell !== EMPTY);
  }

  /** Throws HiddenInformation. */
  get bunkers(): number {
    if (this.#count((cell) => cell === HIDDEN)) {
      throw new HiddenInformation('some cells of this board are hidden');
    }
    return this.#count(stops);
  }

  /** One point for each house that stands. Throws HiddenInformation. */
  get score(): number {
    return this.standing - this.bunkers;
  }

  /** The cell, or undefined where there is none. */
  at(lane: number, depth: number): Cell | undefined {
    return this.cells[lane]?.[depth];
  }

  /** Whether a building would stand on the base or on another one. */
  supports(lane: number, depth: number): boolean {
    return depth === 0 || this.at(lane, depth - 1) !== EMPTY;
  }

  /** Depth + 1 of the outermost bunker, 0 if a missile flies through. Throws HiddenInformation. */
  stop(lane: number): number {
    for (let depth = this.depth - 1; depth >= 0; depth--) {
      const cell = this.#lane(lane)[depth] as Cell;
      if (cell === HIDDEN) throw new HiddenInformation(`${letter(lane)}${depth + 1} is hidden`);
      if (stops(cell)) return depth + 1;
    }
    return 0;
  }

  /** This board with `cell` in that place. */
  built(lane: number, depth: number, cell: Cell): Board {
    return this.#withLane(lane, this.#lane(lane).with(depth, cell));
  }

  /**
   * This board after a missile that stopped at `stop` (as `stop` gives it). Throws ImpossibleStop where
   * known cells contradict it.
   */
  struck(lane: number, stop: number): Board {
    const cells = this.#lane(lane);
    if (!(stop >= 0 && stop <= this.depth) || cells.slice(stop).some(stops)) {
      throw new ImpossibleStop(`M ${letter(lane)} flew past a bunker at ${stop}`);
    }
    const passed = Array<Cell>(this.depth - stop).fill(EMPTY);
    if (stop === 0) return this.#withLane(lane, passed);
    if (cells[stop - 1] === EMPTY || cells[stop - 1] === HOUSE) {
      throw new ImpossibleStop(`M ${letter(lane)}: no bunker at depth ${stop}`);
    }
    return this.#withLane(lane, [...cells.slice(0, stop - 1), SHOWN, ...passed]);
  }

  /** This board with each cell changed by `change`. */
  map(change: (cell: Cell, lane: number, depth: number) => Cell): Board {
    return new Board(
      this.cells.map((cells, lane) => cells.map((cell, depth) => change(cell, lane, depth))),
    );
  }

  /** This board as the opponent and the public see it. */
  hidden(): Board {
    return this.map((cell) => (cell === HOUSE || cell === BUNKER ? HIDDEN : cell));
  }

  #lane(lane: number): Lane {
    return this.cells[lane] as Lane;
  }

  #withLane(lane: number, cells: Lane): Board {
    return new Board(this.cells.with(lane, cells));
  }

  #count(is: (cell: Cell) => boolean): number {
    return this.cells.flat().filter(is).length;
  }
}

/** The name of a lane, a–h. */
export function letter(lane: number): string {
  return String.fromCharCode(97 + lane);
}
