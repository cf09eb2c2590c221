/** One game from its events: the table's fold, with the game's own plugged in. As fogbound/replay.py. */
import { type GameEvent, RecordInvalid } from '../events';
import { type EventTypes, parseArguments } from './arguments';
import {
  EVENTS,
  type Event,
  FOLLOWING,
  START,
  type Table,
  type Terms,
  take,
  transition,
} from './fold';
import { Refused, require } from './refused';
import { STAY, type Step } from './steps';

export type Act<G> = (game: G, table: Table, event: Event) => readonly [G, Step];

/**
 * What a game adds to the table.
 *
 * `events`: its own; `acts`: what each of them makes of the game, and what the table (as it was before) does
 * then; `following`: those that come only where something has led to them. `told`: what events of the table
 * (which it has taken already) make of the game, and what they lead to where the table's own rule is not
 * meant. `before`: what must have been done without an event of its own, if this next event is true.
 * What it throws but Refused is refused as "rules broken".
 */
export interface Rules<G> {
  readonly start: G;
  readonly seats: readonly number[];
  readonly events: EventTypes;
  readonly acts: Readonly<Record<string, Act<G>>>;
  readonly told: Readonly<Record<string, Act<G>>>;
  readonly following: readonly string[];
  readonly before?: (game: G, table: Table, event: Event) => Step;
}

/** Where a game stands after `last`, its newest event. */
export interface Replayed<G> {
  readonly table: Table;
  readonly game: G;
  readonly last: Event | null;
}

/** An event as the API and records tell it. */
export type Placed = Pick<GameEvent, 'name' | 'arguments' | 'block' | 'index' | 'transaction'> & {
  readonly time: number;
};

/** Before the first event. */
export function start<G>(rules: Rules<G>): Replayed<G> {
  return { table: START, game: rules.start, last: null };
}

/** The game after one more event. Throws Refused where no game could have emitted it then. */
export function after<G>(
  played: Replayed<G>,
  told: Placed,
  rules: Rules<G>,
  terms: Terms,
): Replayed<G> {
  const event = parse(told, rules);
  let { table, last } = played;
  if (last) {
    checkOrder(last, event);
    const own = event.arguments.id === table.id;
    require(own, 'fogbound.event_of_other_game', { game_id: table.id });
  }
  if (!table.due) {
    const unannounced = rules.before?.(played.game, table, event) ?? STAY;
    table = take(table, unannounced, event.time, terms);
    if (table.due) last = event;
  }
  const together = last?.transaction === event.transaction;
  requireDue(table, event, rules, together);
  if (event.name === 'PaymentCredited' && !together) table = { ...table, unpaid: [] };
  return taken(table, played.game, event, rules, terms);
}

/** Fold whole transactions, from the first event on. Throws Refused. */
export function replay<G>(events: Iterable<Placed>, rules: Rules<G>, terms: Terms): Replayed<G> {
  let played = start(rules);
  for (const event of events) played = after(played, event, rules, terms);
  const { due } = played.table;
  require(due === null, 'fogbound.broken_off', { due: due?.event });
  return played;
}

function parse<G>(told: Placed, rules: Rules<G>): Event {
  const { name, block, index, transaction, time } = told;
  const types = [EVENTS, rules.events].find((known) => Object.hasOwn(known, name))?.[name];
  if (!types) throw new Refused('fogbound.event_unknown', { event: name });
  return { told, name, arguments: parseArguments(types, told), block, index, transaction, time };
}

function taken<G>(table: Table, game: G, event: Event, rules: Rules<G>, terms: Terms): Replayed<G> {
  let act = rules.acts[event.name];
  let now = table;
  if (Object.hasOwn(EVENTS, event.name)) {
    now = transition(table, event, terms);
    const { seats } = now;
    const wrong = event.name === 'GameOpened' && !rules.seats.includes(seats);
    require(!wrong, 'fogbound.wrong_seats', { seats });
    act = rules.told[event.name];
  } else {
    const seat = event.arguments.seat ?? 0;
    require(seat < Math.max(table.seats, 1), 'fogbound.unknown_seat', { seat });
  }
  const [next, step] = act ? byTheRules(act, game, now, event) : [game, STAY];
  if (!Object.hasOwn(EVENTS, event.name)) now = { ...now, due: null, unpaid: [] };
  return { table: take(now, step, event.time, terms), game: next, last: event };
}

function byTheRules<G>(act: Act<G>, game: G, table: Table, event: Event): readonly [G, Step] {
  try {
    return act(game, table, event);
  } catch (error) {
    if (error instanceof Refused || !(error instanceof Error)) throw error;
    const kind = error instanceof RecordInvalid ? 'RecordInvalid' : error.name;
    const facts = { event: event.name, error: kind, detail: error.message };
    throw new Refused('fogbound.rules_broken', facts);
  }
}

function requireDue<G>(table: Table, event: Event, rules: Rules<G>, together: boolean): void {
  const { due } = table;
  if (!due) {
    const follows = FOLLOWING.includes(event.name) || rules.following.includes(event.name);
    require(!follows, 'fogbound.event_uncaused', { event: event.name });
    return;
  }
  const fits = event.name === due.event && (due.seat === null || event.arguments.seat === due.seat);
  require(together && fits, 'fogbound.event_missing', { event: event.name, due: due.event });
}

function checkOrder(last: Event, event: Event): void {
  const sameBlock = event.block === last.block;
  const together = event.transaction === last.transaction;
  const later = event.block > last.block || (sameBlock && event.index > last.index);
  require(later && (sameBlock || !together), 'fogbound.events_unordered');
  const inTime = sameBlock ? event.time === last.time : event.time >= last.time;
  require(inTime, 'fogbound.time_unordered', { event: event.name });
}
