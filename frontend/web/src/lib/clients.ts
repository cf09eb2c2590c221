/** The games' clients: loaded with their cryptography when they are first needed, made once a player. */
import { api, type Kind } from './api';
import { app } from './app.svelte';
import type { BattleshipClient } from './chain/battleship';
import type { BunkerWarClient } from './chain/bunkerwar';
import { identity } from './chain/identity.svelte';
import type { Player } from './chain/player';
import { TableClient, type TableOptions } from './chain/table';
import type { FhevmClient } from './fhevm';

export interface Clients {
  bunkerwar: BunkerWarClient;
  battleship: BattleshipClient;
}
type Made = { [K in Kind]?: Promise<Clients[K]> };

const made = new WeakMap<Player, Made>();
const makers: { [K in Kind]: (player: Player) => Promise<Clients[K]> } = {
  bunkerwar: async (player) => {
    const { BunkerWarClient } = await import('./chain/bunkerwar');
    return new BunkerWarClient({ ...options('bunkerwar', player), fhevm: gateway });
  },
  battleship: async (player) => {
    const { BattleshipClient } = await import('./chain/battleship');
    return new BattleshipClient(options('battleship', player));
  },
};

/** The client of `player` at the contract of `kind`. */
export function clientOf<K extends Kind>(kind: K, player: Player): Promise<Clients[K]> {
  const clients: Made = made.get(player) ?? {};
  made.set(player, clients);
  const client = (clients[kind] ?? makers[kind](player)) as Promise<Clients[K]>;
  clients[kind] = client as Made[K];
  client.catch(() => delete clients[kind]); // what could not be loaded is tried again
  return client;
}

/** For what all games share: seats, credits. */
export function tableOf(kind: Kind, player: Player): TableClient {
  return new TableClient(options(kind, player));
}

function options(kind: Kind, player: Player): TableOptions {
  const { contract } = app.game(kind);
  const events = async (id: number) => (await api.game(kind, id)).events;
  return { chain: identity.chain, contract, player, events };
}

/** The gateway behind this server, with the keys that it had when this browser first saw it. */
async function gateway(): Promise<FhevmClient> {
  const [{ FhevmClient, Gateway }, knownAs] = await Promise.all([import('./fhevm'), deployment()]);
  const { chain } = identity;
  return FhevmClient.connect(new Gateway(), { chain, memory: localStorage, knownAs });
}

/** What tells this deployment from one on a chain that was reset, where keys are new by right. */
async function deployment(): Promise<string> {
  const contract = app.config.games.battleship?.contract;
  if (!contract) return app.game('bunkerwar').contract;
  const { battleshipAbi } = await import('./chain/abi/battleship');
  return identity.chain.read(battleshipAbi, contract, 'deploymentId', []);
}
