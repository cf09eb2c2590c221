// @vitest-environment node
import { type Address, getAddress, type Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  accountsIn,
  backupText,
  type Held,
  heldFor,
  isVouched,
  parseBackup,
  voucherText,
} from '../../../src/lib/chain/backup';
import { createKey, restore } from '../../../src/lib/chain/browserKey';
import { BackupInvalid } from '../../../src/lib/chain/errors';
import { type Store, WebStore } from '../../../src/lib/chain/store';
import { memoryStorage } from '../../memory';

const CHAIN = 31_337;
const CONTRACT = getAddress(`0x${'ab'.repeat(20)}`);
const DEPLOYMENT: Hex = `0x${'cd'.repeat(32)}`;
const SECRET: Hex = `0x${'66'.repeat(32)}`;

let store: Store;
let victim: Address;
beforeEach(() => {
  store = new WebStore(memoryStorage());
  victim = privateKeyToAccount(createKey(store)).address;
});

const boardsOf = (player: string) => `boards.${CHAIN}.${CONTRACT}.${player}.${DEPLOYMENT}`;
const sessionOf = (player: string) => `session.${CHAIN}.${CONTRACT}.${player}`;

/** What a hostile file would plant for `player`. */
function planted(player: Address): Held {
  return {
    player,
    sessions: [{ chainId: CHAIN, contract: CONTRACT, key: generatePrivateKey() }],
    boards: [{ chainId: CHAIN, contract: CONTRACT, deployment: DEPLOYMENT, secret: SECRET }],
  };
}

function fileOf(content: object): string {
  return JSON.stringify({ format: 'fogbound backup 2', keys: [], wallets: [], ...content });
}

/** Take over `text`, which may be refused; what the store holds then. */
function namesAfter(text: string): string[] {
  try {
    restore(text, store);
  } catch (error) {
    expect(error).toBeInstanceOf(BackupInvalid);
  }
  return store.names('');
}

describe('a file can plant nothing for an account that is not its giver’s', () => {
  test('named entries of an earlier format', () => {
    const attackersKey = generatePrivateKey();
    for (const name of [victim, victim.toLowerCase(), victim.toUpperCase().replace('0X', '0x')]) {
      const others = {
        [boardsOf(name)]: { secret: SECRET, recoverable: true },
        [sessionOf(name)]: attackersKey,
        [`permit.${CHAIN}.${CONTRACT}.${name}`]: {},
        [`bits.${CHAIN}.${CONTRACT}.${name}`]: [],
        keys: [attackersKey],
      };
      const format = 'fogbound backup 1';
      expect(namesAfter(JSON.stringify({ format, key: null, others }))).toEqual(['keys']);
      expect(namesAfter(JSON.stringify({ format, key: attackersKey, others }))).toEqual(['keys']);
    }
  });

  test.each(['0x', '0x00', `0x${'11'.repeat(65)}`, `0x${'00'.repeat(65)}`])(
    'with the signature %s',
    (signature) => {
      expect(namesAfter(fileOf({ wallets: [{ held: planted(victim), signature }] }))).toEqual([
        'keys',
      ]);
    },
  );

  test('with a signature of another account, or over other contents', async () => {
    const giver = privateKeyToAccount(generatePrivateKey());
    const held = planted(victim);
    const signature = await giver.signMessage({ message: voucherText(held) });
    expect(namesAfter(fileOf({ wallets: [{ held, signature }] }))).toEqual(['keys']);
    const own = { ...planted(giver.address), boards: [] };
    const other = await giver.signMessage({ message: voucherText(own) });
    const wallets = [{ held: planted(giver.address), signature: other }];
    expect(namesAfter(fileOf({ wallets }))).toEqual(['keys']);
  });

  test('whatever its shape', () => {
    const odd: unknown[] = [
      null,
      [],
      7,
      'x'.repeat(1_000_001),
      { keys: 'all' },
      { keys: Array(101).fill(generatePrivateKey()) },
      { wallets: [null] },
      { wallets: [{ held: { ...planted(victim), extra: 1 }, signature: '0x11' }] },
      { wallets: [{ held: { ...planted(victim), player: `${victim}.${DEPLOYMENT}` } }] },
      { keys: [], extra: true },
    ];
    for (const content of odd) {
      const text = typeof content === 'string' ? content : JSON.stringify(content);
      expect(namesAfter(text)).toEqual(['keys']);
      if (content && typeof content === 'object')
        expect(namesAfter(fileOf(content))).toEqual(['keys']);
    }
    const polluting = fileOf({}).replace('{', '{"__proto__": {"keys": ["0x1"]}, ');
    expect(namesAfter(polluting)).toEqual(['keys']);
    expect(({} as { keys?: unknown }).keys).toBeUndefined();
  });
});

describe('what an account of a wallet vouched for', () => {
  const wallet = privateKeyToAccount(generatePrivateKey());
  const session = generatePrivateKey();

  async function saved(): Promise<string> {
    const mine = new WebStore(memoryStorage());
    mine.write(boardsOf(wallet.address), { secret: SECRET, recoverable: false });
    mine.write(sessionOf(wallet.address), session);
    mine.write(sessionOf(victim), generatePrivateKey());
    const held = heldFor(wallet.address, mine);
    if (!held) throw new Error('there is something to save');
    const signature = await wallet.signMessage({ message: voucherText(held) });
    return backupText(mine, [{ held, signature }]);
  }

  test('comes back', async () => {
    expect(restore(await saved(), store)).toBeNull();
    expect(store.read(boardsOf(wallet.address))).toEqual({ secret: SECRET, recoverable: false });
    expect(store.read(sessionOf(wallet.address))).toBe(session);
    expect(store.names('session.')).toHaveLength(1);
  });

  test('overwrites nothing', async () => {
    store.write(sessionOf(wallet.address), '0x03');
    restore(await saved(), store);
    expect(store.read(sessionOf(wallet.address))).toBe('0x03');
  });

  test('is named before it is written', async () => {
    const backup = parseBackup(await saved());
    expect(backup.wallets.every(isVouched)).toBe(true);
    expect(accountsIn({ ...backup, keys: [generatePrivateKey()] })[0]).toBe(wallet.address);
    expect(store.names('')).toEqual(['keys']);
  });

  test('is nothing where the wallet gives all of it again', () => {
    store.write(boardsOf(wallet.address), { secret: SECRET, recoverable: true });
    store.write(boardsOf(victim), { secret: SECRET, recoverable: false });
    expect(heldFor(wallet.address, store)).toBeNull();
  });
});
