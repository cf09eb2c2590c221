/** What the tabs of a browser share, for tests: channels, and locks that can be taken away. */
type Heard = ((event: MessageEvent) => void) | null;

export class FakeChannel {
  static all = new Set<FakeChannel>();
  onmessage: Heard = null;

  constructor(readonly name: string) {
    FakeChannel.all.add(this);
  }

  postMessage(data: unknown): void {
    if (!FakeChannel.all.has(this)) return;
    for (const other of FakeChannel.all) {
      if (other === this || other.name !== this.name) continue;
      const copy = structuredClone(data);
      queueMicrotask(() => other.onmessage?.({ data: copy } as MessageEvent));
    }
  }

  close(): void {
    FakeChannel.all.delete(this);
    this.onmessage = null;
  }
}

/** One lock of that browser. */
export class FakeLocks {
  #holder: { lose: () => void } | null = null;
  readonly #waiting: (() => Promise<unknown>)[] = [];

  request(
    _name: string,
    options: LockOptions,
    work: () => Promise<unknown> | undefined,
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const grant = async () => {
        const lost = new Promise<never>((_, lose) => {
          this.#holder = { lose: () => lose(new DOMException('stolen', 'AbortError')) };
        });
        const holder = this.#holder;
        await Promise.race([Promise.resolve(work()), lost]).then(resolve, reject);
        if (this.#holder === holder) this.#pass();
      };
      if (options.steal) {
        this.#holder?.lose();
        void grant();
      } else {
        this.#waiting.push(grant);
        if (!this.#holder) this.#pass();
      }
    });
  }

  /** Its holder is gone without a word, as a tab that has crashed. */
  crash(): void {
    this.#pass();
  }

  #pass(): void {
    this.#holder = null;
    void this.#waiting.shift()?.();
  }
}
