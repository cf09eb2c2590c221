import * as v from 'valibot';
import { beforeEach, expect, test, vi } from 'vitest';
import { OwnBits } from '../../src/lib/chain/ownBits';
import { PendingList } from '../../src/lib/chain/pending';
import { WebStore } from '../../src/lib/chain/store';
import { lastChoices } from '../../src/lib/setup';
import { load, save } from '../../src/lib/storage';

const SHAPE = { name: v.string(), size: v.number() };
const ODD = ['', '{', 'null', '7', '"text"', '[]', '[[]]', '{"name": 7}', '{"__proto__": 1}'];

beforeEach(() => localStorage.clear());

test('what is kept comes back as far as it has the shape', () => {
  save('thing', { name: 'x', size: 'large', other: true });
  expect(load('thing', SHAPE)).toEqual({ name: 'x' });
  expect(load('nothing', SHAPE)).toEqual({});
});

test.each(ODD)('%s, where something else is expected, is as if it were not there', (text) => {
  const store = new WebStore(localStorage);
  for (const name of ['thing', 'choices', 'bits', 'pending.1.0x']) {
    localStorage.setItem(`fogbound.${name}`, text);
  }
  expect(load('thing', SHAPE)).toEqual({});
  expect(lastChoices().battleship).toEqual({ size: 8 });
  expect(new OwnBits(store, 'bits').get('0x00')).toBeUndefined();
  expect(new PendingList(1, '0x', store).all()).toEqual([]);
});

test('a browser that keeps nothing is no error', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  save('thing', { name: 'x' });
  expect(load('thing', SHAPE)).toEqual({});
});
