/** Bunker War Z on the table: what `table/replay` asks of a game. The same as bunkerwar/replay.py. */
import { other, type Seat } from '../events';
import { type Event, requirePhase, requireTurn, type Table } from '../table/fold';
import { require } from '../table/refused';
import type { Act, Rules } from '../table/replay';
import { ends, STAY, type Step, tell } from '../table/steps';
import { after, type Replay, replay } from './replay';
import { HiddenInformation, missile, moveText, type State } from './rules';

const TIE = 2;

const opened: Act<Replay> = (game, _table, event) => {
  const words = event.arguments.parameters.slice(2).match(/.{64}/g) ?? [];
  const [lanes, depth, stacked] = words.map((word: string) => Number(BigInt(`0x${word}`)));
  const sized = lanes >= 1 && lanes <= 8 && depth >= 2 && depth <= 8 && stacked <= 1;
  const whole = words.length === 3 && event.arguments.parameters.length === 2 + 3 * 64;
  require(whole && sized, 'bunkerwar.parameters_malformed');
  return [after(game, event.told), STAY];
};

const drawn: Act<Replay> = (game, _table, event) => [after(game, event.told), STAY];

const placed: Act<Replay> = (game, table, event) => {
  requireTurn(table, event);
  return acted(after(game, event.told));
};

const sent: Act<Replay> = (game, table, event) => {
  requireTurn(table, event);
  const state = game.state as State;
  const { lane, seat } = event.arguments;
  const name = moveText(missile(lane));
  require(state.armed[seat as Seat], 'bunkerwar.not_armed', { missile: name, seat });
  require(knownStop(state, lane) === null, 'bunkerwar.stop_known', { missile: name });
  return [after(game, event.told), { wait: true }];
};

const resolved: Act<Replay> = (game, table, event) => {
  const { lane, stop } = event.arguments;
  const name = moveText(missile(lane));
  if (table.phase === 'waiting') {
    requireLanding(game, table, event, name);
  } else {
    requireTurn(table, event);
    const known = knownStop(game.state as State, lane) === stop;
    require(known, 'bunkerwar.wrong_stop', { missile: name, stop });
  }
  return acted(after(game, event.told));
};

function requireLanding(game: Replay, table: Table, event: Event, name: string): void {
  const { inFlight } = game;
  require(inFlight !== null, 'bunkerwar.nothing_awaited', { event: event.name });
  const { lane, seat } = event.arguments;
  const facts = { missile: name, in_flight: moveText(inFlight) };
  require(inFlight.lane === lane && seat === table.onTurn, 'bunkerwar.other_missile', facts);
}

const counting: Act<Replay> = (game, _table, event) => [after(game, event.told), STAY];

const settled: Act<Replay> = (game, table, event) => {
  requirePhase(table, event, 'waiting');
  const finished = game.state?.finished ?? false;
  require(finished, 'bunkerwar.nothing_awaited', { event: event.name });
  const { result } = event.arguments;
  require(result <= TIE, 'bunkerwar.unknown_result', { result });
  const due = result === TIE ? ends('drawn') : ends('won', [result]);
  return [after(game, event.told), { due }];
};

function acted(game: Replay): readonly [Replay, Step] {
  const state = game.state as State;
  if (state.finished) return [game, { wait: true, due: tell('CountingStarted') }];
  return [game, { turn: state.turn }];
}

/** Where everybody knows that a missile stops; null where its lane hides that. */
function knownStop(state: State, lane: number): number | null {
  const facts = { missile: moveText(missile(lane)) };
  require(lane < state.lanes, 'bunkerwar.unknown_lane', facts);
  try {
    return state.boards[other(state.turn)].stop(lane);
  } catch (error) {
    if (error instanceof HiddenInformation) return null;
    throw error;
  }
}

export const RULES: Rules<Replay> = {
  start: replay([]),
  seats: [2],
  following: ['CountingStarted'],
  events: {
    BuildingPlaced: { id: 'uint256', seat: 'uint8', lane: 'uint8', depth: 'uint8' },
    MissileSent: { id: 'uint256', seat: 'uint8', lane: 'uint8', stop: 'bytes32' },
    MissileResolved: { id: 'uint256', seat: 'uint8', lane: 'uint8', stop: 'uint8' },
    CountingStarted: { id: 'uint256', result: 'bytes32' },
    ResultSettled: { id: 'uint256', result: 'uint8' },
  },
  acts: {
    BuildingPlaced: placed,
    MissileSent: sent,
    MissileResolved: resolved,
    CountingStarted: counting,
    ResultSettled: settled,
  },
  told: { GameOpened: opened, FirstSeatDrawn: drawn },
};
