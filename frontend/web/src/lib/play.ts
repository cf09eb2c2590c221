/** How games begin. The clients, with the cryptography, are loaded when they are needed. */
import type { Address } from 'viem';
import { ApiError, api, type Bot, type Kind, type Summary, unlistText } from './api';
import { app } from './app.svelte';
import type { Fleet } from './battleship/rules';
import type { Player } from './chain/player';
import { clientOf } from './clients';

export interface BunkerWarSetup {
  kind: 'bunkerwar';
  lanes: number;
  depth: number;
  stacked: boolean;
}
export interface BattleshipSetup {
  kind: 'battleship';
  size: number;
  fleet: Fleet;
}
export type Setup = BunkerWarSetup | BattleshipSetup;

export interface Terms {
  /** The index of the time control. */
  control: number;
  /** In wei, of each player. */
  stake: bigint;
  /** Who alone may join. */
  opponent?: Address | undefined;
  /** Keep the game out of the lobby. */
  unlisted?: boolean;
}

/** How long the server may take to read the block of a new game, in milliseconds. */
const INDEX_PATIENCE = 60_000;
const PAUSE = 400;

/** Open a game on these terms. Returns its number. */
export async function openGame(player: Player, setup: Setup, terms: Terms): Promise<number> {
  const { control, stake, opponent } = terms;
  const options = { control, stake, opponent };
  const id =
    setup.kind === 'bunkerwar'
      ? await (await clientOf('bunkerwar', player)).open(setup, options)
      : await (await clientOf('battleship', player)).open(setup, options);
  if (terms.unlisted) await unlist(player, setup.kind, id);
  return id;
}

/** Join the game that waits longest for these parameters, this pace and this stake, or open one. */
export async function quickMatch(
  player: Player,
  setup: Setup,
  terms: Pick<Terms, 'control' | 'stake'>,
): Promise<number> {
  return setup.kind === 'bunkerwar'
    ? (await clientOf('bunkerwar', player)).quickMatch(setup, terms)
    : (await clientOf('battleship', player)).quickMatch(setup, terms);
}

/** Take the free seat of `game`; Battleship asks for the own fleet. */
export async function joinGame(player: Player, game: Summary, fleet?: Fleet): Promise<void> {
  const stake = BigInt(game.stake);
  if (game.kind === 'bunkerwar') await (await clientOf('bunkerwar', player)).join(game.id, stake);
  else if (fleet) await (await clientOf('battleship', player)).join(game.id, fleet, stake);
}

/** Open a game that only `bot` may join, and call it. Returns the game's number. */
export async function playBot(
  player: Player,
  setup: Setup,
  bot: Bot,
  control: number,
): Promise<number> {
  const id = await openGame(player, setup, { control, stake: 0n, opponent: bot.address });
  await indexed(setup.kind, id);
  await api.inviteBot(setup.kind, id);
  return id;
}

/** Take back a game that nobody has joined. */
export async function cancelGame(player: Player, game: Summary): Promise<void> {
  await (await clientOf(game.kind, player)).cancel(game.id);
}

async function unlist(player: Player, kind: Kind, id: number): Promise<void> {
  const { contract } = app.game(kind);
  const signer = await player.sender(contract);
  const signature = await signer.signMessage(unlistText(kind, id, contract));
  await indexed(kind, id);
  await api.unlist(kind, id, signature);
}

/** Resolves once the server has read the block in which the game was opened. Throws what `api.game` does. */
async function indexed(kind: Kind, id: number): Promise<void> {
  for (const until = Date.now() + INDEX_PATIENCE; ; ) {
    try {
      await api.game(kind, id);
      return;
    } catch (error) {
      const early = error instanceof ApiError && error.status === 404;
      if (!early || Date.now() > until) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}
