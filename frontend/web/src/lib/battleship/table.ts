/** Battleship on the table: what `table/replay` asks of a game. The same as battleship/replay.py. */
import { other, type Seat } from '../events';
import { type Event, owes, requireTurn, type Table } from '../table/fold';
import { require } from '../table/refused';
import type { Act, Rules } from '../table/replay';
import { ask, ends, STAY, type Step, tell } from '../table/steps';
import { SIZES } from './fleets';
import { after, type Replay, replay } from './replay';
import type { State } from './rules';

/** `answeredIn`: the transaction of the newest answer. */
export interface Game {
  readonly seen: Replay;
  readonly answeredIn: string;
}

function next(game: Game, event: Event): Game {
  return { ...game, seen: after(game.seen, event.told) };
}

const passed: Act<Game> = (game, _table, event) => [next(game, event), STAY];

const opened: Act<Game> = (game, _table, event) => {
  const { parameters } = event.arguments;
  const size = parameters.length === 2 + 64 ? Number(BigInt(parameters)) : 0;
  require((SIZES as readonly number[]).includes(size), 'battleship.not_battleship');
  return [next(game, event), { due: tell('BoardCommitted', 0) }];
};

const seated: Act<Game> = (game, _table, event) => {
  return [next(game, event), { due: tell('BoardCommitted', event.arguments.seat) }];
};

const shot: Act<Game> = (game, table, event) => {
  requireTurn(table, event);
  const seat = table.onTurn as Seat;
  require(game.seen.target === null, 'battleship.answer_due', { seat });
  const joined = game.answeredIn === event.transaction;
  return [next(game, event), { turn: other(seat), joined }];
};

const answered: Act<Game> = (game, table, event) => {
  requireAnswer(game, table, event);
  const now = { ...next(game, event), answeredIn: event.transaction };
  const winner = (now.seen.state as State).winner;
  return winner === null ? [now, { turn: table.onTurn }] : [now, { due: ask(winner) }];
};

const openedFalsely: Act<Game> = (game, table, event) => {
  requireAnswer(game, table, event);
  return [next(game, event), { due: ask(other(event.arguments.seat)) }];
};

const over: Act<Game> = (game, _table, event) => {
  return [next(game, event), { due: ask(other(event.arguments.seat)) }];
};

const missed: Act<Game> = (game, _table, event) => {
  return [next(game, event), failed(game.seen, event.arguments.seat)];
};

const revealed: Act<Game> = (game, table, event) => {
  const { seat, honest } = event.arguments;
  const known = game.seen.revealed[seat as Seat] !== undefined;
  require(!known, 'battleship.revealed_twice', { seat });
  if (table.phase === 'ended') {
    const fair = game.seen.result?.[0] === 'fair';
    require(fair && event.time <= table.deadline, 'battleship.revealed_late', { seat });
    return [next(game, event), STAY];
  }
  require(owes(table, seat), 'battleship.no_board_to_prove', { seat });
  const step = honest ? proven(game.seen, seat) : failed(game.seen, seat);
  return [next(game, event), { ...step, proved: seat }];
};

function proven(game: Replay, seat: number): Step {
  if (seat !== game.beneficiary) return { due: ends('won', [seat]) };
  return { due: ends(game.how, [seat], { lateProof: true }) };
}

/** The other is asked, unless that was just the one, or they are out since they opened falsely. */
function failed(game: Replay, seat: Seat): Step {
  const asked = seat === game.beneficiary && game.cheater === null;
  return { due: asked ? ask(other(seat)) : ends('null') };
}

function requireAnswer(game: Game, table: Table, event: Event): void {
  requireTurn(table, event);
  const { target } = game.seen;
  const due = target !== null && event.arguments.cell === BigInt(target);
  require(due, 'battleship.nothing_to_answer', { seat: table.onTurn });
}

export const RULES: Rules<Game> = {
  start: { seen: replay([]), answeredIn: '' },
  seats: [2],
  following: ['BoardCommitted'],
  events: {
    BoardCommitted: {
      id: 'uint256',
      seat: 'uint8',
      nonce: 'uint256',
      root: 'bytes32',
      sealedPlacement: 'bytes32',
    },
    ShotFired: { id: 'uint256', seat: 'uint8', cell: 'uint256' },
    ShotAnswered: { id: 'uint256', seat: 'uint8', cell: 'uint256', hit: 'bool', sunk: 'uint8' },
    OpeningFalse: { id: 'uint256', seat: 'uint8', cell: 'uint256' },
    BoardRevealed: {
      id: 'uint256',
      seat: 'uint8',
      placement: 'bytes16',
      seed: 'bytes32',
      honest: 'bool',
    },
  },
  acts: {
    BoardCommitted: passed,
    ShotFired: shot,
    ShotAnswered: answered,
    OpeningFalse: openedFalsely,
    BoardRevealed: revealed,
  },
  told: {
    GameOpened: opened,
    SeatTaken: seated,
    FirstSeatDrawn: passed,
    DrawOffered: passed,
    Resigned: over,
    TimedOut: over,
    ProofAsked: passed,
    ProofMissed: missed,
    GameEnded: passed,
  },
};
