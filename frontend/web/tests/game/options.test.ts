import { expect, test } from 'vitest';
import {
  keepAlivesLeft,
  late,
  type Option,
  options,
  overdue,
  type Table,
} from '../../src/game/options';
import type { Summary } from '../../src/lib/api';
import { GUEST, HOST, OUTSIDER, summary } from '../summaries';

const CLOCKS = { wait: 7_200, notice: 240, proof: 600 };
const CONTROL = { move: 300, keepAlives: 3 };

function table(changes: Partial<Summary>, rest: Partial<Table> = {}): Table {
  const at = { seat: 0, address: HOST, now: 100, proofs: [] } as const;
  return { summary: summary(1, changes), clocks: CLOCKS, control: CONTROL, ...at, ...rest };
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
  ['waiting', ['offerDraw', 'resign'], table({ phase: 'waiting', mark: 100 }, { now: 7_299 })],
  [
    'waiting too long',
    ['offerDraw', 'resign', 'announceVoid'],
    table({ phase: 'waiting', mark: 100 }, { now: 7_300 }),
  ],
  [
    'a void announced',
    ['offerDraw', 'resign'],
    table({ phase: 'waiting', mark: 100, voidAnnounced: true }, { now: 339 }),
  ],
  [
    'a void due',
    ['offerDraw', 'resign', 'voidGame'],
    table({ phase: 'waiting', mark: 100, voidAnnounced: true }, { now: 340 }),
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
  expect(options({ ...late, now: 99 })).toEqual([]);
  expect(options({ ...late, ...outsider })).toEqual([]);
});

test('each seat has as many extensions as the time control gives', () => {
  const game = summary(1, { keepAlives: [1, 2] });
  expect(keepAlivesLeft(game, 0, CONTROL)).toBe(2);
  expect(keepAlivesLeft(game, 1, { move: 60, keepAlives: 2 })).toBe(0);
  expect(options(table({}, { control: { move: 60, keepAlives: 0 } }))).not.toContain('keepAlive');
});

test('where no clock runs nobody is late', () => {
  expect(late(summary(1, { deadline: null }), 10 ** 10)).toBe(false);
  expect(options(table({ deadline: null }, guest))).toEqual(['offerDraw', 'resign']);
});
