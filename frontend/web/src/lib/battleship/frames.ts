/** A game to step through: one frame for each event, with no more than was known at that move. */
import { type GameEvent, SEATS, type Seat, seatOf } from '../events';
import { unpackFleet } from './commitment';
import { BattleshipError } from './errors';
import { checkFleet, type Fleet } from './fleets';
import { after, type Replay, replay } from './replay';
import { type Answer, type Attack, attackAt, type State } from './rules';

/**
 * `game` is what was known after `event`, which says what happened; `seat`: whose event; `attack`: of a
 * shot and of its answer; `answer`: of the answer.
 */
export interface Frame {
  readonly event: GameEvent;
  readonly seat: Seat | null;
  readonly attack: Attack | null;
  readonly answer: Answer | null;
  readonly game: Replay;
}

/** As the public saw it: a legal fleet from its reveal on. Throws RecordInvalid. */
export function frames(events: readonly GameEvent[]): Frame[] {
  let game = replay([]);
  return events.map((event) => {
    const before = game;
    game = after(before, event);
    return frame(before, event, game);
  });
}

/** As the owner of `seat` saw it, who knew their fleet from the start. */
export function asKnown(frames: readonly Frame[], seat: Seat, fleet: Fleet): Frame[] {
  return frames.map((each) => {
    const { state } = each.game;
    if (!state) return each;
    return { ...each, game: { ...each.game, state: withOwn(state, seat, fleet) } };
  });
}

export function withOwn(state: State, seat: Seat, fleet: Fleet): State {
  return state.withBoard(seat, state.boards[seat].withFleet(fleet));
}

/** The fleet that a seat's reveal has shown; null where there is none, or it is not a legal one. */
export function revealedFleet(game: Replay, seat: Seat): Fleet | null {
  const shown = game.revealed[seat];
  if (!shown) return null;
  try {
    return checkFleet(game.size, unpackFleet(shown.placement as `0x${string}`));
  } catch (error) {
    if (error instanceof BattleshipError) return null;
    throw error;
  }
}

function frame(before: Replay, event: GameEvent, game: Replay): Frame {
  const answered = game.fired.length > before.fired.length ? game.fired.at(-1)?.shot : undefined;
  const cell = answered?.cell ?? (event.name === 'ShotFired' ? game.target : null);
  return {
    event,
    seat: seatOf(event),
    attack: cell === null ? null : attackAt(game.size, cell),
    answer: answered?.answer ?? null,
    game: withRevealed(game),
  };
}

function withRevealed(game: Replay): Replay {
  if (!game.state) return game;
  const state = SEATS.reduce((seen, seat) => {
    const fleet = revealedFleet(game, seat);
    return fleet ? withOwn(seen, seat, fleet) : seen;
  }, game.state);
  return { ...game, state };
}
