/**
 * Battleship as values and one transition: no chain, no commitment, no clock, no chance.
 *
 * `apply` is the only way from one state to the next, and refuses what the rules do not allow. A fleet
 * that is not known is null; then the answer to a shot is handed to `apply`. The same, with the same
 * texts, as battleship/rules.py; attack: `attack 1 0` (x, y); position:
 * `size | turn | fleet 0 | shots at 0 | fleet 1 | shots at 1`, a hidden fleet `?`, no shots `-`.
 */
import { other, SEATS, type Seat, withSeat } from '../events';
import {
  type Answer,
  Board,
  checkAnswer,
  parseShot,
  type Shot,
  sameAnswer,
  shotText,
} from './board';
import {
  AlreadyFired,
  AnswerNeeded,
  GameFinished,
  ImpossibleAnswer,
  MalformedText,
  OutOfRange,
  RuleError,
} from './errors';
import { checkFleet, type Fleet, fleetText, kinds, parseFleet } from './fleets';

export * from './board';
export type { Fleet };

/** A shot at a cell of the other board. */
export interface Attack {
  readonly x: number;
  readonly y: number;
}

/** The attack on a cell of a board of `size`. */
export function attackAt(size: number, cell: number): Attack {
  return { x: cell % size, y: Math.floor(cell / size) };
}

/** The cell on a board of `size`. Throws OutOfRange. */
export function cellOf({ x, y }: Attack, size: number): number {
  const inside = (place: number) => Number.isInteger(place) && place >= 0 && place < size;
  if (!inside(x) || !inside(y)) {
    throw new OutOfRange(`${attackText({ x, y })}: x and y are 0–${size - 1}`);
  }
  return y * size + x;
}

export function attackText({ x, y }: Attack): string {
  return `attack ${x} ${y}`;
}

/** The inverse of `attackText`. Throws MalformedText. */
export function parseAttack(text: string): Attack {
  const match = /^attack (\d{1,2}) (\d{1,2})$/.exec(text);
  if (!match) throw new MalformedText(`not an attack: ${text} (like attack 1 0)`);
  return { x: Number(match[1]), y: Number(match[2]) };
}

/** A position: both boards, and the seat that fires next. */
export class State {
  constructor(
    readonly boards: readonly [Board, Board],
    readonly turn: Seat,
  ) {}

  /** The start of a game. Throws IllegalSize, and what `checkFleet` throws for a fleet that is given. */
  static start(
    size: number,
    fleets: readonly [Fleet | null, Fleet | null] = [null, null],
    first: Seat = 0,
  ): State {
    kinds(size);
    const board = (fleet: Fleet | null) => new Board(size, fleet && checkFleet(size, fleet));
    return new State([board(fleets[0]), board(fleets[1])], first);
  }

  /** The position with this text form. Throws MalformedText, IllegalSize, IllegalFleet. */
  static parse(text: string): State {
    const [size, turn, ...rest] = text.split(' | ');
    if (rest.length !== 4 || !/^\d+$/.test(size as string) || (turn !== '0' && turn !== '1')) {
      throw new MalformedText(`not a position: ${text}`);
    }
    kinds(Number(size));
    const [fleet0, shots0, fleet1, shots1] = rest as [string, string, string, string];
    const board = (fleet: string, shots: string) => parseBoard(Number(size), fleet, shots);
    return new State([board(fleet0, shots0), board(fleet1, shots1)], turn === '0' ? 0 : 1);
  }

  toString(): string {
    return [this.size, this.turn, ...this.boards.flatMap(boardTexts)].join(' | ');
  }

  /** Columns, and rows, of each board. */
  get size(): number {
    return this.boards[0].size;
  }

  /** The seat that has won the shooting, null while it lasts. */
  get winner(): Seat | null {
    const beaten = SEATS.find((seat) => this.boards[seat].beaten);
    return beaten === undefined ? null : other(beaten);
  }

  withBoard(seat: Seat, board: Board): State {
    return new State(withSeat(this.boards, seat, board), this.turn);
  }

  withTurn(turn: Seat): State {
    return new State(this.boards, turn);
  }
}

