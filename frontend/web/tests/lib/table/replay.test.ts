// @vitest-environment node
import { describe, expect, test } from 'vitest';
import type { Table } from '../../../src/lib/table/fold';
import { after, type Placed, replay, start } from '../../../src/lib/table/replay';
import type { Vector } from '../../vectors';
import { code, FILES, rulesOf } from './files';
import { SANDBOX } from './rules';

/** A folded table as the vectors hold it. */
function state(table: Table) {
  const { outcome, phase, control, players, invited, firstSeat, onTurn, consents } = table;
  const { keepAlives, winners, voidAnnounced, moveNumber, doubtful, deadline, mark } = table;
  return {
    ...{ phase, outcome, control, players, invited, firstSeat, onTurn, consents, keepAlives },
    ...{ winners, voidAnnounced, moveNumber, doubtful, deadline, mark, proofs: table.proofs },
    stake: String(table.stake),
    amounts: table.amounts.map(String),
    rake: String(table.rake),
    credits: table.credits.map(([account, amount]) => [account, String(amount)]),
    due: table.due && [table.due.event, table.due.seat],
  };
}

describe.each(FILES)('', ({ terms, games, refused }) => {
  test.each(games as Vector[])('$rules: $name', (game) => {
    let played = start(rulesOf(game));
    let expected = state(played.table);
    for (const [place, event] of (game.events as Placed[]).entries()) {
      played = after(played, event, rulesOf(game), terms);
      expected = { ...expected, ...game.states[place] };
      expect(state(played.table)).toEqual(expected);
    }
    expect(played.table.due).toBeNull();
  });

  test.each(refused as Vector[])('$rules: refused as $code', (vector) => {
    expect(code(vector.events, vector, terms)).toBe(vector.code);
    const { length } = vector.events;
    const before = code(vector.events.slice(0, length - 1), vector, terms);
    if (vector.code !== 'fogbound.broken_off')
      expect([null, 'fogbound.broken_off']).toContain(before);
  });
});

test.each(['constructor', 'toString', '__proto__', ''])('no event is named %j', (name) => {
  const event = { name, arguments: {}, block: 1, index: 0, transaction: '0x', time: 1 };
  const terms = FILES[0]?.terms;
  expect(() => replay([event], SANDBOX, terms)).toThrow('fogbound.event_unknown');
});
