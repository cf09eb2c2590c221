/** Questions to the server that are asked until they are answered. */

const AT_ONCE = 2;
const FIRST_DELAY = 1_000;
const LONGEST_DELAY = 20_000;

interface Handlers<T> {
  ask: () => Promise<T>;
  take: (answer: T) => void;
  /** Told of each failure; after how many milliseconds to ask again (as it would be: `delay`), null: not at all. */
  failed?: (error: unknown, delay: number) => number | null;
}

/** One question, asked as often as its answer may have changed. Answers may come in any order. */
export class Inquiry<T> {
  #flying = 0;
  #again = false;
  #delay = FIRST_DELAY;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Answers to what was asked in an earlier epoch are void. */
  #epoch = 0;

  constructor(readonly handlers: Handlers<T>) {}

  /** Ask now, or once an earlier question is answered where two are under way. */
  async ask(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#flying >= AT_ONCE) {
      this.#again = true;
      return;
    }
    this.#flying++;
    await this.#fly(this.#epoch);
  }

  /** Nothing that was asked before counts any more. */
  reset(): void {
    this.#epoch++;
    this.#flying = 0;
    this.#again = false;
    this.#delay = FIRST_DELAY;
    clearTimeout(this.#timer);
  }

  async #fly(epoch: number): Promise<void> {
    try {
      const answer = await this.handlers.ask();
      if (epoch !== this.#epoch) return;
      this.#delay = FIRST_DELAY;
      this.handlers.take(answer);
    } catch (error) {
      if (epoch === this.#epoch) this.#failed(error);
    }
    if (epoch === this.#epoch) this.#landed();
  }

  #landed(): void {
    this.#flying--;
    if (!this.#again) return;
    this.#again = false;
    void this.ask();
  }

  #failed(error: unknown): void {
    const { failed } = this.handlers;
    const delay = failed ? failed(error, this.#delay) : this.#delay;
    clearTimeout(this.#timer);
    if (delay === null) return;
    this.#timer = setTimeout(() => void this.ask(), delay);
    this.#delay = Math.min(this.#delay * 2, LONGEST_DELAY);
  }
}
