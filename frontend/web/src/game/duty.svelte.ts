/** What is owed without a choice is done without being asked, by one tab at a time. */
import { untrack } from 'svelte';
import { explain, SignatureRejected } from '../lib/chain/errors';
import { tabLocks } from '../lib/chain/locks';

const AGAIN_AFTER = 5_000;

export interface Owed {
  /** What is owed; another name is another duty. */
  readonly name: string;
  /** How long to leave it to others first, in milliseconds. */
  readonly grace: number;
  readonly work: () => Promise<unknown>;
}

/** Does what `owed()` says, and again while it stays owed; null: nothing is. */
export class Duty {
  /** Why the last attempt failed, null once one has succeeded. */
  trouble = $state.raw<ReturnType<typeof explain> | null>(null);
  /** The name of what is being done. */
  doing = $state<string | null>(null);

  #tried = $state.raw<{ name: string } | null>(null);
  #refused = $state(false);
  #attempt: Promise<void> = Promise.resolve();
  readonly #name = $derived.by(() => this.owed()?.name ?? null);

  constructor(
    readonly owed: () => Owed | null,
    /** The name of what one tab at a time does; where not given, each works for itself. */
    readonly lock?: () => string,
  ) {}

  /** To be called while a component, or an effect root, is set up. */
  watch(): void {
    $effect(() => {
      const tried = this.#tried;
      if (this.#name === null) this.trouble = null;
      if (this.#name === null || this.#refused) return;
      const owed = untrack(() => this.owed());
      if (!owed) return;
      const delay = tried?.name === owed.name ? AGAIN_AFTER : owed.grace;
      const timer = setTimeout(() => this.#start(owed), delay);
      return () => clearTimeout(timer);
    });
  }

  /** Try again now, also what the player has refused to sign. */
  retry(): void {
    this.#refused = false;
    this.#tried = null;
  }

  /** Resolves once nothing is being done. */
  idle(): Promise<void> {
    return this.#attempt;
  }

  #start(owed: Owed): void {
    if (!this.doing) this.#attempt = this.#do(owed);
  }

  async #do({ name, work }: Owed): Promise<void> {
    this.doing = name;
    try {
      await (this.lock ? tabLocks().ifFree(this.lock(), work) : work());
      this.trouble = null;
    } catch (error) {
      this.trouble = explain(error);
      this.#refused = error instanceof SignatureRejected;
    } finally {
      this.doing = null;
      this.#tried = { name };
    }
  }
}
