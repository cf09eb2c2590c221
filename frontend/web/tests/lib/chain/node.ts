/** A node that is played by a test: it answers fetch, mines what it gets, and can misbehave. */
import { type Address, type Hex, keccak256, numberToHex, parseTransaction } from 'viem';
import { vi } from 'vitest';
import { Chain } from '../../../src/lib/chain/chain';
import { PageLocks } from '../../../src/lib/chain/locks';
import type { Shared } from '../../../src/lib/chain/signer';
import { WebStore } from '../../../src/lib/chain/store';
import { memoryStorage } from '../../memory';

export const CHAIN_ID = 31337;
export const CONTRACT: Address = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
export const KEY: Hex = `0x${'11'.repeat(32)}`;

/** An answer that is a JSON-RPC error object. */
export class RpcFailure {
  constructor(
    readonly code: number,
    readonly message: string,
    readonly data?: unknown,
  ) {}
}

type Answer = (params: unknown[]) => unknown;

export class FakeNode {
  readonly calls: { method: string; params: unknown[] }[] = [];
  readonly sent: Hex[] = [];
  readonly receipts = new Map<Hex, object>();
  /** Whether transactions are mined as they come. */
  mines = true;
  succeeds = true;
  /** Whether anything comes back at all. */
  online = true;
  readonly #answers: Record<string, Answer> = {
    eth_chainId: () => numberToHex(CHAIN_ID),
    eth_blockNumber: () => numberToHex(100),
    eth_getBalance: () => numberToHex(10n ** 18n),
    eth_estimateGas: () => numberToHex(50_000),
    eth_maxPriorityFeePerGas: () => '0x1',
    eth_getBlockByNumber: () => ({ baseFeePerGas: '0x2' }),
    eth_getTransactionCount: ([, tag]) =>
      numberToHex(tag === 'latest' ? this.receipts.size : this.sent.length),
    eth_getTransactionReceipt: ([hash]) => this.receipts.get(hash as Hex) ?? null,
    eth_sendRawTransaction: ([raw]) => this.take(raw as Hex),
    eth_call: () => '0x',
  };

  constructor() {
    vi.stubGlobal('fetch', (_: unknown, init: RequestInit) => this.#fetched(init));
  }

  /** Answer a method in another way from now on. */
  on(method: string, answer: Answer): void {
    this.#answers[method] = answer;
  }

  take(raw: Hex): Hex {
    const hash = keccak256(raw);
    if (!this.sent.includes(raw)) this.sent.push(raw);
    if (this.mines) this.mine(hash);
    return hash;
  }

  mine(hash: Hex): void {
    const status = this.succeeds ? '0x1' : '0x0';
    this.receipts.set(hash, { status, blockNumber: '0x65', logs: [] });
  }

  get nonces(): (number | undefined)[] {
    return this.sent.map((raw) => parseTransaction(raw).nonce ?? 0);
  }

  asked(method: string): unknown[][] {
    return this.calls.filter((each) => each.method === method).map((each) => each.params);
  }

  async #fetched(init: RequestInit): Promise<Response> {
    if (!this.online) throw new TypeError('fetch failed');
    const { id, method, params = [] } = JSON.parse(String(init.body));
    this.calls.push({ method, params });
    const answer = await this.#answers[method]?.(params);
    if (answer instanceof Response) return answer;
    const body =
      answer instanceof RpcFailure
        ? { error: { code: answer.code, message: answer.message, data: answer.data } }
        : { result: answer };
    return Response.json({ jsonrpc: '2.0', id, ...body });
  }
}

export function newChain(): Chain {
  return new Chain({ chainId: CHAIN_ID, url: 'http://node.test/rpc' });
}

/** What the tabs of one browser share. */
export function newBrowser(): Shared {
  return { store: new WebStore(memoryStorage()), locks: new PageLocks() };
}
