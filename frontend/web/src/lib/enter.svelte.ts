import { app } from './app.svelte';
import { identity } from './chain/identity.svelte';
import type { Player } from './chain/player';
import { t } from './i18n';
import { notices } from './notices.svelte';

/** How a visitor becomes a player: a key made in this browser, or a wallet. */
class Enter {
  asking = $state(false);
  #settle: ((player: Player | null) => void) | null = null;

  /** Let the visitor choose. Null: they did not. */
  ask(): Promise<Player | null> {
    this.asking = true;
    return new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  /** The visitor has chosen, or closed the dialog. */
  done(): void {
    this.asking = false;
    this.#settle?.(identity.player);
    this.#settle = null;
  }

  /** The player who plays here. Where keys are funded, a newcomer gets one without being asked. */
  async player(): Promise<Player | null> {
    if (identity.player) return identity.player;
    if (identity.kind || !app.config.faucet) return this.ask();
    await identity.createKey();
    notices.say(t('enter.keyMade'), { tone: 'success' });
    return identity.player;
  }
}

export const enter = new Enter();
