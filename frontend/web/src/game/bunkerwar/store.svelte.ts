/** One game of Bunker War Z: what everybody sees, and the buildings that this player alone knows. */
import { asKnown, type Frame, frames } from '../../lib/bunkerwar/frames';
import { Board, BUNKER, type Cell, HIDDEN, HOUSE, type State } from '../../lib/bunkerwar/rules';
import type { BunkerWarClient } from '../../lib/chain/bunkerwar';
import { drawOwed } from '../drawing';
import { Duty, type Owed } from '../duty.svelte';
import { read } from '../read';
import { GameStore } from '../store.svelte';
import type { Place } from './layout';

/** How long the keeper, or the other player, may take before this page resolves a wait itself. */
const RESOLVE_GRACE = 12_000;

export class BunkerWarStore extends GameStore<'bunkerwar'> {
  /** The own board as far as it was decrypted. */
  own = $state.raw<Board | null>(null);
  /** A build that is not on the chain yet. */
  pending = $state.raw<(Place & { readonly cell: Cell }) | null>(null);
  /** The lane of a missile that is not on the chain yet. */
  launching = $state<number | null>(null);

  readonly reading = $derived.by(() => read(frames, this.events));
  /** What happened, with the own buildings that are known. */
  readonly frames: readonly Frame[] = $derived.by(() =>
    this.own && this.seat !== null
      ? asKnown(this.reading.frames, this.seat, this.own)
      : this.reading.frames,
  );
  readonly game = $derived(this.frames.at(-1)?.game ?? null);
  readonly state: State | null = $derived(this.game?.state ?? null);
  /** Own buildings that this page cannot show yet. */
  readonly unread = $derived.by(() => {
    const board = this.seat === null ? undefined : this.state?.boards[this.seat];
    return board?.cells.flat().filter((cell) => cell === HIDDEN).length ?? 0;
  });
  readonly score = $derived.by(() => {
    const board = this.seat === null ? undefined : this.state?.boards[this.seat];
    return board && this.unread === 0 ? board.score : null;
  });

  readonly duties = new Duty(
    () => this.#owed(),
    () => `tend bunkerwar ${this.id}`,
  );
  readonly reader = new Duty(() => this.#toRead());

  constructor(id: number) {
    super('bunkerwar', id);
  }

  /** Decrypt the own buildings. */
  async readOwn(): Promise<void> {
    this.own = await (await this.client()).ownBoard(this.id);
  }

  build(lane: number, depth: number, bunker: boolean): Promise<boolean> {
    const cell = bunker ? BUNKER : HOUSE;
    this.pending = { lane, depth, cell };
    return this.act(async (client) => {
      await client.build(this.id, lane, depth, bunker, (step) => {
        this.step = step;
      });
      this.#learn(lane, depth, cell);
    }).finally(() => {
      this.pending = null;
    });
  }

  sendMissile(lane: number): Promise<boolean> {
    this.launching = lane;
    return this.act((client) => client.sendMissile(this.id, lane)).finally(() => {
      this.launching = null;
    });
  }

  override watch(): void {
    super.watch();
    this.duties.watch();
    this.reader.watch();
  }

  protected forget(): void {
    this.own = null;
  }

  protected join(client: BunkerWarClient, stake: bigint): Promise<unknown> {
    return client.join(this.id, stake);
  }

  #learn(lane: number, depth: number, cell: Cell): void {
    const board = this.own ?? (this.state && Board.empty(this.state.lanes, this.state.depth));
    this.own = board?.built(lane, depth, cell) ?? null;
  }

  #toRead(): Owed | null {
    if (this.unread === 0) return null;
    return { name: `read ${this.events.length}`, grace: 0, work: () => this.readOwn() };
  }

  #owed(): Owed | null {
    const { summary, seat } = this;
    if (!summary || seat === null || this.step) return null;
    if (summary.phase === 'drawing') return drawOwed(this, summary);
    if (summary.phase !== 'waiting') return null;
    const work = async () => (await this.client()).tend(this.id);
    return { name: `resolve ${summary.moveNumber}`, grace: RESOLVE_GRACE, work };
  }
}
