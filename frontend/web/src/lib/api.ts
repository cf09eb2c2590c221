/** Client of the HTTP API. Amounts are decimal strings of wei, addresses checksummed. */
import type { Address, Hash, Hex } from 'viem';
import type { GameEvent, Kind, Seat } from './events';

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
export interface GameConfig {
  contract: Address;
  encrypted: boolean;
  /** In blocks. */
  clocks: { move: number; wait: number; notice: number };
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
  secondsPerBlock: number;
  leastRatedStake: Wei;
}
export interface Parameters {
  bunkerwar: { lanes: number; depth: number; stacked: boolean };
  battleship: { size: number };
}
interface SummaryOf<K extends Kind> {
  kind: K;
  id: number;
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
  deadline: number;
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

/** Throws ServerUnreachable, ApiError. */
async function answer(path: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(`/api${path}`, init);
  } catch (cause) {
    throw new ServerUnreachable(path, { cause });
  }
  if (response.ok) return response;
  const body = await response.json().catch(() => null);
  // A gateway before the server answers for it while it is down.
  if (body === null && response.status >= 502) throw new ServerUnreachable(path);
  throw new ApiError(response.status, body?.error?.code ?? 'unknown', body?.error?.message ?? '');
}

async function request<T>(path: string, init: RequestInit = {}): Promise<T> {
  const response = await answer(path, init);
  return response.json().catch(() => null);
}

function post<T>(path: string, body: unknown): Promise<T> {
  return send(path, JSON.stringify(body));
}

function send<T>(path: string, body: string): Promise<T> {
  return request(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
}

function query(values: object): string {
  const known = Object.entries(values).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(known.map(([name, value]) => [name, String(value)])).toString();
  return text && `?${text}`;
}

export const api = {
  config: () => request<Config>('/config'),
  games: (filter: GamesQuery = {}) =>
    request<{ games: Summary[]; next: string | null }>(`/games${query(filter)}`),
  game: (kind: Kind, id: number) => request<Game>(`/games/${kind}/${id}`),
  player: (address: Address) => request<Profile>(`/players/${address}`),
  leaderboard: (kind: Kind, limit?: number) =>
    request<{ kind: Kind; players: Ranked[] }>(`/leaderboard${query({ kind, limit })}`),
  /** A record as text: its integers are larger than a number here can be. */
  record: (kind: Kind, id: number) => answer(`/records/${kind}/${id}`).then((it) => it.text()),
  verify: (record: string) => send<Verdict>('/records/verify', record),
  inviteBot: (kind: Kind, id: number) => post<unknown>(`/bots/${kind}`, { id }),
  faucet: (address: Address) => post<{ transaction: Hash; wei: Wei }>('/faucet', { address }),
  unlist: (kind: Kind, id: number, signature: Hex) =>
    post<unknown>(`/unlisted/${kind}/${id}`, { signature }),
};

/** What a creator signs to take his open game out of the lobby. */
export function unlistText(kind: Kind, id: number, contract: Address): string {
  return `Fogbound: keep ${kind} game ${id} at ${contract} unlisted`;
}
