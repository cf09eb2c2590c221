/**
 * The table's state as a fold of its events: what ITable's views say, and nothing that it cannot have told.
 *
 * The same as fogbound/fold.py. Times are seconds since 1970, durations seconds, draws' targets block
 * numbers, money wei.
 */
import { zeroAddress } from 'viem';
import type { Phase } from '../chain/game';
import { ENDINGS, type Ending, type Told } from '../events';
import type { Arguments, EventTypes } from './arguments';
import { require } from './refused';
import { type Due, type End, ends, pays, type Step } from './steps';

/** One event in its place, its arguments typed (`told`: as they came); `time`: the block's timestamp. */
export interface Event {
  readonly told: Told;
  readonly name: string;
  readonly arguments: Arguments;
  readonly block: number;
  readonly index: number;
  readonly transaction: string;
  readonly time: number;
}

/** What a deployment decides for all its games, in seconds. */
export interface Terms {
  readonly clocks: { readonly wait: number; readonly notice: number; readonly proof: number };
  readonly controls: readonly { readonly move: number; readonly keepAlives: number }[];
}

/** The last second for a seat's proof, and whether it is still owed. */
export type ProofClock = readonly [deadline: number, owed: boolean];
/** An account and what it is to be paid. */
export type Payment = readonly [account: string, amount: bigint];

/**
 * One game's table: ITable.Turn and seatsOf, and what its end paid. Lists are by seat.
 *
 * `doubtful`: by how much `moveNumber` may be higher, where a contract made two moves in one transaction
 * that look like one. `due`: what must come next, in the same transaction. `unpaid`: payments that this
 * transaction makes, each of which may be credited instead.
 */
export interface Table {
  readonly id: bigint;
  readonly phase: Phase;
  readonly outcome: Ending;
  readonly seats: number;
  readonly control: number;
  readonly stake: bigint;
  readonly parameters: string;
  readonly players: readonly (string | null)[];
  readonly invited: string | null;
  readonly firstSeat: number | null;
  readonly onTurn: number;
  readonly consents: readonly number[];
  readonly keepAlives: readonly number[];
  readonly winners: readonly number[];
  readonly voidAnnounced: boolean;
  readonly moveNumber: number;
  readonly doubtful: number;
  readonly deadline: number;
  readonly mark: number;
  readonly proofs: readonly (ProofClock | null)[];
  readonly amounts: readonly bigint[];
  readonly rake: bigint;
  readonly credits: readonly Payment[];
  readonly due: Due | null;
  readonly unpaid: readonly Payment[];
}

export const START: Table = {
  id: 0n,
  phase: 'none',
  outcome: 'none',
  seats: 0,
  control: 0,
  stake: 0n,
  parameters: '0x',
  players: [],
  invited: null,
  firstSeat: null,
  onTurn: 0,
  consents: [],
  keepAlives: [],
  winners: [],
  voidAnnounced: false,
  moveNumber: 0,
  doubtful: 0,
  deadline: 0,
  mark: 0,
  proofs: [],
  amounts: [],
  rake: 0n,
  credits: [],
  due: null,
  unpaid: [],
};

const MOST_SEATS = 4;
const DRAW_DELAY = 2; // blocks
export const OUT_OF_REACH = 256; // blocks; on some chains a hash is known longer
const LARGEST_STAKE = 2n ** 96n - 1n;

export function requirePhase(table: Table, event: Event, ...phases: Phase[]): void {
  const facts = { event: event.name, phase: table.phase };
  require(phases.includes(table.phase), 'fogbound.wrong_phase', facts);
}

/** It must be a move of the seat on turn. */
export function requireTurn(table: Table, event: Event): void {
  requirePhase(table, event, 'playing');
  const { seat } = event.arguments;
  require(seat === table.onTurn, 'fogbound.not_on_turn', { event: event.name, seat });
}

export function owes(table: Table, seat: number): boolean {
  return table.proofs[seat]?.[1] ?? false;
}

/** The table after a step of its game at `time`. */
export function take(table: Table, step: Step, time: number, terms: Terms): Table {
  if (step.turn !== undefined) {
    const moved = newPosition(table, step.joined ?? false);
    table = reach(moved, time + moveClock(table, terms));
    table = { ...table, phase: 'playing', onTurn: step.turn, voidAnnounced: false };
  }
  if (step.wait) {
    table = newPosition(table, step.joined ?? false);
    table = { ...table, phase: 'waiting', mark: time, voidAnnounced: false };
  }
  if (step.proved !== undefined) table = closeProof(table, step.proved);
  return step.due ? { ...table, due: step.due } : table;
}

