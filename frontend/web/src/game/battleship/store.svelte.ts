/** One game of Battleship: what everybody sees, the own fleet, and what this player owes. */

import type { Fleet } from '../../lib/battleship/fleets';
import { asKnown, type Frame, frames } from '../../lib/battleship/frames';
import { dueIn } from '../../lib/battleship/replay';
import type { State } from '../../lib/battleship/rules';
import type { BattleshipClient } from '../../lib/chain/battleship';
import { now } from '../../lib/now';
import { drawOwed } from '../drawing';
import { Duty, type Owed } from '../duty.svelte';
import { late } from '../options';
import { read } from '../read';
import { GameStore } from '../store.svelte';

const CLOSE_GRACE = 8_000;

export class BattleshipStore extends GameStore<'battleship'> {
  /** The own fleet, once its seal is opened. */
  fleet = $state.raw<Fleet | null>(null);
  /** The fleet to take the free seat with. */
  placed = $state.raw<Fleet | null>(null);
  /** The cell of a shot that is not on the chain yet. */
  pending = $state<number | null>(null);

  readonly reading = $derived.by(() => read(frames, this.events));
  readonly frames: readonly Frame[] = $derived.by(() =>
    this.fleet && this.seat !== null
      ? asKnown(this.reading.frames, this.seat, this.fleet)
      : this.reading.frames,
  );
  readonly game = $derived(this.frames.at(-1)?.game ?? null);
  readonly state: State | null = $derived(this.game?.state ?? null);
  /** The shot that waits for its answer: at whose board, and where. */
  readonly due = $derived(this.game && dueIn(this.game));

  readonly duties = new Duty(() => this.#owed()); // the client sees to it that one tab serves
  readonly reader = new Duty(() => this.#toRead());

  constructor(id: number) {
    super('battleship', id);
  }

  /** Open the seal of the own fleet. */
  async readOwn(): Promise<void> {
    this.fleet = await (await this.client()).ownFleet(this.id);
  }

  /** Fire, once an answer that is under way has arrived. */
  async fire(cell: number): Promise<boolean> {
    this.pending = cell;
    try {
      await this.duties.idle();
      return await this.act((client) => client.fire(this.id, cell));
    } finally {
      this.pending = null;
    }
  }

  override watch(): void {
    super.watch();
    this.duties.watch();
    this.reader.watch();
  }

  protected forget(): void {
    this.fleet = null;
  }

  protected join(client: BattleshipClient, stake: bigint): Promise<unknown> {
    if (!this.placed) throw new Error('no fleet is placed');
    return client.join(this.id, this.placed, stake);
  }

  #toRead(): Owed | null {
    const { seat } = this;
    if (seat === null || this.fleet || !this.game?.committed[seat]) return null;
    return { name: 'read', grace: 0, work: () => this.readOwn() };
  }

  #owed(): Owed | null {
    const { summary, seat } = this;
    if (!summary || seat === null || this.step) return null;
    if (summary.phase === 'drawing') return drawOwed(this, summary);
    const name = this.#answerOwed() ?? this.#proofOwed();
    const work = () => this.#serve();
    if (name) return { name, grace: 0, work };
    return this.options.includes('closeProof') ? { name: 'close', grace: CLOSE_GRACE, work } : null;
  }

  async #serve(): Promise<void> {
    const before = this.events.length;
    const client = await this.client();
    if (await client.serve(this.id)) await this.caughtUp(before);
  }

  #answerOwed(): string | null {
    return this.myTurn && this.due?.seat === this.seat ? `answer ${this.due.cell}` : null;
  }

  /** Asked to prove the own board; or, having lost fairly, free to show that it was honest. */
  #proofOwed(): string | null {
    const { game, summary, seat } = this;
    if (!game || !summary || seat === null || game.revealed[seat]) return null;
    if (this.proofs.some((proof) => proof.seat === seat)) return 'prove';
    const fair = summary.phase === 'ended' && game.result?.[0] === 'fair';
    return fair && !late(summary, now()) ? 'show' : null;
  }
}
