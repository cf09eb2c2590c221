/**
 * Bunker War Z as values and one transition: no chain, no encryption, no clock, no chance.
 *
 * `apply` is the only way from one state to the next, and refuses what the rules do not allow. Hidden
 * information is a value too: everything here works on a state that `view` gives. The same, with the
 * same texts, as bunkerwar/rules.py; position: `board0 board1 turn played armed stacked`.
 */
import { other, SEATS, type Seat, withSeat } from '../events';
import { Board, BUNKER, EMPTY, HIDDEN, HOUSE, letter } from './board';
import {
  CellOccupied,
  CellUnsupported,
  GameFinished,
  IllegalBoard,
  IllegalMove,
  ImpossibleStop,
  MalformedText,
  MissileNotArmed,
  OutOfRange,
} from './errors';
import { type Build, build, type Missile, type Move, missile, moveText } from './moves';

export * from './board';
export * from './errors';
export * from './moves';

/** The winning seat, or a tie. */
export type Outcome = Seat | 'tie';

interface Values {
  readonly boards: readonly [Board, Board];
  readonly turn: Seat;
  readonly played: number;
  readonly armed: readonly [boolean, boolean];
  readonly stacked: boolean;
}

/** A position. `turn`: the seat to act; `played`: actions of both so far; `armed`: may send a missile. */
export class State implements Values {
  readonly boards: readonly [Board, Board];
  readonly turn: Seat;
  readonly played: number;
  readonly armed: readonly [boolean, boolean];
  readonly stacked: boolean;

  constructor(values: Values) {
    this.boards = values.boards;
    this.turn = values.turn;
    this.played = values.played;
    this.armed = values.armed;
    this.stacked = values.stacked;
  }

  /** The start of a game that seat `first` begins. Throws IllegalBoard. */
  static start(
    lanes: number,
    depth: number,
    { first = 0, stacked = false }: { first?: Seat; stacked?: boolean } = {},
  ): State {
    const board = Board.empty(lanes, depth);
    return new State({
      boards: [board, board],
      turn: first,
      played: 0,
      armed: [true, true],
      stacked,
    });
  }

  /** The position with this text form. Throws MalformedText, IllegalBoard. */
  static parse(text: string): State {
    const match = /^(\S+) (\S+) ([01]) (\d{1,3}) (-|0|1|01) ([s-])$/.exec(text);
    if (!match) throw new MalformedText(`not a position: ${text}`);
    const [, one, two, turn, played, armed, stacked] = match as unknown as string[];
    const boards = [Board.parse(one as string), Board.parse(two as string)] as const;
    if (boards[0].lanes !== boards[1].lanes || boards[0].depth !== boards[1].depth) {
      throw new IllegalBoard('the boards of a game have one size');
    }
    if (Number(played) > 2 * boards[0].size) {
      throw new MalformedText(`more actions than a game has: ${text}`);
    }
    return new State({
      boards,
      turn: turn === '0' ? 0 : 1,
      played: Number(played),
      armed: [(armed as string).includes('0'), (armed as string).includes('1')],
      stacked: stacked === 's',
    });
  }

  toString(): string {
    const armed = SEATS.filter((seat) => this.armed[seat]).join('') || '-';
    return `${this.boards.join(' ')} ${this.turn} ${this.played} ${armed} ${this.stacked ? 's' : '-'}`;
  }

  /** This state with other values. */
  with(changed: Partial<Values>): State {
    return new State({ ...this, ...changed });
  }

  get lanes(): number {
    return this.boards[0].lanes;
  }

  get depth(): number {
    return this.boards[0].depth;
  }

  /** The seat that began. */
  get first(): Seat {
    return this.played % 2 === 0 ? this.turn : other(this.turn);
  }

  /** Actions that the seat to act still has, this one included. */
  get left(): number {
    return Math.floor((2 * this.boards[0].size - this.played + 1) / 2);
  }

  /** Whether every round has been played. */
  get finished(): boolean {
    return this.played === 2 * this.boards[0].size;
  }
}

/** Every move of the seat to act: builds by lane and depth, houses first, then missiles. */
export function legalMoves(state: State): Move[] {
  if (state.finished) return [];
  const lanes = [...Array(state.lanes).keys()];
  return [
    ...lanes.flatMap((lane) => buildsIn(state, lane)),
    ...(state.armed[state.turn] ? lanes.map(missile) : []),
  ];
}

function buildsIn(state: State, lane: number): Build[] {
  const board = state.boards[state.turn];
  return [...Array(state.depth).keys()]
    .filter((depth) => board.at(lane, depth) === EMPTY)
    .filter((depth) => !state.stacked || board.supports(lane, depth))
    .flatMap((depth) => [build(lane, depth, HOUSE), build(lane, depth, BUNKER)]);
}

/**
 * The state after `move` of the seat to act.
 *
 * `stop` says where a missile stopped (0: flew through, d + 1: bunker at depth d); it may be left out
 * where the state shows the lane, else HiddenInformation is thrown. Throws an IllegalMove, or
 * ImpossibleStop where `stop` contradicts what the state shows.
 */
export function apply(state: State, move: Move, stop?: number | null): State {
  if (state.finished) throw new GameFinished('every round has been played');
  if (!(move.lane >= 0 && move.lane < state.lanes)) {
    const last = letter(state.lanes - 1);
    throw new OutOfRange(`${moveText(move)}: the board has lanes a–${last}`);
  }
  if (move.kind === 'missile') return sendMissile(state, move, stop);
  if (stop !== undefined && stop !== null) {
    throw new ImpossibleStop(`${moveText(move)}: only a missile stops`);
  }
  return place(state, move);
}

/** How the game ended, null while it runs. Throws HiddenInformation on a view of a finished game. */
export function outcome(state: State): Outcome | null {
  if (!state.finished) return null;
  const [first, second] = [state.boards[0].score, state.boards[1].score];
  if (first === second) return 'tie';
  return first > second ? 0 : 1;
}

/** What `seat` knows; null stands for the public, which knows neither board. */
export function view(state: State, seat: Seat | null): State {
  const [one, two] = state.boards;
  return state.with({ boards: [seat === 0 ? one : one.hidden(), seat === 1 ? two : two.hidden()] });
}

function place(state: State, move: Build): State {
  const board = state.boards[state.turn];
  const name = moveText(move);
  if (!(move.depth >= 0 && move.depth < state.depth)) {
    throw new OutOfRange(`${name}: the board has depths 1–${state.depth}`);
  }
  if (![HOUSE, BUNKER, HIDDEN].includes(move.cell)) {
    throw new IllegalMove(`${move.cell} is not a building`);
  }
  if (board.at(move.lane, move.depth) !== EMPTY) {
    throw new CellOccupied(`${name}: a building stands there`);
  }
  if (state.stacked && !board.supports(move.lane, move.depth)) {
    throw new CellUnsupported(`${name}: nothing stands below`);
  }
  return next(state, state.turn, board.built(move.lane, move.depth, move.cell), true);
}

function sendMissile(state: State, move: Missile, stop?: number | null): State {
  if (!state.armed[state.turn]) {
    throw new MissileNotArmed(`${moveText(move)}: build before the next missile`);
  }
  const target = other(state.turn);
  const board = state.boards[target];
  return next(state, target, board.struck(move.lane, stop ?? board.stop(move.lane)), false);
}

function next(state: State, changed: Seat, board: Board, armed: boolean): State {
  return state.with({
    boards: withSeat(state.boards, changed, board),
    turn: other(state.turn),
    played: state.played + 1,
    armed: withSeat(state.armed, state.turn, armed),
  });
}
