/** Which dialogs are open, the topmost last. What lies under a modal dialog can be neither seen nor used. */
class Dialogs {
  #open = $state.raw<readonly string[]>([]);

  /** null where none is open. */
  get top(): string | null {
    return this.#open.at(-1) ?? null;
  }

  /** Returns what is to be called when it closes. */
  opened(id: string): () => void {
    this.#open = [...this.#open, id];
    return () => {
      this.#open = this.#open.filter((each) => each !== id);
    };
  }
}

export const dialogs = new Dialogs();