function newPosition(table: Table, joined: boolean): Table {
  const { moveNumber, doubtful } = table;
  const counted = joined ? { doubtful: doubtful + 1 } : { moveNumber: moveNumber + 1 };
  return { ...table, ...counted, consents: [] };
}

function reach(table: Table, deadline: number): Table {
  return { ...table, deadline: Math.max(table.deadline, deadline) };
}

function moveClock(table: Table, terms: Terms): number {
  return control(table, terms).move;
}

function control(table: Table, terms: Terms): Terms['controls'][number] {
  return terms.controls[table.control] as Terms['controls'][number];
}

function closeProof(table: Table, seat: number): Table {
  require(owes(table, seat), 'fogbound.proof_not_owed', { seat });
  const deadline = table.proofs[seat]?.[0] ?? 0;
  return { ...table, proofs: table.proofs.with(seat, [deadline, false]) };
}

function taken(table: Table): number[] {
  return table.players.flatMap((player, seat) => (player === null ? [] : [seat]));
}

function others(table: Table, seat: number): number[] {
  return taken(table).filter((each) => each !== seat);
}

type Transition = (table: Table, event: Event, terms: Terms) => Table;

// ── before the game ──

const opened: Transition = (table, event, terms) => {
  const { id, seats, control, creator, stake, parameters } = event.arguments;
  const opponent = event.arguments.opponent === zeroAddress ? null : event.arguments.opponent;
  require(seats >= 2 && seats <= MOST_SEATS, 'fogbound.wrong_seats', { seats });
  require(control < terms.controls.length, 'fogbound.control_unknown', { control });
  require(stake <= LARGEST_STAKE, 'fogbound.stake_too_large', { stake });
  const welcome = opponent === null || (seats === 2 && opponent !== creator);
  require(welcome, 'fogbound.opponent_refused', { opponent });
  return {
    ...table,
    id,
    phase: 'open',
    seats,
    control,
    stake,
    parameters,
    players: [creator, ...new Array(seats - 1).fill(null)],
    invited: opponent,
    keepAlives: new Array(seats).fill(0),
    proofs: new Array(seats).fill(null),
  };
};

const seated: Transition = (table, event) => {
  const { seat, player, target } = event.arguments;
  const invited = table.invited === null || table.invited === player;
  const welcome =
    seat === table.players.indexOf(null) && !table.players.includes(player) && invited;
  require(welcome, 'fogbound.seat_refused', { seat, player });
  const players = table.players.with(seat, player);
  const full = !players.includes(null);
  const expected = full ? event.block + DRAW_DELAY : 0;
  require(target === BigInt(expected), 'fogbound.wrong_target', { target, expected });
  return { ...table, players, phase: full ? 'drawing' : 'open', mark: expected, invited: null };
};

const left: Transition = (table, event) => {
  const { seat, player } = event.arguments;
  const sits = table.players[seat] === player && taken(table).length > 1;
  require(sits, 'fogbound.seat_not_taken', { seat, player });
  const players = table.players.with(seat, null);
  return { ...table, players, unpaid: payments([player], [table.stake]) };
};

const cancelled: Transition = (table) => {
  const seats = taken(table);
  require(seats.includes(0) || seats.length === 1, 'fogbound.cancel_refused');
  const stakes = table.players.map(() => table.stake);
  return { ...table, phase: 'cancelled', unpaid: payments(table.players, stakes) };
};

const drawn: Transition = (table, event, terms) => {
  const { seat, word } = event.arguments;
  require(event.block > table.mark, 'fogbound.draw_not_yet', { target: table.mark });
  require(BigInt(seat) === word % BigInt(table.seats), 'fogbound.wrong_first_seat');
  const deadline = event.time + moveClock(table, terms);
  requireDeadline(event, event.arguments.deadline, deadline);
  return { ...table, phase: 'playing', firstSeat: seat, onTurn: seat, deadline };
};

const rescheduled: Transition = (table, event) => {
  const { target } = event.arguments;
  const missed = event.block > table.mark + OUT_OF_REACH;
  require(missed, 'fogbound.draw_not_missed', { target: table.mark });
  const expected = event.block + DRAW_DELAY;
  require(target === BigInt(expected), 'fogbound.wrong_target', { target, expected });
  return { ...table, mark: expected };
};

