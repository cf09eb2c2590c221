import { type Address, isAddressEqual } from 'viem';
import {
  api,
  type Config,
  type GameConfig,
  type Kind,
  type Summary,
  type TimeControl,
} from './api';

/** What the server says of itself, loaded before any page is shown. */
class App {
  #config = $state.raw<Config | null>(null);
  failure = $state.raw<unknown>(null);

  get ready(): boolean {
    return this.#config !== null;
  }

  /** Throws before `load` has succeeded. */
  get config(): Config {
    if (!this.#config) throw new Error('the configuration is not loaded');
    return this.#config;
  }

  /** The games that this server offers. */
  get kinds(): Kind[] {
    return Object.keys(this.config.games) as Kind[];
  }

  game(kind: Kind): GameConfig {
    const found = this.config.games[kind];
    if (!found) throw new Error(`no ${kind} on this server`);
    return found;
  }

  /** How fast a game is played. */
  control({ kind, control }: Pick<Summary, 'kind' | 'control'>): TimeControl {
    const found = this.game(kind).controls[control];
    if (!found) throw new Error(`no time control ${control} for ${kind}`);
    return found;
  }

  async load(): Promise<void> {
    this.failure = null;
    try {
      this.#config = await api.config();
    } catch (error) {
      this.failure = error;
    }
  }

  botName(address: Address): string | null {
    const known = this.#config?.bots.find((bot) => isAddressEqual(bot.address, address));
    return known?.name ?? null;
  }
}

export const app = new App();
