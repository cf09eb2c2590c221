// @vitest-environment node
/** What scripts/make_mutant_vectors.py does to the games of the event vectors, with the same verdicts. */
import { expect, test } from 'vitest';
import type { Placed } from '../../../src/lib/table/replay';
import { type Vector, vectors } from '../../vectors';
import { code, FILES } from './files';

const CODES = vectors('event-mutants');
const PLACE = ['block', 'index', 'transaction', 'time'] as const;

function altered(value: unknown): unknown {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  if (Array.isArray(value)) return value.with(-1, altered(value.at(-1)));
  const text = String(value);
  if (!text.startsWith('0x')) return String(BigInt(text) + 1n);
  if (text === '0x') return '0x00';
  return text.toLowerCase().slice(0, -1) + (text.endsWith('0') ? '1' : '0');
}

function* mutants(events: readonly Placed[]): Generator<Placed[]> {
  for (const [place, event] of events.entries()) {
    const [before, rest] = [events.slice(0, place), events.slice(place + 1)];
    yield [...before, ...rest];
    yield [...before, event, event, ...rest];
    for (const [name, value] of Object.entries(event.arguments)) {
      const given = { ...event.arguments, [name]: altered(value) };
      yield [...before, { ...event, arguments: given }, ...rest];
    }
    for (const name of PLACE) {
      yield [...before, { ...event, [name]: altered(event[name]) }, ...rest];
    }
  }
  for (const [place, one] of events.slice(0, -1).entries()) {
    const two = events[place + 1] as Placed;
    yield events
      .with(place, { ...two, ...placeOf(one) })
      .with(place + 1, { ...one, ...placeOf(two) });
  }
}

function placeOf({ block, index, transaction, time }: Placed) {
  return { block, index, transaction, time };
}

test.each(
  FILES.flatMap(({ games, terms }) =>
    games.map((game: Vector) => ({ ...game, terms })),
  ) as Vector[],
)('$rules: $name', (game) => {
  const codes = [...mutants(game.events)].map((events) => code(events, game, game.terms));
  expect(codes).toEqual(CODES[`${game.rules}: ${game.name}`]);
});
