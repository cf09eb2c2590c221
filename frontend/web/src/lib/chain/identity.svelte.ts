/** Who the player is, and what they have: the only reactive state of this folder. */
import { untrack } from 'svelte';
import { type Address, type Hex, hashMessage } from 'viem';
import {
  type Backup,
  backupText,
  heldFor,
  isVouched,
  parseBackup,
  takeOver,
  type Vouched,
  voucherText,
} from './backup';
import { createKey, loadKey } from './browserKey';
import { Chain } from './chain';
import { BackupInvalid } from './errors';
import { fund } from './faucet';
import { KeySigner } from './keySigner';
import { resume } from './pending';
import { keyPlayer, type Player, walletPlayer } from './player';
import type { Sessions } from './session';
import { browserStore } from './store';
import { WalletSigner } from './walletSigner';
import { discover, type Network, type Wallet } from './wallets';

/** What the page's configuration says of the chain; the faucet gives only on a local one. */
export interface ChainConfig {
  readonly chainId: number;
  readonly local: boolean;
  readonly faucet: unknown;
}

const CHOICE = 'identity'; // 'key', or the id of a wallet
const BALANCE_SECONDS = 10;

class Identity {
  /** null until there is one. */
  player = $state.raw<Player | null>(null);
  /** In wei; null until it is known. */
  balance = $state<bigint | null>(null);
  /** Those that this browser has. */
  wallets = $state.raw<readonly Wallet[]>([]);
  /** The one in use. */
  wallet = $state.raw<Wallet | null>(null);
  /** Whether the wallet in use is on the page's chain. */
  rightChain = $state(true);
  busy = $state(false);

  #chain: Chain | null = null;
  #config: ChainConfig | null = null;
  #stopWatching = () => {};

  get address(): Address | null {
    return this.player?.address ?? null;
  }

  get kind(): Player['kind'] | null {
    return this.player?.kind ?? null;
  }

  /** null for a key of this browser, which needs none. */
  get sessions(): Sessions | null {
    return this.player?.sessions ?? null;
  }

  /** Known once `start` was called. */
  get chain(): Chain {
    if (!this.#chain) throw new Error('the identity was not started');
    return this.#chain;
  }

  /**
   * Find wallets, and be again who the player was last. Returns what ends it. An effect that calls this
   * depends on nothing here.
   */
  start(config: ChainConfig): () => void {
    return untrack(() => this.#start(config));
  }

  #start(config: ChainConfig): () => void {
    this.#config = config;
    this.#chain = new Chain({ chainId: config.chainId });
    this.wallets = [];
    const stop = discover((wallet) => this.#found(wallet));
    const key = loadKey();
    if (this.#choice === 'key' && key) {
      this.#useKey(key);
      void this.#fundIfEmpty().catch(() => {}); // the local chain may be a new one
    }
    const timer = setInterval(() => void this.refresh().catch(() => {}), BALANCE_SECONDS * 1000);
    return () => {
      stop();
      clearInterval(timer);
      this.#stopWatching();
    };
  }

  /** Play with this browser's key, made now unless there is one; on a local chain it is funded. */
  createKey(): Promise<void> {
    return this.#busily(async () => {
      this.#useKey(loadKey() ?? createKey());
      await this.#fundIfEmpty();
    });
  }

