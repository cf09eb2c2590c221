import { expect, test } from 'vitest';
import { keepAlivesLeft, type Option, options, overdue, type Table } from '../../src/game/options';
import type { Summary } from '../../src/lib/api';
import { GUEST, HOST, OUTSIDER, summary } from '../summaries';

const CLOCKS = { move: 240, wait: 7_200, notice: 240 };

function table(changes: Partial<Summary>, rest: Partial<Table> = {}): Table {
  const at = { seat: 0, address: HOST, block: 100, clocks: CLOCKS, proofs: [] } as const;
  return { summary: summary(1, changes), ...at, ...rest };
}
const guest = { seat: 1, address: GUEST } as const;
const outsider = { seat: null, address: OUTSIDER } as const;

const cases: [string, Option[], Table][] = [
  ['the host of an open game', ['cancel'], table({ phase: 'open', players: [HOST, null] })],
  ['anybody else', ['join'], table({ phase: 'open', players: [HOST, null] }, outsider)],
  ['a visitor who is nobody', ['join'], table({ phase: 'open' }, { ...outsider, address: null })],
  ['who is not invited', [], table({ phase: 'open', invited: GUEST }, outsider)],
  ['who is', ['join'], table({ phase: 'open', invited: OUTSIDER }, outsider)],
  ['before the draw', ['resign'], table({ phase: 'drawing', onTurn: null })],
  ['on turn', ['offerDraw', 'resign', 'keepAlive'], table({})],
  ['on turn, without time to take', ['offerDraw', 'resign'], table({ keepAlives: [3, 0] })],
  ['not on turn', ['offerDraw', 'resign'], table({}, guest)],
  ['who has offered', ['resign', 'keepAlive'], table({ consents: [0] })],
  ['who is offered', ['acceptDraw', 'resign', 'keepAlive'], table({ consents: [1] })],
  ['at the deadline', ['offerDraw', 'resign'], table({ deadline: 100 }, guest)],
  ['after it', ['offerDraw', 'resign', 'claimTimeout'], table({ deadline: 99 }, guest)],
  ['whose own time is up', ['offerDraw', 'resign', 'keepAlive'], table({ deadline: 99 })],
  ['waiting', ['offerDraw', 'resign'], table({ phase: 'waiting', mark: 100 }, { block: 7_299 })],
  [
    'waiting too long',
    ['offerDraw', 'resign', 'announceVoid'],
    table({ phase: 'waiting', mark: 100 }, { block: 7_300 }),
  ],
  [
    'a void announced',
    ['offerDraw', 'resign'],
    table({ phase: 'waiting', mark: 100, voidAnnounced: true }, { block: 339 }),
  ],
  [
    'a void due',
    ['offerDraw', 'resign', 'voidGame'],
    table({ phase: 'waiting', mark: 100, voidAnnounced: true }, { block: 340 }),
  ],
  ['over', [], table({ phase: 'ended' })],
  ['a spectator', [], table({ deadline: 1 }, outsider)],
];

test.each(cases)('%s may: %j', (_, expected, given) => {
  expect(options(given)).toEqual(expected);
});

test('a proof may be closed once its clock has run out', () => {
  const proofs = [{ seat: 1, deadline: 99 }] as const;
  const late = table({ phase: 'proving' }, { proofs });
  expect(options(late)).toEqual(['closeProof']);
  expect(overdue(late)).toEqual(proofs[0]);
  expect(options({ ...late, block: 99 })).toEqual([]);
  expect(options({ ...late, ...outsider })).toEqual([]);
});

test('each seat has three extensions', () => {
  expect(keepAlivesLeft(summary(1, { keepAlives: [1, 3] }), 0)).toBe(2);
  expect(keepAlivesLeft(summary(1, { keepAlives: [1, 3] }), 1)).toBe(0);
});
