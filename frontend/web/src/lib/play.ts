/** How games begin. The clients, with the cryptography, are loaded when they are needed. */
import type { Address } from 'viem';
import { api, type Bot, type Kind, type Summary, unlistText } from './api';
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
  /** In wei, of each player. */
  stake: bigint;
  /** Who alone may join. */
  opponent?: Address | undefined;
  /** Keep the game out of the lobby. */
  unlisted?: boolean;
}

const TRIES = 20;
const PAUSE = 400;

/** Open a game on these terms. Returns its number. */
export async function openGame(player: Player, setup: Setup, terms: Terms): Promise<number> {
  const options = { stake: terms.stake, opponent: terms.opponent };
  const id =
    setup.kind === 'bunkerwar'
      ? await (await clientOf('bunkerwar', player)).open(setup, options)
      : await (await clientOf('battleship', player)).open(setup, options);
  if (terms.unlisted) await unlist(player, setup.kind, id);
  return id;
}

/** Join the game that waits longest for these parameters and this stake, or open one. */
export async function quickMatch(player: Player, setup: Setup, stake: bigint): Promise<number> {
  return setup.kind === 'bunkerwar'
    ? (await clientOf('bunkerwar', player)).quickMatch(setup, { stake })
    : (await clientOf('battleship', player)).quickMatch(setup, { stake });
}

/** Take the free seat of `game`; Battleship asks for the own fleet. */
export async function joinGame(player: Player, game: Summary, fleet?: Fleet): Promise<void> {
  const stake = BigInt(game.stake);
  if (game.kind === 'bunkerwar') await (await clientOf('bunkerwar', player)).join(game.id, stake);
  else if (fleet) await (await clientOf('battleship', player)).join(game.id, fleet, stake);
}

/** Open a game that only `bot` may join, and call it. Returns the game's number. */
export async function playBot(player: Player, setup: Setup, bot: Bot): Promise<number> {
  const id = await openGame(player, setup, { stake: 0n, opponent: bot.address });
  await indexed(player, setup.kind, id);
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
  await indexed(player, kind, id);
  await api.unlist(kind, id, signature);
}

/** Resolves once the server has read the block in which the game was opened. */
async function indexed(player: Player, kind: Kind, id: number): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const { games } = await api.games({ kind, player: player.address, limit: 10 });
    if (games.some((game) => game.id === id)) return;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}