  /** Ask the faucet for more. Throws FaucetRefused, Unreachable. */
  fund(): Promise<void> {
    return this.#busily(async () => {
      if (this.address) await fund(this.chain, this.address);
      await this.refresh();
    });
  }

  /**
   * What is in a backup, or in a private key alone, without what its account did not sign for: to be shown
   * before it is restored. Throws BackupInvalid.
   */
  async readBackup(text: string): Promise<Backup> {
    const { keys, wallets } = parseBackup(text);
    const vouched = await Promise.all(wallets.map((each) => this.#isVouched(each)));
    const backup = { keys, wallets: wallets.filter((_, at) => vouched[at]) };
    if (keys.length + backup.wallets.length > 0) return backup;
    throw new BackupInvalid('no account signed for what it holds');
  }

  /** Take over what `readBackup` has found. Throws StorageRefused. */
  restore(backup: Backup): Promise<void> {
    return this.#busily(async () => {
      const key = takeOver(backup, browserStore());
      if (!key) return;
      this.#useKey(key);
      await this.#fundIfEmpty();
    });
  }

  /** A text that `readBackup` takes; secret. A wallet signs for what only this browser has of it. */
  async backup(): Promise<string> {
    const store = browserStore();
    const { player } = this;
    const held = player?.kind === 'wallet' ? heldFor(player.address, store) : null;
    if (!held || !player) return backupText(store);
    const signature = await player.owner.signMessage(voucherText(held));
    return backupText(store, [{ held, signature }]);
  }

  /** Play with a wallet. Throws WalletErrors. */
  connect(id: string): Promise<void> {
    return this.#busily(async () => {
      const wallet = this.wallets.find((each) => each.id === id);
      if (!wallet) return;
      await wallet.connect();
      browserStore().write(CHOICE, id);
      await this.#useWallet(wallet);
    });
  }

  /** Bring the wallet to the page's chain, adding it there if need be. Throws WalletErrors. */
  switchChain(): Promise<void> {
    return this.#busily(async () => {
      await this.wallet?.switchTo(this.#network());
      await this.#look();
    });
  }

  /** Be nobody; keys stay in this browser. */
  disconnect(): void {
    browserStore().remove(CHOICE);
    this.#leaveWallet();
    this.#use(null);
  }

  /** Read the balance anew. */
  async refresh(): Promise<void> {
    const { player } = this;
    if (!player) return;
    const balance = await this.chain.balance(player.address);
    if (this.player === player) this.balance = balance;
  }

  async #isVouched(vouched: Vouched): Promise<boolean> {
    if (isVouched(vouched)) return true;
    const { held, signature } = vouched;
    return this.chain.isSignedBy(held.player, hashMessage(voucherText(held)), signature);
  }

  get #choice(): string | null {
    const kept = browserStore().read<unknown>(CHOICE);
    return typeof kept === 'string' ? kept : null;
  }

  #useKey(key: Hex): void {
    browserStore().write(CHOICE, 'key');
    this.#leaveWallet();
    this.#use(keyPlayer(new KeySigner(key, this.chain)));
  }

  #found(wallet: Wallet): void {
    this.wallets = [...this.wallets, wallet];
    if (this.#choice === wallet.id && !this.player) void this.#useWallet(wallet).catch(() => {});
  }

  async #useWallet(wallet: Wallet): Promise<void> {
    this.#leaveWallet();
    this.wallet = wallet;
    this.#stopWatching = wallet.watch(() => void this.#look().catch(() => {}));
    await this.#look();
  }

  /** Which account and chain the wallet shows now. */
  async #look(): Promise<void> {
    const { wallet } = this;
    if (!wallet) return;
    const [accounts, chainId] = await Promise.all([wallet.accounts(), wallet.chainId()]);
    if (this.wallet !== wallet) return;
    this.rightChain = chainId === this.chain.chainId;
    const account = accounts[0] ?? null;
    if (account === this.address) return;
    this.#use(account && walletPlayer(new WalletSigner(account, wallet, this.chain), this.chain));
  }

  #leaveWallet(): void {
    this.#stopWatching();
    this.#stopWatching = () => {};
    this.wallet = null;
    this.rightChain = true;
  }

  #use(player: Player | null): void {
    this.player = player;
    this.balance = null;
    if (!player) return;
    void this.refresh().catch(() => {});
    void resume(this.chain, player.address).catch(() => {});
  }

  async #fundIfEmpty(): Promise<void> {
    const { player } = this;
    if (!player) return;
    await this.refresh();
    if (this.balance === 0n && this.#config?.faucet) await fund(this.chain, player.address);
    await this.refresh();
  }

  #network(): Network {
    const name = this.#config?.local ? 'Fogbound (local)' : `Chain ${this.chain.chainId}`;
    return { chainId: this.chain.chainId, name, rpcUrl: new URL('/rpc', location.href).href };
  }

  async #busily(work: () => Promise<void>): Promise<void> {
    this.busy = true;
    try {
      await work();
    } finally {
      this.busy = false;
    }
  }
}

export const identity = new Identity();
