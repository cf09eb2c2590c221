/** What the table knows of one game, as a value: ITable.turnOf and seatsOf. */
import { type Address, zeroAddress } from 'viem';
import { ENDINGS, type Ending, SEATS, type Seat } from '../events';

export const PHASES = [
  'none',
  'open',
  'drawing',
  'playing',
  'waiting',
  'proving',
  'ended',
  'cancelled',
] as const;
export type Phase = (typeof PHASES)[number];

/** `players[s]` is null where seat s is free; `stake` in wei; `deadline` in seconds since 1970; `mark` is
 * a block while the first seat is drawn, seconds while the game waits. */
export interface Game {
  readonly id: number;
  readonly phase: Phase;
  readonly outcome: Ending;
  readonly players: readonly (Address | null)[];
  readonly stake: bigint;
  readonly invited: Address | null;
  readonly onTurn: Seat;
  readonly consents: readonly Seat[];
  readonly keepAlives: readonly number[];
  readonly winners: readonly Seat[];
  readonly voidAnnounced: boolean;
  readonly control: number;
  readonly moveNumber: number;
  readonly deadline: number;
  readonly mark: number;
}

interface Turn {
  phase: number;
  outcome: number;
  seats: number;
  onTurn: number;
  consents: number;
  keepAlives: number;
  winners: number;
  voidAnnounced: boolean;
  control: number;
  moveNumber: number;
  deadline: number;
  mark: number;
}
type Seats = readonly [readonly Address[], bigint, Address];

/** From what the two views return. */
export function parseGame(id: number, turn: Turn, [players, stake, opponent]: Seats): Game {
  return {
    id,
    phase: PHASES[turn.phase] ?? 'none',
    outcome: ENDINGS[turn.outcome] ?? 'none',
    players: players.map(somebody),
    stake,
    invited: somebody(opponent),
    onTurn: turn.onTurn === 0 ? 0 : 1,
    consents: seatsIn(turn.consents),
    keepAlives: SEATS.map((seat) => (turn.keepAlives >> (2 * seat)) & 3),
    winners: seatsIn(turn.winners),
    voidAnnounced: turn.voidAnnounced,
    control: turn.control,
    moveNumber: turn.moveNumber,
    deadline: turn.deadline,
    mark: turn.mark,
  };
}

export function seatOf(game: Game, player: Address): Seat | null {
  return SEATS.find((seat) => game.players[seat] === player) ?? null;
}

function somebody(address: Address): Address | null {
  return address === zeroAddress ? null : address;
}

function seatsIn(mask: number): Seat[] {
  return SEATS.filter((seat) => (mask >> seat) & 1);
}
