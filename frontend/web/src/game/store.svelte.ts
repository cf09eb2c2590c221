/** One game as the page holds it: the public state from the API, who looks at it, what he may do. */
import { untrack } from 'svelte';
import type { Address } from 'viem';
import { ApiError, api, type GameEvent, type Kind, type Summary } from '../lib/api';
import { app } from '../lib/app.svelte';
import { explain } from '../lib/chain/errors';
import { identity } from '../lib/chain/identity.svelte';
import { type Clients, clientOf } from '../lib/clients';
import { enter } from '../lib/enter.svelte';
import { integer, type Seat, seatIn } from '../lib/events';
import { type GameEvents, live } from '../lib/live.svelte';
import { type Option, options, overdue, type Proof, type Table } from './options';

/** What this page is doing for an action of the player. */
export type Step = 'encrypting' | 'sending' | 'resolving';
export type Trouble = ReturnType<typeof explain>;

const CATCH_UP_TRIES = 30;
const CATCH_UP_PAUSE = 300;
const KNOWN_TRIES = 10;

/** The visitor was asked who he is, and did not say. */
class NotEntered extends Error {
  override readonly name = 'NotEntered';
}

export abstract class GameStore<K extends Kind = Kind> {
  summary = $state.raw<Summary | null>(null);
  events = $state.raw<readonly GameEvent[]>([]);
  /** There is no such game. */
  missing = $state(false);
  step = $state<Step | null>(null);
  trouble = $state.raw<Trouble | null>(null);

  readonly seat: Seat | null = $derived.by(() => seatOf(this.summary, identity.address));
  readonly block = $derived(live.block ?? app.config.block);
  readonly proofs = $derived(openProofs(this.events));
  readonly options: readonly Option[] = $derived.by(() => {
    const table = this.#table();
    return table ? options(table) : [];
  });
  /** Whether this player's clock runs. */
  readonly myTurn = $derived(
    this.summary?.phase === 'playing' && this.seat !== null && this.summary.onTurn === this.seat,
  );
  readonly over = $derived(this.summary?.phase === 'ended' || this.summary?.phase === 'cancelled');

  #news: GameEvent[] = [];
  /** A summary that waits for the events which led to it. */
  #next: Summary | null = null;
  #fetches = 0;

  constructor(
    readonly kind: K,
    readonly id: number,
  ) {}

  /** To be called while a component, or an effect root, is set up. */
  watch(): void {
    $effect(() => this.follow());
    $effect(() => {
      void identity.address; // another player knows other things
      untrack(() => this.forget());
    });
  }

  /** Forget what only the last player knew. */
  protected abstract forget(): void;

  /** Hold the game up to date until the returned function is called. */
  follow(): () => void {
    void this.refresh();
    return live.follow([`game:${this.kind}:${this.id}`], {
      refresh: () => void this.refresh(),
      game: (summary) => this.#take(summary),
      events: (news) => this.#add(news),
    });
  }