/** Every attack of the seat on turn, by cell. */
export function legalMoves(state: State): Attack[] {
  if (state.winner !== null) return [];
  const fired = state.boards[other(state.turn)].fired;
  const cells = [...Array(state.size ** 2).keys()].filter((cell) => !fired.has(cell));
  return cells.map((cell) => attackAt(state.size, cell));
}

/**
 * The state after an attack of the seat on turn; turns alternate, also after a hit.
 *
 * `answer` may be left out where the board shot at is known (AnswerNeeded otherwise).
 * Throws an IllegalAttack, or ImpossibleAnswer where the answer contradicts that board.
 */
export function apply(state: State, attack: Attack, answer?: Answer | null): State {
  if (state.winner !== null) throw new GameFinished('the shooting is over');
  const target = other(state.turn);
  const board = state.boards[target];
  const cell = cellOf(attack, state.size);
  if (board.fired.has(cell)) throw new AlreadyFired(`${attackText(attack)}: shot at before`);
  const given = checkedAnswer(board, cell, answer ?? null);
  return state.withTurn(target).withBoard(target, board.struck(cell, given));
}

function checkedAnswer(board: Board, cell: number, answer: Answer | null): Answer {
  if (!board.fleet) {
    if (!answer) throw new AnswerNeeded(`cell ${cell}: the board is hidden`);
    return checkAnswer(answer);
  }
  const true_ = board.answer(cell);
  if (answer && !sameAnswer(answer, true_)) {
    throw new ImpossibleAnswer(`the answer is ${shotText({ cell, answer: true_ })}`);
  }
  return true_;
}

/** What `seat` knows; null stands for the public, which knows neither fleet. */
export function view(state: State, seat: Seat | null): State {
  return SEATS.filter((owner) => owner !== seat).reduce<State>(
    (seen, owner) => seen.withBoard(owner, seen.boards[owner].withFleet(null)),
    state,
  );
}

export type Verdict = 'fair' | 'failed_to_provide_proof' | 'null';
/** What a player's reveal has shown; silent: they gave none in time. */
export type Proof = 'silent' | 'honest' | 'dishonest';

/**
 * Verdict and winner. `beneficiary`: the seat that gains from how the shooting ended; `cheater`: a seat
 * that opened a cell falsely, and is out whatever it reveals.
 */
export function judge(
  beneficiary: Seat,
  proofs: readonly [Proof, Proof],
  cheater: Seat | null = null,
): [Verdict, Seat | null] {
  const loser = other(beneficiary);
  if (proofs[beneficiary] === 'honest') return ['fair', beneficiary];
  if (proofs[loser] === 'honest' && loser !== cheater) return ['failed_to_provide_proof', loser];
  return ['null', null];
}

/** Whether a fleet is legal and every answer, each sunk claim made or left out, is true to it. */
export function truthful(size: number, fleet: Fleet, shots: readonly Shot[]): boolean {
  try {
    let board = new Board(size, checkFleet(size, fleet));
    for (const shot of shots) {
      if (!sameAnswer(shot.answer, board.answer(shot.cell))) return false;
      board = board.struck(shot.cell, shot.answer);
    }
    return true;
  } catch (error) {
    if (error instanceof RuleError) return false;
    throw error;
  }
}

function boardTexts(board: Board): [string, string] {
  const fleet = board.fleet ? fleetText(board.fleet) : '?';
  return [fleet, board.shots.map(shotText).join(' ') || '-'];
}

function parseBoard(size: number, fleet: string, shots: string): Board {
  let board = new Board(size, fleet === '?' ? null : checkFleet(size, parseFleet(fleet)));
  for (const shot of shots === '-' ? [] : shots.split(' ').map(parseShot)) {
    if (shot.cell >= size * size || board.fired.has(shot.cell)) {
      throw new MalformedText(`shot ${shotText(shot)} at a cell that is none, or twice`);
    }
    if (board.fleet && !sameAnswer(shot.answer, board.answer(shot.cell))) {
      throw new MalformedText(`shot ${shotText(shot)} contradicts the fleet`);
    }
    board = board.struck(shot.cell, shot.answer);
  }
  return board;
}
