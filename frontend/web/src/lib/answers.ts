/** What the server answers and tells, as values of the types that it claims to have. Unknown fields are left out. */
import * as v from 'valibot';
import { getAddress, isAddress } from 'viem';
import type { Block, Config, Game, Profile, Ranked, Summary, Verdict } from './api';
import type { GameEvent, Kind, Seat } from './events';
import type { GameEvents } from './stream/protocol';

type Schema<T> = v.GenericSchema<unknown, T>;

const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const wei = v.pipe(v.string(), v.regex(/^\d{1,78}$/));
const address = v.pipe(
  v.string(),
  v.check((text) => isAddress(text, { strict: false })),
  v.transform((text) => getAddress(text.toLowerCase())),
);
const kind = v.picklist(['bunkerwar', 'battleship'] satisfies Kind[]);
const seat = v.picklist([0, 1] satisfies Seat[]);
const bot = v.nullable(v.union([v.string(), v.boolean()]));

const base = {
  id: whole,
  sequence: whole,
  phase: v.picklist([
    'open',
    'drawing',
    'playing',
    'waiting',
    'proving',
    'ended',
    'cancelled',
  ] satisfies Summary['phase'][]),
  outcome: v.picklist([
    'none',
    'won',
    'drawn',
    'resigned',
    'timed_out',
    'null',
    'voided',
  ] satisfies Summary['outcome'][]),
  players: v.pipe(v.array(v.nullable(address)), v.maxLength(4)),
  stake: wei,
  invited: v.nullable(address),
  listed: v.boolean(),
  onTurn: v.nullable(seat),
  winners: v.array(seat),
  amounts: v.nullable(v.array(wei)),
  rake: v.nullable(wei),
  consents: v.array(seat),
  keepAlives: v.array(whole),
  voidAnnounced: v.nullable(v.union([v.boolean(), whole])),
  moveNumber: whole,
  control: whole,
  deadline: v.nullable(whole),
  mark: whole,
  openedBlock: whole,
  openedAt: whole,
  updatedBlock: whole,
  updatedAt: whole,
  endedAt: v.nullable(whole),
};
const event: Schema<GameEvent> = v.object({
  seq: whole,
  name: v.string(),
  arguments: v.record(v.string(), v.unknown()),
  block: whole,
  index: whole,
  transaction: v.string(),
  time: whole,
});
const bunkerwar = v.object({ lanes: whole, depth: whole, stacked: v.boolean() });
const battleship = v.object({ size: whole });
const events = v.array(event);

export const summary: Schema<Summary> = v.variant('kind', [
  v.object({ ...base, kind: v.literal('bunkerwar'), parameters: bunkerwar }),
  v.object({ ...base, kind: v.literal('battleship'), parameters: battleship }),
]);
export const game: Schema<Game> = v.variant('kind', [
  v.object({ ...base, kind: v.literal('bunkerwar'), parameters: bunkerwar, events }),
  v.object({ ...base, kind: v.literal('battleship'), parameters: battleship, events }),
]);
export const games: Schema<{ sequence: number; games: Summary[]; next: string | null }> = v.object({
  sequence: whole,
  games: v.array(summary),
  next: v.nullable(v.string()),
});
export const gameEvents: Schema<GameEvents> = v.object({ kind, id: whole, events });
export const block: Schema<Block> = v.object({ number: whole, timestamp: whole });

const gameConfig = v.object({
  contract: address,
  encrypted: v.boolean(),
  clocks: v.object({ wait: whole, notice: whole, proof: whole }),
  controls: v.pipe(v.array(v.object({ move: whole, keepAlives: whole })), v.minLength(1)),
  deploymentBlock: whole,
});
export const config: Schema<Config> = v.object({
  chainId: whole,
  local: v.boolean(),
  block,
  games: v.object({ bunkerwar: v.optional(gameConfig), battleship: v.optional(gameConfig) }),
  bots: v.array(v.object({ kind, address, name: v.string() })),
  faucet: v.nullable(v.object({ wei })),
  leastRatedStake: wei,
}) as Schema<Config>;

const results = v.object({
  rating: v.nullable(v.object({ value: v.number(), deviation: v.number(), games: whole })),
  played: whole,
  won: whole,
  lost: whole,
  drawn: whole,
});
export const profile: Schema<Profile> = v.object({
  address,
  bot,
  kinds: v.object({ bunkerwar: v.optional(results), battleship: v.optional(results) }),
  running: whole,
}) as Schema<Profile>;
export const leaderboard: Schema<{ kind: Kind; players: Ranked[] }> = v.object({
  kind,
  players: v.array(
    v.object({
      rank: whole,
      address,
      bot,
      rating: v.number(),
      deviation: v.number(),
      games: whole,
      won: whole,
      lost: whole,
      drawn: whole,
    }),
  ),
});
export const verdict: Schema<Verdict> = v.object({
  valid: v.boolean(),
  reason: v.nullable(
    v.object({
      code: v.string(),
      parameters: v.record(v.string(), v.string()),
      message: v.string(),
    }),
  ),
  onChain: v.nullable(v.boolean()),
});

/** The value that a stream's text has, where it has this shape, else null. */
export function told<T>(schema: Schema<T>, text: string): T | null {
  try {
    const result = v.safeParse(schema, JSON.parse(text));
    return result.success ? result.output : null;
  } catch {
    return null;
  }
}
