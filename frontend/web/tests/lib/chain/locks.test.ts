// @vitest-environment node
import { describe, expect, test } from 'vitest';
import { type Locks, PageLocks, tabLocks } from '../../../src/lib/chain/locks';

function gate() {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

describe.each<[string, () => Locks]>([
  ['a page', () => new PageLocks()],
  ['all tabs', tabLocks],
])('over %s', (_, make) => {
  test('work under one name is done in order, one at a time', async () => {
    const locks = make();
    const { passed, open } = gate();
    const done: number[] = [];
    const first = locks.exclusive('a', async () => {
      await passed;
      done.push(1);
    });
    const second = locks.exclusive('a', async () => void done.push(2));
    await locks.exclusive('b', async () => void done.push(0));
    open();
    await Promise.all([first, second]);
    expect(done).toEqual([0, 1, 2]);
  });

  test('work that another does already is not done', async () => {
    const locks = make();
    const { passed, open } = gate();
    const held = locks.exclusive('c', () => passed);
    await Promise.resolve();
    expect(await locks.ifFree('c', async () => 'mine')).toBeNull();
    open();
    await held;
    await new Promise((resolve) => setTimeout(resolve));
    expect(await locks.ifFree('c', async () => 'mine')).toBe('mine');
  });

  test('work that fails sets its name free', async () => {
    const locks = make();
    const failing = locks.exclusive('d', async () => {
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await locks.exclusive('d', async () => 'next')).toBe('next');
  });
});
