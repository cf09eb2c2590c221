/** Gas money on the local chain. */
import type { Address } from 'viem';
import { ApiError, api } from '../api';
import type { Chain } from './chain';
import { FaucetRefused, Unreachable } from './errors';

const PATIENCE = 30_000;
const POLL = 200;

/** Fund an account and wait until it has the money. Throws FaucetRefused, Unreachable. */
export async function fund(chain: Chain, address: Address): Promise<void> {
  const before = await chain.balance(address);
  try {
    await api.faucet(address);
  } catch (error) {
    if (!(error instanceof ApiError)) throw new Unreachable('no faucet answers', { cause: error });
    throw new FaucetRefused(error.message, { cause: error });
  }
  for (const until = Date.now() + PATIENCE; Date.now() < until; ) {
    if ((await chain.balance(address)) > before) return;
    await new Promise((resolve) => setTimeout(resolve, POLL));
  }
  throw new FaucetRefused('the money did not come in time');
}
