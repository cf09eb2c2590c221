// @vitest-environment node
import { beforeEach, expect, test } from 'vitest';
import { backup, createKey, loadKey, restore } from '../../../src/lib/chain/browserKey';
import { BackupInvalid, StorageRefused } from '../../../src/lib/chain/errors';
import { type Store, WebStore } from '../../../src/lib/chain/store';
import { memoryStorage } from '../../memory';

let store: Store;
let other: Store;

beforeEach(() => {
  store = new WebStore(memoryStorage());
  other = new WebStore(memoryStorage());
});

test('a key is made once and found again', () => {
  expect(loadKey(store)).toBeNull();
  const key = createKey(store);
  expect(key).toMatch(/^0x[0-9a-f]{64}$/);
  expect(loadKey(store)).toBe(key);
});

test('a backup brings back every key, and nothing else', () => {
  const first = createKey(store);
  const key = createKey(store);
  store.write('settings', { theme: 'dark' });
  expect(restore(backup(store), other)).toBe(key);
  expect(other.read('keys')).toEqual([first, key]);
  expect(other.names('')).toEqual(['keys']);
});

test('no key that is there already is lost by restoring', () => {
  const old = createKey(other);
  const key = createKey(store);
  restore(backup(store), other);
  expect(loadKey(other)).toBe(key);
  expect(other.read('keys')).toEqual([old, key]);
  restore(old, other);
  expect(other.read('keys')).toEqual([key, old]);
});

test('a private key alone will do', () => {
  const key = createKey(store);
  expect(restore(` ${key.slice(2).toUpperCase()}\n`, other)).toBe(key);
});

test.each(['', 'hello', '{}', 'null', `0x${'00'.repeat(32)}`, `0x${'ff'.repeat(32)}`])(
  '"%s" is no backup',
  (text) => {
    expect(() => restore(text, store)).toThrow(BackupInvalid);
    expect(loadKey(store)).toBeNull();
  },
);

test('a browser that keeps nothing says so before a key is used', () => {
  const full = memoryStorage();
  full.setItem = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  expect(() => createKey(new WebStore(full))).toThrow(StorageRefused);
});

test('damaged values read as none', () => {
  const storage = memoryStorage();
  for (const text of ['{', '7', '{}', '[7, "0x00", null]']) {
    storage.setItem('fogbound.keys', text);
    expect(loadKey(new WebStore(storage))).toBeNull();
  }
});

test('a damaged key takes no other with it', () => {
  const key = createKey(store);
  store.write('keys', ['0xdamaged', key]);
  const next = createKey(store);
  expect(store.read('keys')).toEqual([key, next]);
});
