/** Transactions on their way: kept until they are mined, so that a reload finds them again. */
import * as v from 'valibot';
import type { Address, Hash, Hex } from 'viem';
import type { Call, Chain, Receipt } from './chain';
import {
  ClientError,
  TransactionFailed,
  TransactionLost,
  TransactionReplaced,
  Unreachable,
} from './errors';
import { hash, shaped } from './shapes';
import { browserStore, type Store } from './store';

/** `raw` and `nonce` where the page signed it itself; `sentAt` in milliseconds since 1970. */
export interface Pending {
  readonly hash: Hash;
  readonly raw: Hex | null;
  readonly nonce: number | null;
  readonly label: string;
  readonly sentAt: number;
}

const Kept = v.object({
  hash,
  raw: v.nullable(v.pipe(v.string(), v.regex(/^0x[0-9a-f]*$/))) as v.GenericSchema<Hex | null>,
  nonce: v.nullable(v.pipe(v.number(), v.safeInteger())),
  label: v.string(),
  sentAt: v.number(),
});
const List = v.fallback(v.array(v.unknown()), []);

const FIRST_POLL = 20;
const SLOWEST_POLL = 1_000;
const PATIENCE = 120_000;
/** Later than this nothing is sent again: a chain that was reset must not get an old move. */
const RESEND_UNTIL = 600_000;

/** What one account has on its way on one chain. */
export class PendingList {
  readonly #store: Store;
  readonly #name: string;

  constructor(chainId: number, address: Address, store: Store = browserStore()) {
    this.#store = store;
    this.#name = `pending.${chainId}.${address}`;
  }

  all(): readonly Pending[] {
    return v.parse(List, this.#store.read(this.#name)).flatMap((each) => shaped(Kept, each) ?? []);
  }

  /** Throws StorageRefused. */
  add(pending: Pending): void {
    this.#store.write(this.#name, [...this.all(), pending]);
  }

  remove(hash: Hash): void {
    const left = this.all().filter((each) => each.hash !== hash);
    if (left.length) this.#store.write(this.#name, left);
    else this.#store.remove(this.#name);
  }
}

/** Wait for all that `address` has on its way, as after a reload; failures are not told again. */
export async function resume(
  chain: Chain,
  address: Address,
  list = new PendingList(chain.chainId, address),
): Promise<void> {
  await Promise.all(
    list.all().map(async (pending) => {
      try {
        await mined(chain, address, pending);
      } catch (error) {
        const old = Date.now() - pending.sentAt > RESEND_UNTIL;
        if (error instanceof TransactionLost && !old) return;
      }
      list.remove(pending.hash);
    }),
  );
}

/**
 * The receipt, waited for also over a lost connection.
 *
 * Throws TransactionReplaced, and TransactionLost where it does not come in time.
 */
export async function mined(chain: Chain, sender: Address, pending: Pending): Promise<Receipt> {
  const until = Date.now() + PATIENCE;
  for (let pause = FIRST_POLL; Date.now() < until; pause = Math.min(2 * pause, SLOWEST_POLL)) {
    const receipt = await unlessUnreachable(chain.receipt(pending.hash));
    if (receipt) return receipt;
    if (pause === SLOWEST_POLL) await insist(chain, sender, pending);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  throw new TransactionLost(pending.hash);
}

/** Replay a failed transaction on the state before its block, for its custom error. Throws always. */
export async function explainFailure(
  chain: Chain,
  sender: Address,
  call: Call,
  receipt: Receipt,
): Promise<never> {
  await chain.call(call, sender, receipt.block - 1);
  throw new TransactionFailed(receipt.hash);
}

/** A node that was restarted may have forgotten it; another transaction may have its place. */
async function insist(chain: Chain, sender: Address, { hash, raw, nonce, sentAt }: Pending) {
  const used = await unlessUnreachable(chain.nonce(sender, 'latest'));
  if (used !== null && nonce !== null && used > nonce) {
    if (!(await unlessUnreachable(chain.receipt(hash)))) throw new TransactionReplaced(hash);
  }
  if (raw === null || Date.now() - sentAt > RESEND_UNTIL) return;
  try {
    await chain.sendRaw(raw);
  } catch (error) {
    if (!(error instanceof ClientError)) throw error; // a node that knows it says so, harmlessly
  }
}

async function unlessUnreachable<T>(request: Promise<T>): Promise<T | null> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof Unreachable) return null;
    throw error;
  }
}
