/** What a Bunker War Z board shows: cells and missiles of one frame. Pure. */
import type { Cell, Flight, Mark } from '../../board/types';
import type { Frame } from '../../lib/bunkerwar/frames';
import {
  type Board,
  BUNKER,
  type Cell as Content,
  HIDDEN,
  HOUSE,
  letter,
  SHOWN,
} from '../../lib/bunkerwar/rules';
import type { Seat } from '../../lib/events';
import { t } from '../../lib/i18n';
import { enemySide, type Layout, type Place, placeOf, shape } from './layout';

type Building = Extract<Mark, 'house' | 'bunker' | 'shown' | 'hidden'>;

const MARKS: Readonly<Partial<Record<Content, Building>>> = {
  [HOUSE]: 'house',
  [BUNKER]: 'bunker',
  [SHOWN]: 'shown',
  [HIDDEN]: 'hidden',
};

export function markOf(content: Content | undefined): Building | undefined {
  return content && MARKS[content];
}

export interface View {
  readonly board: Board;
  readonly layout: Layout;
  /** Whether choosing the cell at a place does something now. */
  readonly playable: (place: Place) => boolean;
  /** The place of the last build, or the lane of the last missile, on this board. */
  readonly last: Partial<Place> | null;
  /** A build that is sent and not on the chain yet. */
  readonly pending: (Place & { readonly cell: Content }) | null;
}

/** The cells in reading order. */
export function cells(view: View): Cell[] {
  const { rows, columns } = shape(view.layout);
  return Array.from({ length: rows * columns }, (_, index) =>
    cell(view, placeOf(view.layout, index)),
  );
}

function cell({ board, playable, last, pending }: View, place: Place): Cell {
  const waits = pending?.lane === place.lane && pending.depth === place.depth;
  const content = waits ? pending.cell : board.at(place.lane, place.depth);
  return {
    name: name(place, content, waits),
    mark: markOf(content),
    playable: playable(place),
    last: last?.lane === place.lane && (last.depth === undefined || last.depth === place.depth),
    pending: waits,
  };
}

function name({ lane, depth }: Place, content: Content | undefined, pending: boolean): string {
  const what = t(`bunkerwar.cell.${markOf(content) ?? 'empty'}`);
  const named = t('bunkerwar.cell', { lane: letter(lane), depth: depth + 1, what });
  return pending ? t('bunkerwar.cellPending', { cell: named }) : named;
}

/** What was done on the board of `seat` by the frame's action. */
export function lastOn(frame: Frame | undefined, seat: Seat): Partial<Place> | null {
  if (!frame?.move) return null;
  const { move } = frame;
  if (move.kind === 'build') return frame.seat === seat ? move : null;
  return frame.seat === seat ? null : { lane: move.lane };
}

/** The missile of `frame` at the board of `seat`; `before`: that board until then. */
export function flightAt(
  frame: Frame | undefined,
  seat: Seat,
  before: Board | undefined,
  layout: Layout,
): Flight | null {
  if (frame?.move?.kind !== 'missile' || frame.seat === seat || !before) return null;
  const { lane } = frame.move;
  const until = frame.stop === null ? layout.depth : Math.max(frame.stop - 1, 0);
  const depths = Array.from({ length: layout.depth - until }, (_, step) => layout.depth - 1 - step);
  return {
    key: String(frame.event.seq),
    from: enemySide(layout),
    line: lane,
    passed: depths.map((depth) => markOf(before.at(lane, depth))),
    stopped: (frame.stop ?? 0) > 0,
    waiting: frame.stop === null,
  };
}

/** A missile that is being sent: it waits at the edge. */
export function launchAt(lane: number, layout: Layout): Flight {
  const from = enemySide(layout);
  return { key: 'launch', from, line: lane, passed: [], stopped: false, waiting: true };
}
