/**
 * What the page is told in two ways, by answers and by the stream, goes forward only.
 *
 * The server numbers its changes. An answer carries the number as of which it was read, a game that the
 * stream tells of, or a list holds, that of its last change. So it is known of any two copies which is
 * newer, in whatever order they arrive. Pure.
 */
import type { GameEvent, Summary } from './api';

/** Of two copies of one thing, the newer. */
export function newer<T extends { readonly sequence: number }>(held: T | null, come: T): T {
  return held && held.sequence > come.sequence ? held : come;
}

/** The events of both, each once, in order. */
export function joined(
  known: readonly GameEvent[],
  news: readonly GameEvent[],
): readonly GameEvent[] {
  const bySequence = new Map([...known, ...news].map((event) => [event.seq, event]));
  return [...bySequence.values()].sort((one, two) => one.seq - two.seq);
}

/** One game with its events. Before the first answer, `asOf` is -1. */
export class Telling {
  asOf = -1;
  summary: Summary | null = null;
  events: readonly GameEvent[] = [];

  /** Take the whole game as it was read at its `sequence`. */
  answer(summary: Summary, events: readonly GameEvent[]): void {
    if (summary.sequence < this.asOf) return;
    this.asOf = summary.sequence;
    this.summary = newer(this.summary, summary);
    const later = this.events.filter(({ seq }) => seq > summary.sequence);
    this.events = joined(events, later);
  }

  tellSummary(summary: Summary): void {
    if (summary.sequence > this.asOf) this.summary = newer(this.summary, summary);
  }

  tellEvents(events: readonly GameEvent[]): void {
    this.events = joined(
      this.events,
      events.filter(({ seq }) => seq > this.asOf),
    );
  }

  /** What was told may no longer be so: the next answer counts, whatever its number. */
  reset(): void {
    this.asOf = -1;
    this.summary = null;
    this.events = [];
  }
}

/** A list of games: what was answered, and what has changed since. Before the first answer, `asOf` is -1. */
export class Listing {
  asOf = -1;
  #answered: readonly Summary[] = [];
  #news = new Map<string, Summary>();
  #complete = true;

  constructor(readonly fits: (game: Summary) => boolean) {}

  /** How many changes are held beside the last answer. */
  get news(): number {
    return this.#news.size;
  }

  /** The games as they are now: those that changed where they were, new ones first. */
  get games(): readonly Summary[] {
    const listed = new Set(this.#answered.map(name));
    const come = [...this.#news.values()].filter((game) => !listed.has(name(game))).reverse();
    const now = this.#answered.map((game) => newer(this.#news.get(name(game)) ?? null, game));
    return [...come.filter((game) => this.#inRange(game)), ...now]
      .filter(this.fits)
      .sort((one, two) => two.openedBlock - one.openedBlock);
  }

  /** Take the first page of the list; `complete`: there are no more. Whether it is the newest one. */
  answer(sequence: number, games: readonly Summary[], complete: boolean): boolean {
    if (sequence < this.asOf) return false;
    this.asOf = sequence;
    this.#answered = games;
    this.#complete = complete;
    for (const [key, game] of this.#news) if (game.sequence <= sequence) this.#news.delete(key);
    return true;
  }

  /** Take the page that follows. Whether it is no older than the first. */
  extend(sequence: number, games: readonly Summary[], complete: boolean): boolean {
    if (sequence < this.asOf) return false;
    const known = new Set(this.#answered.map(name));
    this.#answered = [...this.#answered, ...games.filter((game) => !known.has(name(game)))];
    this.#complete = complete;
    return true;
  }

  tell(game: Summary): void {
    if (game.sequence <= this.asOf) return;
    const told = this.#news.get(name(game)) ?? null;
    if (newer(told, game) !== game) return;
    this.#news.delete(name(game)); // what changed last comes last
    this.#news.set(name(game), game);
  }

  /** What was told may no longer be so: the next answer counts, whatever its number. */
  reset(): void {
    this.asOf = -1;
    this.#news.clear();
  }

  /** Games that are older than the last one shown belong to a page that was not asked for yet. */
  #inRange(game: Summary): boolean {
    const last = this.#answered.at(-1);
    return this.#complete || !last || game.openedBlock >= last.openedBlock;
  }
}

function name({ kind, id }: Summary): string {
  return `${kind}/${id}`;
}