// ── during the game ──

const extended: Transition = (table, event, terms) => {
  requireTurn(table, event);
  const seat = table.onTurn;
  const used = table.keepAlives[seat] ?? 0;
  const { move, keepAlives } = control(table, terms);
  require(used < keepAlives, 'fogbound.no_keep_alive', { seat });
  const deadline = Math.max(table.deadline, event.time) + move;
  requireDeadline(event, event.arguments.deadline, deadline);
  return { ...table, keepAlives: table.keepAlives.with(seat, used + 1), deadline };
};

const offered: Transition = (table, event) => {
  const seat = seatIn(table, event);
  const number = Number(event.arguments.moveNumber);
  const { moveNumber: current, doubtful } = table;
  const there = number >= current && number <= current + doubtful;
  require(there, 'fogbound.stale_offer', { given: number, current });
  require(!table.consents.includes(seat), 'fogbound.offered_twice', { seat });
  const consents = [...table.consents, seat].sort();
  const due = consents.length === taken(table).length ? ends('drawn') : null;
  return { ...table, consents, moveNumber: number, doubtful: 0, due };
};

const resigned: Transition = (table, event) => {
  const seat = seatIn(table, event);
  return { ...table, due: ends('resigned', others(table, seat)) };
};

const timedOut: Transition = (table, event) => {
  requireTurn(table, event);
  requirePassed(event, table.deadline);
  return { ...table, due: ends('timed_out', others(table, table.onTurn)) };
};

// ── proving, waiting ──

const asked: Transition = (table, event, terms) => {
  const seat = seatIn(table, event);
  require(table.proofs[seat] === null, 'fogbound.proof_asked_twice', { seat });
  const deadline = event.time + terms.clocks.proof;
  requireDeadline(event, event.arguments.deadline, deadline);
  const proofs = table.proofs.with(seat, [deadline, true]);
  return reach({ ...table, phase: 'proving', proofs }, deadline);
};

const missed: Transition = (table, event) => {
  const seat = seatIn(table, event);
  const closed = closeProof(table, seat);
  requirePassed(event, table.proofs[seat]?.[0] ?? 0);
  return { ...closed, due: ends('null') };
};

const announced: Transition = (table, event, terms) => {
  require(!table.voidAnnounced, 'fogbound.void_announced_twice');
  requireFrom(event, table.mark + terms.clocks.wait);
  requireDeadline(event, event.arguments.voidTime, event.time + terms.clocks.notice);
  return { ...table, voidAnnounced: true, mark: event.time };
};

const voided: Transition = (table, event, terms) => {
  require(table.voidAnnounced, 'fogbound.void_not_announced');
  requireFrom(event, table.mark + terms.clocks.notice);
  return { ...table, due: ends('voided') };
};

// ── the end ──

function ended(table: Table, end: End, event: Event, terms: Terms): Table {
  const { outcome, winners, amounts, rake } = event.arguments;
  const given = ENDINGS[outcome] ?? String(outcome);
  require(given === end.outcome, 'fogbound.wrong_ending', { given, expected: end.outcome });
  const mask = end.winners.reduce((seats, seat) => seats | (1 << seat), 0);
  require(winners === mask, 'fogbound.wrong_winners');
  const expected = pays(end, table.stake, table.seats);
  require(String(amounts) === String(expected), 'fogbound.wrong_payment');
  const paid = expected.reduce((sum, amount) => sum + amount, 0n);
  require(paid + rake === table.stake * BigInt(table.seats), 'fogbound.pot_not_paid');
  if (end.lateProof) table = reach(table, event.time + terms.clocks.proof);
  return {
    ...table,
    phase: 'ended',
    outcome: end.outcome,
    winners: [...end.winners].sort(),
    amounts,
    rake,
    unpaid: payments(table.players, amounts),
  };
}

/** Payments go out in order of seats, so those before it were taken. */
const credited: Transition = (table, event) => {
  const { account, amount } = event.arguments;
  const place = table.unpaid.findIndex(([who, wei]) => who === account && wei === amount);
  require(place >= 0, 'fogbound.wrong_credit', { account, amount });
  const credits = [...table.credits, [account, amount] as const];
  return { ...table, credits, unpaid: table.unpaid.slice(place + 1) };
};