  /** Fetch the whole game; what the stream tells meanwhile is kept. */
  async refresh(): Promise<void> {
    const fetch = ++this.#fetches;
    this.#news = [];
    this.#next = null;
    try {
      const { events, ...summary } = await api.game(this.kind, this.id);
      if (fetch !== this.#fetches) return;
      this.missing = false;
      this.summary = summary as Summary;
      this.events = joined(events, this.#news);
      this.#settle();
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) await this.#notYet(fetch);
      else if (!this.summary) this.trouble = explain(error);
    }
  }

  /** A game that was opened a moment ago is not known to the server yet. */
  async #notYet(fetch: number): Promise<void> {
    if (fetch >= KNOWN_TRIES) this.missing = true;
    await new Promise((resolve) => setTimeout(resolve, CATCH_UP_PAUSE));
    if (fetch === this.#fetches && !this.missing) await this.refresh();
  }

  /** Do one of the table's actions. */
  perform(option: Option): Promise<boolean> {
    const stake = BigInt(this.summary?.stake ?? 0); // as it is shown now
    return this.act((client) => this.#perform(client, option, stake));
  }

  /** The client that acts for this player. */
  async client(): Promise<Clients[K]> {
    const player = await enter.player();
    if (!player) throw new NotEntered('nobody plays here');
    return clientOf(this.kind, player);
  }

  /** Send something, and wait until the page shows it; whether it was done. One at a time. */
  async act(work: (client: Clients[K]) => Promise<unknown>): Promise<boolean> {
    if (this.step) return false;
    const before = this.events.length;
    this.step = 'sending';
    this.trouble = null;
    try {
      await work(await this.client());
      await this.caughtUp(before);
      return true;
    } catch (error) {
      if (!(error instanceof NotEntered)) this.trouble = explain(error);
      return false;
    } finally {
      this.step = null;
    }
  }

  /** The chain is ahead of the index for a moment; every action adds an event. */
  protected async caughtUp(before: number): Promise<void> {
    for (let left = CATCH_UP_TRIES; left > 0 && this.events.length <= before; left--) {
      await new Promise((resolve) => setTimeout(resolve, CATCH_UP_PAUSE));
      if (left % 4 === 0) await this.refresh();
    }
  }

  async #perform(client: Clients[K], option: Option, stake: bigint): Promise<unknown> {
    switch (option) {
      case 'acceptDraw':
      case 'offerDraw':
        return client.offerDraw(this.id);
      case 'closeProof':
        return client.closeProof(this.id, this.#overdueSeat());
      case 'join':
        return this.join(client, stake);
      default:
        return client[option](this.id);
    }
  }

  /** Take the free seat for the stake that the page shows, in wei. */
  protected abstract join(client: Clients[K], stake: bigint): Promise<unknown>;

  #overdueSeat(): Seat {
    const table = this.#table();
    const proof = table && overdue(table);
    if (!proof) throw new Error('no proof is overdue');
    return proof.seat;
  }

  #table(): Table | null {
    const { summary, seat, proofs } = this;
    if (!summary) return null;
    const { clocks } = app.game(this.kind);
    return { summary, seat, proofs, clocks, address: identity.address, block: this.block.number };
  }

  #add({ kind, id, events }: GameEvents): void {
    if (kind !== this.kind || id !== this.id) return;
    this.#news.push(...events);
    this.events = joined(this.events, events);
    this.#settle();
  }

  #take(summary: Summary): void {
    if (summary.kind !== this.kind || summary.id !== this.id) return;
    if (this.missing) return void this.refresh(); // it was too new to be known
    this.#next = summary;
    this.#settle();
  }

  /** Summary and events change together, though the stream tells one after the other. */
  #settle(): void {
    const next = this.#next;
    if (!next || next.updatedBlock > (this.events.at(-1)?.block ?? 0)) return;
    this.#next = null;
    if (next.updatedBlock >= (this.summary?.updatedBlock ?? 0)) this.summary = next;
  }
}

export function seatOf(summary: Summary | null, address: Address | null): Seat | null {
  const seat = summary && address ? summary.players.indexOf(address) : -1;
  return seat === 0 || seat === 1 ? seat : null;
}

/** The events of both, each once, in order. */
function joined(known: readonly GameEvent[], news: readonly GameEvent[]): readonly GameEvent[] {
  const bySeq = new Map([...known, ...news].map((event) => [event.seq, event]));
  return [...bySeq.values()].sort((one, two) => one.seq - two.seq);
}

/** Proofs that were asked for and have neither come nor been missed. */
export function openProofs(events: readonly GameEvent[]): Proof[] {
  const closed = new Set(
    events.filter(({ name }) => name === 'ProofMissed' || name === 'BoardRevealed').map(seatIn),
  );
  return events
    .filter(({ name }) => name === 'ProofAsked')
    .map((event) => ({ seat: seatIn(event), deadline: integer(event, 'deadline') }))
    .filter(({ seat }) => !closed.has(seat));
}
