/** What a game's events say of it, checked against the rules: the public position and the proving. */
import {
  checked,
  ENDINGS,
  type Ending,
  flag,
  integer,
  other,
  RecordInvalid,
  SEATS,
  type Seat,
  seatIn,
  type Told,
  text,
  toSeat,
} from '../events';
import type { Kind } from './fleets';
import { apply, attackAt, judge, MISS, type Proof, type Shot, State, type Verdict } from './rules';

/** The event BoardCommitted: what one seat published. Bytes are 0x-hex. */
export interface Committed {
  readonly nonce: number;
  readonly root: string;
  readonly sealed: string;
}

/** The event BoardRevealed. Bytes are 0x-hex. */
export interface Revealed {
  readonly placement: string;
  readonly seed: string;
  readonly honest: boolean;
}

/** A shot of `seat` that was answered. */
export interface Fired {
  readonly seat: Seat;
  readonly shot: Shot;
}

/** An answer, in order; `hit` is null for a false opening. */
export interface Opened {
  readonly seat: Seat;
  readonly cell: number;
  readonly hit: boolean | null;
}

export type BySeat<T> = Readonly<Partial<Record<Seat, T>>>;

/**
 * A game as everybody saw it.
 *
 * `state`: null before the first seat is drawn; `target`: the cell whose answer is due; `beneficiary`:
 * who gains from how the shooting ended; `cheater`: who opened falsely; `asked`, `missed`: seats whose
 * proof was asked for, or did not come; `offers`: seats that offer a draw in this position; `winners`: mask
 * of seats.
 */
export interface Replay {
  readonly size: number;
  readonly state: State | null;
  readonly committed: BySeat<Committed>;
  readonly target: number | null;
  readonly fired: readonly Fired[];
  readonly openings: readonly Opened[];
  readonly players: BySeat<string>;
  readonly how: Ending;
  readonly beneficiary: Seat | null;
  readonly cheater: Seat | null;
  readonly asked: readonly Seat[];
  readonly missed: readonly Seat[];
  readonly revealed: BySeat<Revealed>;
  readonly offers: readonly Seat[];
  readonly ending: Ending;
  readonly winners: number;
  readonly result: readonly [Verdict, Seat | null] | null;
}

