import { describe, expect, test } from 'vitest';
import type { GameEvent, Summary } from '../../src/lib/api';
import { fits } from '../../src/lib/feed.svelte';
import { Listing, newer, Telling } from '../../src/lib/forward';
import { summary } from '../summaries';

/** Whole numbers below a bound, the same for the same seed (mulberry32). */
function drawing(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** `items` in any order, each once or twice; those that `lost` names may be missing. */
function arrived<T>(
  items: readonly T[],
  draw: (below: number) => number,
  lost: (item: T) => boolean,
): T[] {
  const kept = items.filter((item) => !(lost(item) && draw(3) === 0));
  const all = kept.flatMap((item) => (draw(3) === 0 ? [item, item] : [item]));
  for (let at = all.length - 1; at > 0; at--) {
    const other = draw(at + 1);
    [all[at], all[other]] = [all[other] as T, all[at] as T];
  }
  return all;
}

function event(seq: number): GameEvent {
  const place = { block: seq, index: 0, transaction: '0x00', time: seq };
  return { seq, name: 'CellOpened', arguments: {}, ...place } as GameEvent;
}

const SEEDS = Array.from({ length: 300 }, (_, seed) => seed);

describe('one game', () => {
  type Arrival = (telling: Telling) => void;

  test.each(SEEDS)('whatever comes when, the newest stands at the end (seed %i)', (seed) => {
    const draw = drawing(seed);
    const moves = 2 + draw(6);
    const events = Array.from({ length: moves }, (_, at) => event(2 * at + 1));
    const at = (sequence: number) => summary(1, { sequence, moveNumber: sequence });
    const told: Arrival[] = events.flatMap(({ seq }, index) => [
      (telling: Telling) => telling.tellEvents(events.slice(index, index + 1)),
      (telling: Telling) => telling.tellSummary(at(seq + 1)),
    ]);
    // Answers may be made between any two changes; the last one after all of them.
    const answers: Arrival[] = Array.from({ length: 4 }, () => draw(2 * moves)).map(
      (sequence) => (telling: Telling) =>
        telling.answer(
          at(sequence),
          events.filter(({ seq }) => seq <= sequence),
        ),
    );
    const last: Arrival = (telling) => telling.answer(at(2 * moves), events);

    const telling = new Telling();
    let before = -1;
    for (const arrival of arrived([...told, ...answers, last], draw, (each) => each !== last)) {
      arrival(telling);
      const sequence = telling.summary?.sequence ?? -1;
      expect(sequence).toBeGreaterThanOrEqual(before);
      before = sequence;
    }
    expect(telling.events).toEqual(events);
    expect(telling.summary?.moveNumber).toBe(2 * moves);
  });

  test('after a reset an answer counts whatever its number, and removes what is no longer so', () => {
    const telling = new Telling();
    telling.answer(summary(1, { sequence: 90, moveNumber: 9 }), [event(1), event(80)]);
    telling.reset();
    telling.tellEvents([event(4)]);
    telling.answer(summary(1, { sequence: 3, moveNumber: 1 }), [event(1)]);
    expect(telling.events.map(({ seq }) => seq)).toEqual([1, 4]);
    expect(telling.summary?.moveNumber).toBe(1);
  });

  test('an answer that is newer removes what a reorganisation has undone', () => {
    const telling = new Telling();
    telling.answer(summary(1, { sequence: 5 }), [event(1), event(5)]);
    telling.tellEvents([event(7)]);
    telling.answer(summary(1, { sequence: 9 }), [event(1), event(9)]);
    expect(telling.events.map(({ seq }) => seq)).toEqual([1, 9]);
  });
});

describe('a list', () => {
  const running = (game: Summary) => fits({ status: 'live' }, game);
  const ids = (listing: Listing) => listing.games.map(({ id }) => id);

  test.each(SEEDS)('whatever comes when, the newest stands at the end (seed %i)', (seed) => {
    const draw = drawing(seed);
    const games = 1 + draw(4);
    const phases = ['open', 'drawing', 'playing', 'ended'] as const;
    const changes = Array.from({ length: 3 + draw(8) }, (_, at) =>
      summary(1 + draw(games), { sequence: at + 1, phase: phases[draw(4)] as Summary['phase'] }),
    );
    /** The list as of a number, as the server holds it. */
    const listed = (sequence: number) => {
      const now = new Map<number, Summary>();
      for (const game of changes) if (game.sequence <= sequence) now.set(game.id, game);
      return [...now.values()].filter(running);
    };
    const told = changes.map((game) => (listing: Listing) => listing.tell(game));
    const answers = Array.from({ length: 3 }, () => draw(changes.length)).map(
      (sequence) => (listing: Listing) => {
        listing.answer(sequence, listed(sequence), true);
      },
    );
    const last = (listing: Listing) => {
      listing.answer(changes.length, listed(changes.length), true);
    };

    const listing = new Listing(running);
    const lost = (each: (listing: Listing) => void) => each !== last;
    for (const arrival of arrived([...told, ...answers, last], draw, lost)) arrival(listing);
    const sorted = (all: readonly Summary[]) => all.toSorted((one, two) => one.id - two.id);
    expect(sorted(listing.games)).toEqual(sorted(listed(changes.length)));
    expect(listing.news).toBe(0);
  });

  test('an answer made before a change does not take it back', () => {
    const listing = new Listing(running);
    listing.answer(3, [summary(1, { sequence: 3 }), summary(2, { sequence: 1 })], true);
    listing.tell(summary(1, { sequence: 5, phase: 'ended' }));
    listing.tell(summary(4, { sequence: 6 }));
    listing.answer(4, [summary(1, { sequence: 3 }), summary(2, { sequence: 1 })], true);
    expect(ids(listing)).toEqual([4, 2]);
    listing.answer(2, [], true);
    expect(ids(listing)).toEqual([4, 2]);
  });

  test('a changed game stays where it is, a new one is first, one that no longer fits goes', () => {
    const listing = new Listing(running);
    listing.answer(1, [summary(3), summary(2)], true);
    listing.tell(summary(2, { sequence: 2, moveNumber: 9 }));
    expect([ids(listing), listing.games[1]?.moveNumber]).toEqual([[3, 2], 9]);
    listing.tell(summary(4, { sequence: 3 }));
    listing.tell({ ...summary(2, { sequence: 3 }), kind: 'battleship' } as Summary);
    expect(listing.games.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
      'battleship 2',
      'bunkerwar 4',
      'bunkerwar 3',
      'bunkerwar 2',
    ]);
    listing.tell(summary(3, { sequence: 4, phase: 'ended' }));
    expect(ids(listing)).toEqual([2, 4, 2]);
  });

  test('what belongs to a later page waits for it, and a page older than the list is refused', () => {
    const listing = new Listing(running);
    listing.answer(5, [summary(9, { openedBlock: 90 }), summary(8, { openedBlock: 80 })], false);
    listing.tell(summary(3, { sequence: 6, openedBlock: 30, moveNumber: 7 }));
    expect(ids(listing)).toEqual([9, 8]);
    expect(listing.extend(4, [summary(7, { openedBlock: 70 })], false)).toBe(false);
    const page = [summary(7, { openedBlock: 70 }), summary(3, { openedBlock: 30 })];
    expect(listing.extend(5, page, true)).toBe(true);
    expect(ids(listing)).toEqual([9, 8, 7, 3]);
    expect(listing.games.at(-1)?.moveNumber).toBe(7);
  });

  test('after a reset an answer counts whatever its number', () => {
    const listing = new Listing(running);
    listing.answer(50, [summary(1, { sequence: 50 })], true);
    listing.reset();
    listing.answer(2, [summary(2, { sequence: 1 })], true);
    expect(ids(listing)).toEqual([2]);
  });
});

test('of two copies the newer; of two that are alike, the one that came', () => {
  const one = { sequence: 1, text: 'one' };
  const two = { sequence: 2, text: 'two' };
  expect(newer(null, one)).toBe(one);
  expect(newer(two, one)).toBe(two);
  expect(newer(one, { ...two })).toEqual(two);
  expect(newer(one, { ...one, text: 'again' }).text).toBe('again');
});
