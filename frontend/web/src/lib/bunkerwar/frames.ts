/** A game to step through: one frame for each event, with no more than was known at that move. */
import { type GameEvent, type Seat, seatOf, withSeat } from '../events';
import { after, type Replay, replay } from './replay';
import { type Board, BUNKER, EMPTY, HIDDEN, HOUSE, type Move, SHOWN, type State } from './rules';

/**
 * `game` is what was known after `event`, which says what happened; `seat`: whose event, `move` and
 * `stop` where it is an action (a missile that flies has a move and no stop yet).
 */
export interface Frame {
  readonly event: GameEvent;
  readonly seat: Seat | null;
  readonly move: Move | null;
  readonly stop: number | null;
  readonly game: Replay;
}

/** As the public saw it. Throws RecordInvalid. */
export function frames(events: readonly GameEvent[]): Frame[] {
  let game = replay([]);
  return events.map((event) => {
    const before = game;
    game = after(before, event);
    return frame(before, event, game);
  });
}

/**
 * As the owner of `seat` saw it. `own`: their board at the end of `frames`, decrypted (hidden cells of it
 * stay hidden). From when they built, they knew: what a missile destroyed was a house, what still stands
 * `own` tells.
 */
export function asKnown(frames: readonly Frame[], seat: Seat, own: Board): Frame[] {
  let later: Board | null = null;
  const known = frames.toReversed().map((each) => {
    const { state } = each.game;
    if (!state) return each;
    const board = state.boards[seat];
    later = later ? earlier(board, later) : merged(board, own);
    const boards = withSeat(state.boards, seat, later);
    return withBuild({ ...each, game: { ...each.game, state: state.with({ boards }) } }, seat);
  });
  return known.toReversed();
}

/** A position with the cells of `own` where it shows a building as hidden. */
export function withOwn(state: State, seat: Seat, own: Board): State {
  return state.with({ boards: withSeat(state.boards, seat, merged(state.boards[seat], own)) });
}

/** `own` may be older or newer than `board`: what it does not tell stays hidden. */
function merged(board: Board, own: Board): Board {
  return board.map((cell, lane, depth) => {
    if (cell !== HIDDEN) return cell;
    const told = own.at(lane, depth) ?? EMPTY;
    if (told === SHOWN) return BUNKER;
    return told === EMPTY ? HIDDEN : told;
  });
}

/** What the owner knew of `board` (public), given what they knew one event later. */
function earlier(board: Board, later: Board): Board {
  return board.map((cell, lane, depth) => {
    if (cell !== HIDDEN) return cell;
    const then = later.at(lane, depth) ?? EMPTY;
    if (then === SHOWN) return BUNKER;
    return then === EMPTY ? HOUSE : then;
  });
}

function withBuild(frame: Frame, seat: Seat): Frame {
  const { move } = frame;
  if (move?.kind !== 'build' || frame.seat !== seat) return frame;
  const cell = frame.game.state?.boards[seat].at(move.lane, move.depth);
  return cell ? { ...frame, move: { ...move, cell } } : frame;
}

function frame(before: Replay, event: GameEvent, game: Replay): Frame {
  const acted = game.played.length > before.played.length ? game.played.at(-1) : undefined;
  return {
    event,
    seat: seatOf(event),
    move: acted?.move ?? (event.name === 'MissileSent' ? game.inFlight : null),
    stop: acted?.stop ?? null,
    game,
  };
}
