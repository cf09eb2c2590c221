/** A game as the public saw it, rebuilt from its events; what the rules do not allow is refused. */
import {
  checked,
  integer,
  other,
  RecordInvalid,
  type Seat,
  seatIn,
  type Told,
  text,
} from '../events';
import {
  apply,
  build,
  HIDDEN,
  HiddenInformation,
  type Missile,
  type Move,
  missile,
  moveText,
  type Outcome,
  State,
} from './rules';

/** What a game was opened with. */
export interface Parameters {
  readonly lanes: number;
  readonly depth: number;
  readonly stacked: boolean;
}

/** One action; a build is hidden. `stop`: of a missile, else null. */
export interface Played {
  readonly seat: Seat;
  readonly move: Move;
  readonly stop: number | null;
}

/** A handle (0x…) that was made publicly decryptable, and its value once it was brought. */
export interface Decrypted {
  readonly handle: string;
  readonly value: number | null;
}

/**
 * The public's view (`state`, null before the first seat is drawn) and how it came to be.
 *
 * `decrypted`: in order, the stops of missiles that flew at hidden lanes, then the result.
 */
export interface Replay {
  readonly parameters: Parameters | null;
  readonly state: State | null;
  readonly played: readonly Played[];
  readonly inFlight: Missile | null;
  readonly decrypted: readonly Decrypted[];
  readonly result: Outcome | null;
}

const START: Replay = {
  parameters: null,
  state: null,
  played: [],
  inFlight: null,
  decrypted: [],
  result: null,
};

/**
 * Fold one game's events, in order, onto `game` (default: nothing seen yet); the table's other events
 * change nothing. Throws RecordInvalid where no game could have emitted them so.
 */
export function replay(events: Iterable<Told>, game: Replay = START): Replay {
  for (const event of events) game = after(game, event);
  return game;
}

/** The game after one more event. */
export function after(game: Replay, event: Told): Replay {
  const transition = TRANSITIONS[event.name];
  return transition ? checked(event, () => transition(game, event)) : game;
}

/** What `parameters` of GameOpened say: abi.encode(uint8 lanes, uint8 depth, bool stacked). */
export function parseParameters(data: string): Parameters {
  const words = /^0x([0-9a-f]{64})([0-9a-f]{64})([0-9a-f]{64})$/.exec(data.toLowerCase());
  if (!words) throw new RecordInvalid(`parameters: ${data}`);
  const [lanes, depth, stacked] = words.slice(1).map((word) => Number(BigInt(`0x${word}`)));
  return { lanes: lanes as number, depth: depth as number, stacked: stacked === 1 };
}

/** What a decrypted result says: the winning seat, or 2 for a tie. */
export function winnerOf(result: number): Outcome {
  if (result === 0 || result === 1) return result;
  ensure(result === 2, `${result} is no result`);
  return 'tie';
}

type Transition = (game: Replay, event: Told) => Replay;

const opened: Transition = (game, event) => ({
  ...game,
  parameters: parseParameters(text(event, 'parameters')),
});

const drawn: Transition = (game, event) => {
  if (!game.parameters) throw new RecordInvalid('a first seat, but no game was opened');
  const { lanes, depth, stacked } = game.parameters;
  return { ...game, state: State.start(lanes, depth, { first: seatIn(event), stacked }) };
};

const placed: Transition = (game, event) => {
  ensure(!game.inFlight, 'a build while a missile is in flight');
  const move = build(integer(event, 'lane'), integer(event, 'depth'), HIDDEN);
  return act(game, seatIn(event), move, null);
};

const sent: Transition = (game, event) => {
  ensure(!game.inFlight, 'a missile while another is in flight');
  const inFlight = missile(integer(event, 'lane'));
  ensure(seatIn(event) === position(game).turn, 'a missile out of turn');
  ensure(knownStop(game, inFlight) === null, `${moveText(inFlight)} needs no decryption`);
  return { ...awaiting(game, text(event, 'stop')), inFlight };
};

const resolved: Transition = (game, event) => {
  const [flown, stop, seat] = [
    missile(integer(event, 'lane')),
    integer(event, 'stop'),
    seatIn(event),
  ];
  const name = moveText(flown);
  if (!game.inFlight) {
    ensure(knownStop(game, flown) === stop, `${name} cannot stop at ${stop} at once`);
    return act(game, seat, flown, stop);
  }
  ensure(game.inFlight.lane === flown.lane, `${name} resolved while another is in flight`);
  return { ...act(bring(game, stop), seat, flown, stop), inFlight: null };
};

const counting: Transition = (game, event) => {
  ensure(position(game).finished, 'counting before the last action');
  return awaiting(game, text(event, 'result'));
};

const settled: Transition = (game, event) => {
  ensure(position(game).finished, 'a result before the last action');
  const result = integer(event, 'result');
  return { ...bring(game, result), result: winnerOf(result) };
};

const TRANSITIONS: Readonly<Record<string, Transition>> = {
  GameOpened: opened,
  FirstSeatDrawn: drawn,
  BuildingPlaced: placed,
  MissileSent: sent,
  MissileResolved: resolved,
  CountingStarted: counting,
  ResultSettled: settled,
};

function position(game: Replay): State {
  if (!game.state) throw new RecordInvalid('the first seat is not drawn');
  return game.state;
}

function act(game: Replay, seat: Seat, move: Move, stop: number | null): Replay {
  const state = position(game);
  ensure(state.turn === seat, `${moveText(move)} by seat ${seat}, which is not on turn`);
  return {
    ...game,
    state: apply(state, move, stop),
    played: [...game.played, { seat, move, stop }],
  };
}

function awaiting(game: Replay, handle: string): Replay {
  return { ...game, decrypted: [...game.decrypted, { handle, value: null }] };
}

/** The last decryption asked for has this value. */
function bring(game: Replay, value: number): Replay {
  const last = game.decrypted.at(-1);
  if (!last || last.value !== null) throw new RecordInvalid('nothing is awaited');
  return { ...game, decrypted: [...game.decrypted.slice(0, -1), { ...last, value }] };
}

/** Where everybody knows that it stops; null where its lane hides that. */
function knownStop(game: Replay, flown: Missile): number | null {
  const state = position(game);
  ensure(flown.lane < state.lanes, `${moveText(flown)}: no such lane`);
  try {
    return state.boards[other(state.turn)].stop(flown.lane);
  } catch (error) {
    if (error instanceof HiddenInformation) return null;
    throw error;
  }
}

function ensure(condition: boolean, otherwise: string): void {
  if (!condition) throw new RecordInvalid(otherwise);
}