const START: Replay = {
  size: 0,
  state: null,
  committed: {},
  target: null,
  fired: [],
  openings: [],
  players: {},
  how: 'none',
  beneficiary: null,
  cheater: null,
  asked: [],
  missed: [],
  revealed: {},
  offers: [],
  ending: 'none',
  winners: 0,
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

/** Who owes an answer, and for which cell of their board. */
export function dueIn(game: Replay): { seat: Seat; cell: number } | null {
  if (!game.state || game.target === null || game.beneficiary !== null) return null;
  return { seat: other(game.state.turn), cell: game.target };
}

type Transition = (game: Replay, event: Told) => Replay;

const opened: Transition = (game, event) => ({
  ...game,
  size: Number(BigInt(text(event, 'parameters'))),
  players: { 0: text(event, 'creator') },
});

const seated: Transition = (game, event) => ({
  ...game,
  players: { ...game.players, [seatIn(event)]: text(event, 'player') },
});

const committed: Transition = (game, event) => {
  const seat = seatIn(event);
  ensure(!game.committed[seat], `seat ${seat} commits twice`);
  const made = {
    nonce: integer(event, 'nonce'),
    root: text(event, 'root'),
    sealed: text(event, 'sealedPlacement'),
  };
  return { ...game, committed: { ...game.committed, [seat]: made } };
};

const drawn: Transition = (game, event) => {
  ensure(
    SEATS.every((seat) => game.committed[seat]),
    'a game begins without two commitments',
  );
  return { ...game, state: State.start(game.size, [null, null], seatIn(event)) };
};

const shot: Transition = (game, event) => {
  ensureShooting(game);
  const state = position(game);
  const [seat, cell] = [seatIn(event), integer(event, 'cell')];
  ensure(seat === state.turn && game.target === null, `seat ${seat} fires out of turn`);
  apply(state, attackAt(game.size, cell), MISS); // refuses a cell that is none, or shot at before
  return { ...game, target: cell, offers: [] };
};

const answered: Transition = (game, event) => {
  const { seat, cell } = answerDue(game, event);
  const state = position(game);
  const sunk = integer(event, 'sunk') as Kind | 0;
  const answer = { hit: flag(event, 'hit'), sunk: sunk || null };
  const next = apply(state, attackAt(game.size, cell), answer);
  const now = {
    ...game,
    state: next,
    target: null,
    offers: [],
    fired: [...game.fired, { seat: state.turn, shot: { cell, answer } }],
    openings: [...game.openings, { seat, cell, hit: answer.hit }],
  };
  return next.winner === null ? now : won(now, next.winner, 'won');
};

const openedFalsely: Transition = (game, event) => {
  const { seat, cell } = answerDue(game, event);
  const openings = [...game.openings, { seat, cell, hit: null }];
  return won({ ...game, target: null, openings, cheater: seat }, other(seat), 'won');
};

const offered: Transition = (game, event) => {
  ensureShooting(game);
  const seat = seatIn(event);
  ensure(!game.offers.includes(seat), `seat ${seat} offers a draw twice`);
  return { ...game, offers: [...game.offers, seat] };
};

const resigned: Transition = (game, event) => won(game, other(seatIn(event)), 'resigned');

const timedOut: Transition = (game, event) => {
  const { turn } = position(game);
  const onTurn = game.target === null ? turn : other(turn);
  ensure(seatIn(event) === onTurn, `seat ${seatIn(event)} loses on the other's time`);
  return won(game, other(onTurn), 'timed_out');
};

const asked: Transition = (game, event) => {
  const seat = seatIn(event);
  ensure(
    !game.asked.includes(seat) && seat === nextAsked(game),
    `seat ${seat} has nothing to prove`,
  );
  return { ...game, asked: [...game.asked, seat] };
};

const missed: Transition = (game, event) => {
  const seat = seatIn(event);
  ensure(game.asked.includes(seat) && !hasAnswered(game, seat), `seat ${seat} owed no proof`);
  return { ...game, missed: [...game.missed, seat] };
};

const revealed: Transition = (game, event) => {
  const seat = seatIn(event);
  const late = game.result?.[0] === 'fair';
  ensure(
    !hasAnswered(game, seat) && (late || game.asked.includes(seat)),
    `seat ${seat} has no board to prove`,
  );
  const shown = {
    placement: text(event, 'placement'),
    seed: text(event, 'seed'),
    honest: flag(event, 'honest'),
  };
  return { ...game, revealed: { ...game.revealed, [seat]: shown } };
};

const ended: Transition = (game, event) => {
  const ending = ENDINGS[integer(event, 'outcome')];
  if (!ending) throw new RecordInvalid('an ending of no kind');
  const over = { ...game, ending, winners: integer(event, 'winners') };
  if (ending === 'drawn' && game.beneficiary === null) {
    ensure(
      SEATS.every((seat) => game.offers.includes(seat)),
      'a draw that not everybody offered',
    );
    return over;
  }
  return { ...over, result: verdict(over) };
};

/** What the proofs say; it must be how the game ended. */
function verdict(game: Replay): [Verdict, Seat | null] {
  ensure(
    game.asked.every((seat) => hasAnswered(game, seat)),
    'paid before anything was proved',
  );
  const [outcome, winner] = judge(gaining(game), [proof(game, 0), proof(game, 1)], game.cheater);
  const ways = { fair: game.how, failed_to_provide_proof: 'won', null: 'null' } as const;
  const mask = winner === null ? 0 : 1 << winner;
  ensure(
    game.ending === ways[outcome] && game.winners === mask,
    'the game did not end as its proofs say',
  );
  return [outcome, winner];
}

const TRANSITIONS: Readonly<Record<string, Transition>> = {
  GameOpened: opened,
  SeatTaken: seated,
  BoardCommitted: committed,
  FirstSeatDrawn: drawn,
  ShotFired: shot,
  ShotAnswered: answered,
  OpeningFalse: openedFalsely,
  DrawOffered: offered,
  Resigned: resigned,
  TimedOut: timedOut,
  ProofAsked: asked,
  ProofMissed: missed,
  BoardRevealed: revealed,
  GameEnded: ended,
};

/** Whose proof is asked for next: the beneficiary's; once they have failed, the other's, unless they are out. */
function nextAsked(game: Replay): Seat | null {
  const beneficiary = gaining(game);
  if (!game.asked.length) return beneficiary;
  const failed = hasAnswered(game, beneficiary) && proof(game, beneficiary) !== 'honest';
  return failed && game.cheater === null ? other(beneficiary) : null;
}

function proof(game: Replay, seat: Seat): Proof {
  const shown = game.revealed[seat];
  if (!shown) return 'silent';
  return shown.honest ? 'honest' : 'dishonest';
}

function hasAnswered(game: Replay, seat: Seat): boolean {
  return game.missed.includes(seat) || game.revealed[seat] !== undefined;
}

function won(game: Replay, beneficiary: Seat, how: Ending): Replay {
  ensureShooting(game);
  return { ...game, beneficiary, how };
}

function gaining(game: Replay): Seat {
  if (game.beneficiary === null) throw new RecordInvalid('nobody has gained anything');
  return game.beneficiary;
}

function position(game: Replay): State {
  if (!game.state) throw new RecordInvalid('the first seat is not drawn yet');
  return game.state;
}

function answerDue(game: Replay, event: Told): { seat: Seat; cell: number } {
  ensureShooting(game);
  const given = { seat: toSeat(integer(event, 'seat')), cell: integer(event, 'cell') };
  const due = dueIn(game);
  ensure(
    due?.seat === given.seat && due.cell === given.cell,
    `seat ${given.seat} answers what nobody asked`,
  );
  return given;
}

function ensureShooting(game: Replay): void {
  ensure(game.beneficiary === null && game.ending === 'none', 'the shooting is over');
}

function ensure(condition: boolean, otherwise: string): void {
  if (!condition) throw new RecordInvalid(otherwise);
}
