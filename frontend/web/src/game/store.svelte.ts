/** One game as the page holds it: the public state from the API, who looks at it, what they may do. */
import { untrack } from 'svelte';
import type { Address } from 'viem';
import { ApiError, api, type Game, type GameEvent, type Kind, type Summary } from '../lib/api';
import { app } from '../lib/app.svelte';
import { explain } from '../lib/chain/errors';
import { identity } from '../lib/chain/identity.svelte';
import { type Clients, clientOf } from '../lib/clients';
import { enter } from '../lib/enter.svelte';
import { integer, type Seat, seatIn } from '../lib/events';
import { Telling } from '../lib/forward';
import { Inquiry } from '../lib/inquiry';
import { type GameEvents, live } from '../lib/live.svelte';
import { now } from '../lib/now';
import { type Option, options, overdue, type Proof, type Table } from './options';

/** What this page is doing for an action of the player. */
export type Step = 'encrypting' | 'sending' | 'resolving';
export type Trouble = ReturnType<typeof explain>;

/** How long what was sent may take until the page shows it, in milliseconds. */
const CATCH_UP_PATIENCE = 60_000;
const CATCH_UP_PAUSE = 300;
const KNOWN_TRIES = 10;
/** A summary waits so long for the events that led to it, in milliseconds. */
const EVENTS_PATIENCE = 2_000;

/** The visitor was asked who they are, and did not say. */
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

  readonly #telling = new Telling();
  readonly #inquiry = new Inquiry({
    ask: () => api.game(this.kind, this.id),
    take: (game) => this.#answered(game),
    failed: (error, delay) => this.#failed(error, delay),
  });
  #unknown = 0;
  #overdue: ReturnType<typeof setTimeout> | undefined;

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
    const end = live.follow([`game:${this.kind}:${this.id}`], {
      refresh: () => void this.refresh(),
      reset: () => this.#reset(),
      game: (summary) => this.#take(summary),
      events: (news) => this.#add(news),
    });
    return () => {
      end();
      clearTimeout(this.#overdue);
      this.#inquiry.reset();
    };
  }

  /** Fetch the whole game. */
  refresh(): Promise<void> {
    return this.#inquiry.ask();
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
    const most = CATCH_UP_PATIENCE / CATCH_UP_PAUSE;
    for (let tries = 1; tries <= most && this.events.length <= before; tries++) {
      await new Promise((resolve) => setTimeout(resolve, CATCH_UP_PAUSE));
      if (tries % 8 === 0) void this.refresh();
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
    const control = app.control(summary);
    return { summary, seat, proofs, clocks, control, address: identity.address, now: now() };
  }

  #add({ kind, id, events }: GameEvents): void {
    if (kind !== this.kind || id !== this.id) return;
    this.#telling.tellEvents(events);
    this.#show();
  }

  #take(summary: Summary): void {
    if (summary.kind !== this.kind || summary.id !== this.id) return;
    if (this.missing) return void this.refresh(); // it was too new to be known
    this.#telling.tellSummary(summary);
    this.#show();
  }

  #answered({ events, ...summary }: Game): void {
    if (!this.summary) this.trouble = null; // it was that nothing came
    this.missing = false;
    this.#unknown = 0;
    this.#telling.answer(summary as Summary, events);
    this.#show();
  }

  #reset(): void {
    this.#telling.reset();
    this.#inquiry.reset();
    void this.refresh();
  }

  /** A game that was opened a moment ago is not known to the server yet. */
  #failed(error: unknown, delay: number): number | null {
    if (!(error instanceof ApiError && error.status === 404)) {
      if (!this.summary) this.trouble = explain(error);
      return delay;
    }
    this.missing = ++this.#unknown >= KNOWN_TRIES;
    return this.missing ? null : CATCH_UP_PAUSE;
  }

  /** Summary and events change together, though the stream tells one after the other. */
  #show(): void {
    const { summary, events, asOf } = this.#telling;
    clearTimeout(this.#overdue);
    if (asOf < 0) {
      if (this.events.length === 0) this.summary = summary; // the first answer is still out
      return;
    }
    this.events = events;
    const last = events.at(-1)?.block ?? 0;
    if (summary && (summary.sequence === asOf || summary.updatedBlock <= last)) {
      this.summary = summary;
    } else {
      this.#overdue = setTimeout(() => void this.refresh(), EVENTS_PATIENCE);
    }
  }
}

export function seatOf(summary: Summary | null, address: Address | null): Seat | null {
  const seat = summary && address ? summary.players.indexOf(address) : -1;
  return seat === 0 || seat === 1 ? seat : null;
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
