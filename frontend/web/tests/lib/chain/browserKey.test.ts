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

test('a backup brings back keys, board keys and session keys, and nothing else', () => {
  const key = createKey(store);
  store.write('boards.31337.0xA.0xB', { secret: '0x01', recoverable: false });
  store.write('session.31337.0xA.0xB', '0x02');
  store.write('settings', { theme: 'dark' });
  expect(restore(backup(store), other)).toBe(key);
  expect(loadKey(other)).toBe(key);
  expect(other.read('boards.31337.0xA.0xB')).toEqual({ secret: '0x01', recoverable: false });
  expect(other.read('session.31337.0xA.0xB')).toBe('0x02');
  expect(other.read('settings')).toBeNull();
});

test('nothing that is there already is lost by restoring', () => {
  const old = createKey(other);
  other.write('session.1.0xA.0xB', '0x03');
  store.write('session.1.0xA.0xB', '0x02');
  const key = createKey(store);
  restore(backup(store), other);
  expect(loadKey(other)).toBe(key);
  expect(other.read('keys')).toEqual([old, key]);
  expect(other.read('session.1.0xA.0xB')).toBe('0x03');
  restore(old, other);
  expect(other.read('keys')).toEqual([key, old]);
});

test('a private key alone will do', () => {
  const key = createKey(store);
  expect(restore(` ${key.slice(2).toUpperCase()}\n`, other)).toBe(key);
});

test('a backup without a key restores the rest', () => {
  store.write('boards.x', { secret: '0x01' });
  expect(restore(backup(store), other)).toBeNull();
  expect(other.read('boards.x')).toEqual({ secret: '0x01' });
});

test.each(['', 'hello', '{}', 'null', `0x${'00'.repeat(32)}`, `0x${'ff'.repeat(32)}`])(
  '"%s" is no backup',
  (text) => {
    expect(() => restore(text, store)).toThrow(BackupInvalid);
    expect(loadKey(store)).toBeNull();
  },
);

test('a backup cannot write what it should not', () => {
  const text = JSON.stringify({
    format: 'fogbound backup 1',
    key: null,
    others: { keys: ['0x0'] },
  });
  restore(text, store);
  expect(loadKey(store)).toBeNull();
});

test('a browser that keeps nothing says so before a key is used', () => {
  const full = memoryStorage();
  full.setItem = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  expect(() => createKey(new WebStore(full))).toThrow(StorageRefused);
});

test('damaged values read as none', () => {
  const storage = memoryStorage();
  storage.setItem('fogbound.keys', '{');
  expect(loadKey(new WebStore(storage))).toBeNull();
});
