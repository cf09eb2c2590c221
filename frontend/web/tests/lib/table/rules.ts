/** The rules of the contracts for tests, as games plug theirs into the table's fold. */
import { ENDINGS } from '../../../src/lib/events';
import { OUT_OF_REACH, requirePhase, requireTurn } from '../../../src/lib/table/fold';
import type { Act, Rules } from '../../../src/lib/table/replay';
import { ask, ends, STAY, type Step } from '../../../src/lib/table/steps';

function ensure(condition: boolean, otherwise: string): void {
  if (!condition) throw new Error(otherwise);
}

const passed: Act<null> = (game, table, event) => {
  requirePhase(table, event, 'playing');
  return [game, { turn: event.arguments.seat }];
};

const waitBegun: Act<null> = (game, table, event) => {
  requirePhase(table, event, 'playing');
  return [game, { wait: true }];
};

const waitResolved: Act<null> = (game, table, event) => {
  requirePhase(table, event, 'waiting');
  return [game, { turn: event.arguments.seat }];
};

/** Each thing that the table offers is a move; endings and proofs are not announced. */
export const SANDBOX: Rules<null> = {
  start: null,
  seats: [2, 3, 4],
  following: [],
  events: {
    Passed: { id: 'uint256', seat: 'uint8' },
    WaitBegun: { id: 'uint256' },
    WaitResolved: { id: 'uint256', seat: 'uint8' },
  },
  acts: { Passed: passed, WaitBegun: waitBegun, WaitResolved: waitResolved },
  told: {},
  before(_game, table, event) {
    const given = event.arguments;
    if (event.name === 'ProofAsked') return { due: ask(given.seat) };
    const running = table.phase === 'playing' || table.phase === 'proving';
    if (event.name !== 'GameEnded' || !running) return STAY;
    const outcome = ENDINGS[given.outcome];
    if (outcome === 'drawn' || outcome === 'null') return { due: ends(outcome) };
    if (outcome !== 'won') return STAY;
    const winners = table.players
      .map((_, seat) => seat)
      .filter((seat) => (given.winners >> seat) & 1);
    if (table.phase === 'proving') return firstToProve(winners);
    const more = winners.length ? {} : { amounts: given.amounts };
    return { due: ends('won', winners, more) };
  },
};

function firstToProve(winners: readonly number[]): Step {
  const [proved, ...others] = winners;
  if (proved === undefined || others.length) return STAY;
  return { due: ends('won', [proved]), proved };
}

interface Race {
  readonly places: readonly number[];
  readonly pending: bigint;
}

const GOAL = 8;

const rollAsked: Act<Race> = (game, table, event) => {
  requireTurn(table, event);
  ensure(!game.pending, 'a roll is pending');
  return cast(game, table, event);
};

const cast: Act<Race> = (game, table, event) => {
  const { target } = event.arguments;
  ensure(target === BigInt(event.block + 1), 'the next block decides');
  return [{ ...game, pending: target }, { turn: table.onTurn }];
};

const rollRescheduled: Act<Race> = (game, table, event) => {
  requirePhase(table, event, 'playing');
  const missed = game.pending && BigInt(event.block) > game.pending + BigInt(OUT_OF_REACH);
  ensure(Boolean(missed), 'no roll was missed');
  return cast(game, table, event);
};

const rolled: Act<Race> = (game, table, event) => {
  requireTurn(table, event);
  const { seat, die, place } = event.arguments;
  ensure(Boolean(game.pending) && BigInt(event.block) > game.pending, 'no roll is due');
  ensure(die >= 1 && die <= 6 && place === game.places[seat] + die, 'no such roll');
  const next = { places: game.places.with(seat, place), pending: 0n };
  if (place >= GOAL) return [next, { due: ends('won', [seat]) }];
  return [next, { turn: (seat + 1) % table.seats }];
};

const rested: Act<Race> = (game, table, event) => {
  requireTurn(table, event);
  ensure(!game.pending, 'a roll is pending');
  return [game, { turn: (table.onTurn + 1) % table.seats }];
};

const timedOut: Act<Race> = (game) => {
  ensure(!game.pending, 'a roll is pending');
  return [game, STAY];
};

/** The die moves you forward, and whoever arrives has won. */
export const RACE: Rules<Race> = {
  start: { places: [0, 0, 0, 0], pending: 0n },
  seats: [2, 3, 4],
  following: [],
  events: {
    RollAsked: { id: 'uint256', seat: 'uint8', target: 'uint256' },
    RollRescheduled: { id: 'uint256', target: 'uint256' },
    Rolled: { id: 'uint256', seat: 'uint8', die: 'uint8', place: 'uint8' },
    Rested: { id: 'uint256', seat: 'uint8' },
  },
  acts: { RollAsked: rollAsked, RollRescheduled: rollRescheduled, Rolled: rolled, Rested: rested },
  told: { TimedOut: timedOut },
};