function payments(accounts: readonly (string | null)[], amounts: readonly bigint[]): Payment[] {
  return accounts.flatMap((account, seat) => {
    const amount = amounts[seat];
    return account && amount ? [[account, amount] as const] : [];
  });
}

// ── checks ──

function seatIn(table: Table, event: Event): number {
  const { seat } = event.arguments;
  require(seat < table.seats, 'fogbound.unknown_seat', { seat });
  return seat;
}

function requireDeadline(event: Event, given: bigint, expected: number): void {
  const facts = { event: event.name, given, expected };
  require(given === BigInt(expected), 'fogbound.wrong_deadline', facts);
}

function requirePassed(event: Event, deadline: number): void {
  const facts = { event: event.name, time: event.time, deadline };
  require(event.time > deadline, 'fogbound.deadline_not_passed', facts);
}

function requireFrom(event: Event, first: number): void {
  const facts = { event: event.name, time: event.time, first };
  require(event.time >= first, 'fogbound.void_too_early', facts);
}

const UNDER_WAY: readonly Phase[] = ['playing', 'waiting'];
const TRANSITIONS: Readonly<Record<string, readonly [readonly Phase[], Transition]>> = {
  GameOpened: [['none'], opened],
  SeatTaken: [['open'], seated],
  SeatLeft: [['open'], left],
  GameCancelled: [['open'], cancelled],
  FirstSeatDrawn: [['drawing'], drawn],
  DrawRescheduled: [['drawing'], rescheduled],
  ClockExtended: [['playing'], extended],
  DrawOffered: [UNDER_WAY, offered],
  Resigned: [['drawing', ...UNDER_WAY], resigned],
  TimedOut: [['playing'], timedOut],
  ProofAsked: [['drawing', ...UNDER_WAY, 'proving'], asked],
  ProofMissed: [['proving'], missed],
  VoidAnnounced: [['waiting'], announced],
  GameVoided: [['waiting'], voided],
  PaymentCredited: [['open', 'ended', 'cancelled'], credited],
};

/** The table's events that come only where something has led to them. */
export const FOLLOWING: readonly string[] = ['ProofAsked', 'GameEnded'];

export const EVENTS: EventTypes = {
  GameOpened: {
    id: 'uint256',
    creator: 'address',
    opponent: 'address',
    seats: 'uint8',
    control: 'uint8',
    stake: 'uint256',
    parameters: 'bytes',
  },
  SeatTaken: { id: 'uint256', player: 'address', seat: 'uint8', target: 'uint256' },
  SeatLeft: { id: 'uint256', player: 'address', seat: 'uint8' },
  GameCancelled: { id: 'uint256' },
  FirstSeatDrawn: { id: 'uint256', seat: 'uint8', word: 'uint256', deadline: 'uint256' },
  DrawRescheduled: { id: 'uint256', target: 'uint256' },
  ClockExtended: { id: 'uint256', seat: 'uint8', deadline: 'uint256' },
  DrawOffered: { id: 'uint256', seat: 'uint8', moveNumber: 'uint256' },
  Resigned: { id: 'uint256', seat: 'uint8' },
  TimedOut: { id: 'uint256', seat: 'uint8' },
  ProofAsked: { id: 'uint256', seat: 'uint8', deadline: 'uint256' },
  ProofMissed: { id: 'uint256', seat: 'uint8' },
  VoidAnnounced: { id: 'uint256', voidTime: 'uint256' },
  GameVoided: { id: 'uint256' },
  GameEnded: {
    id: 'uint256',
    outcome: 'uint8',
    winners: 'uint8',
    amounts: 'uint256[]',
    rake: 'uint256',
  },
  PaymentCredited: { id: 'uint256', account: 'address', amount: 'uint256' },
};

/** The table after one of its own events, in order. Throws Refused. */
export function transition(table: Table, event: Event, terms: Terms): Table {
  const end = table.due?.end;
  const unpaid = event.name === 'PaymentCredited' ? table.unpaid : [];
  const now = { ...table, due: null, unpaid };
  if (event.name === 'GameEnded' && end) return ended(now, end, event, terms);
  const [phases, apply] = TRANSITIONS[event.name] as readonly [readonly Phase[], Transition];
  requirePhase(table, event, ...phases);
  return apply(now, event, terms);
}
