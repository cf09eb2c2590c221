import { flushSync } from 'svelte';
import { afterEach, expect, test, vi } from 'vitest';
import { identity } from '../../../src/lib/chain/identity.svelte';
import { CHAIN_ID, FakeNode } from './node';

afterEach(() => vi.unstubAllGlobals());

test('an effect that starts it runs once, though wallets show themselves at once', () => {
  new FakeNode();
  const provider = { request: async () => [] };
  const info = { uuid: 'u', name: 'Test', icon: '', rdns: 'test.wallet' };
  const announce = () => {
    const detail = { info, provider };
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
  };
  window.addEventListener('eip6963:requestProvider', announce);
  const started = vi.fn();
  const end = $effect.root(() => {
    $effect(() => {
      started();
      return identity.start({ chainId: CHAIN_ID, local: true, faucet: null });
    });
  });
  flushSync();
  expect(started).toHaveBeenCalledTimes(1);
  expect(identity.wallets.map((wallet) => wallet.id)).toEqual(['test.wallet']);
  end();
  window.removeEventListener('eip6963:requestProvider', announce);
});
