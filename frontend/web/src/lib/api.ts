/** Client of the HTTP API. Amounts are decimal strings of wei, addresses checksummed. */
import * as v from 'valibot';
import type { Address, Hex } from 'viem';
import * as answers from './answers';
import type { GameEvent, Kind, Seat } from './events';
import { learnTime } from './time';

export type { GameEvent, Kind, Seat };
export const KINDS: readonly Kind[] = ['bunkerwar', 'battleship'];
export type Wei = string;
export type Phase = 'open' | 'drawing' | 'playing' | 'waiting' | 'proving' | 'ended' | 'cancelled';
export type Outcome = 'none' | 'won' | 'drawn' | 'resigned' | 'timed_out' | 'null' | 'voided';
export type Status = 'open' | 'live' | 'finished';

export interface Block {
  number: number;
  timestamp: number;
}
/** In seconds: until a void may be announced, from there to the void, for a proof. */
export interface Clocks {
  wait: number;
  notice: number;
  proof: number;
}
/** Seconds for a move, and how often a game a player may take as many again. */
export interface TimeControl {
  move: number;
  keepAlives: number;
}
export interface GameConfig {
  contract: Address;
  encrypted: boolean;
  clocks: Clocks;
  controls: TimeControl[];
  deploymentBlock: number;
}
export interface Bot {
  kind: Kind;
  address: Address;
  name: string;
}
export interface Config {
  chainId: number;
  local: boolean;
  block: Block;
  games: Partial<Record<Kind, GameConfig>>;
  bots: Bot[];
  faucet: { wei: Wei } | null;
  leastRatedStake: Wei;
}
export interface Parameters {
  bunkerwar: { lanes: number; depth: number; stacked: boolean };
  battleship: { size: number };
}
interface SummaryOf<K extends Kind> {
  kind: K;
  id: number;
  /** Of two copies, the greater is the newer. */
  sequence: number;
  phase: Phase;
  outcome: Outcome;
  players: (Address | null)[];
  stake: Wei;
  invited: Address | null;
  listed: boolean;
  onTurn: Seat | null;
  winners: Seat[];
  amounts: Wei[] | null;
  rake: Wei | null;
  parameters: Parameters[K];
  consents: Seat[];
  keepAlives: number[];
  voidAnnounced: boolean | number | null;
  moveNumber: number;
  /** Of the game's time controls, by its index. */
  control: number;
  /** The last second in which the player on turn cannot lose on time; null where no clock runs. */
  deadline: number | null;
  /** Drawing: the block whose hash draws the first seat. Waiting: since which second. */
  mark: number;
  openedBlock: number;
  openedAt: number;
  updatedBlock: number;
  updatedAt: number;
  endedAt: number | null;
}
export type Summary = { [K in Kind]: SummaryOf<K> }[Kind];
export type Game = Summary & { events: GameEvent[] };
export interface Rating {
  value: number;
  deviation: number;
  games: number;
}
export interface Results {
  rating: Rating | null;
  played: number;
  won: number;
  lost: number;
  drawn: number;
}
export interface Profile {
  address: Address;
  bot: string | boolean | null;
  kinds: Partial<Record<Kind, Results>>;
  running: number;
}
export interface Ranked {
  rank: number;
  address: Address;
  bot: string | boolean | null;
  rating: number;
  deviation: number;
  games: number;
  won: number;
  lost: number;
  drawn: number;
}
/** Why a record is not valid: a stable code and what it speaks of; `message` says it in English. */
export interface Refusal {
  code: string;
  parameters: Readonly<Record<string, string>>;
  message: string;
}
/** `onChain`: null where the record is of another chain, or not valid. */
export interface Verdict {
  valid: boolean;
  reason: Refusal | null;
  onChain: boolean | null;
}
export interface GamesQuery {
  kind?: Kind;
  status?: Status;
  player?: Address;
  invited?: Address;
  before?: string;
  limit?: number;
}

/** The server refused: `code` is its snake_case reason, `status` HTTP's. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

/** Nothing came back from the server. */
export class ServerUnreachable extends Error {
  override readonly name = 'ServerUnreachable';
}

/** The server is of another version than this page, or something else answers in its place. */
export class ServerForeign extends Error {
  override readonly name = 'ServerForeign';
}

/** How long an answer may take, in milliseconds. */
const PATIENCE = 30_000;

/** Throws ServerUnreachable, ApiError. */
async function answer(path: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  const asked = Date.now();
  try {
    response = await fetch(`/api${path}`, { signal: AbortSignal.timeout(PATIENCE), ...init });
  } catch (cause) {
    throw new ServerUnreachable(path, { cause });
  }
  learnTime(response.headers.get('date'), asked, Date.now());
  if (response.ok) return response;
  const body = shapedFailure(await response.json().catch(() => null));
  // A gateway before the server answers for it while it is down.
  if (body === null && response.status >= 502) throw new ServerUnreachable(path);
  throw new ApiError(response.status, body?.code ?? 'unknown', body?.message ?? '');
}

/** Throws ServerForeign too, where the answer is not what this page asks for. */
async function request<T>(
  schema: v.GenericSchema<unknown, T>,
  path: string,
  init: RequestInit = {},
): Promise<T> {
  const response = await answer(path, init);
  const result = v.safeParse(schema, await response.json().catch(() => null));
  if (!result.success) throw new ServerForeign(path);
  return result.output;
}

function post<T>(schema: v.GenericSchema<unknown, T>, path: string, body: unknown): Promise<T> {
  return send(schema, path, JSON.stringify(body));
}

function send<T>(schema: v.GenericSchema<unknown, T>, path: string, body: string): Promise<T> {
  const headers = { 'Content-Type': 'application/json' };
  return request(schema, path, { method: 'POST', headers, body });
}

const Failure = v.object({ error: v.object({ code: v.string(), message: v.string() }) });

function shapedFailure(body: unknown): { code: string; message: string } | null {
  const result = v.safeParse(Failure, body);
  return result.success ? result.output.error : null;
}

function query(values: object): string {
  const known = Object.entries(values).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(known.map(([name, value]) => [name, String(value)])).toString();
  return text && `?${text}`;
}

export const api = {
  config: () => request(answers.config, '/config'),
  games: (filter: GamesQuery = {}) => request(answers.games, `/games${query(filter)}`),
  game: (kind: Kind, id: number) => request(answers.game, `/games/${kind}/${id}`),
  player: (address: Address) => request(answers.profile, `/players/${address}`),
  leaderboard: (kind: Kind, limit?: number) =>
    request(answers.leaderboard, `/leaderboard${query({ kind, limit })}`),
  /** A record as text: its integers are larger than a number here can be. */
  record: (kind: Kind, id: number) => answer(`/records/${kind}/${id}`).then((it) => it.text()),
  verify: (record: string) => send(answers.verdict, '/records/verify', record),
  inviteBot: (kind: Kind, id: number) => post(v.unknown(), `/bots/${kind}`, { id }),
  faucet: (address: Address) => post(v.unknown(), '/faucet', { address }),
  unlist: (kind: Kind, id: number, signature: Hex) =>
    post(v.unknown(), `/unlisted/${kind}/${id}`, { signature }),
};

/** What a creator signs to take their open game out of the lobby. */
export function unlistText(kind: Kind, id: number, contract: Address): string {
  return `Fogbound: keep ${kind} game ${id} at ${contract} unlisted`;
}
