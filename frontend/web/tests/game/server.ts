/** A server that knows one game, and tells of it as the real one does. */
import { flushSync } from 'svelte';
import { vi } from 'vitest';
import { ApiError, api, type Config, type GameEvent, type Summary } from '../../src/lib/api';
import { app } from '../../src/lib/app.svelte';
import { identity } from '../../src/lib/chain/identity.svelte';
import type { Player } from '../../src/lib/chain/player';
import { FakeEventSource } from '../eventSource';

const CLOCKS = { wait: 7_200, notice: 240, proof: 600 };
const CONTROLS = [{ move: 300, keepAlives: 3 }];
const GAME = {
  contract: '0x00000000000000000000000000000000000000D4',
  clocks: CLOCKS,
  controls: CONTROLS,
};
const CONFIG = {
  chainId: 31_337,
  block: { number: 100, timestamp: 1_000 },
  games: { bunkerwar: GAME, battleship: GAME },
  bots: [],
  faucet: null,
  leastRatedStake: '1000000000000000',
} as unknown as Config;

export class GameServer {
  /** null: it knows no game yet. */
  constructor(
    public summary: Summary | null,
    public events: readonly GameEvent[] = [],
  ) {}

  async install(): Promise<void> {
    vi.stubGlobal('EventSource', FakeEventSource);
    vi.spyOn(api, 'config').mockResolvedValue(CONFIG);
    vi.spyOn(api, 'player').mockRejectedValue(new ApiError(404, 'unknown', 'nobody'));
    vi.spyOn(api, 'game').mockImplementation(async () => {
      if (!this.summary) throw new ApiError(404, 'unknown', 'no such game');
      return { ...this.summary, events: [...this.events] };
    });
    await app.load();
  }

  /** More happens: a summary and then its events, as one batch of the stream. */
  adds(summary: Partial<Summary>, events: readonly GameEvent[]): void {
    const block = events.at(-1)?.block ?? 0;
    const sequence = Math.max(events.at(-1)?.seq ?? 0, this.summary?.sequence ?? 0) + 1;
    this.summary = { ...this.summary, ...summary, updatedBlock: block, sequence } as Summary;
    this.events = [...this.events, ...events];
    this.tellsSummary();
    this.tellsEvents(events);
  }

  tellsSummary(): void {
    FakeEventSource.last.says('game', this.summary);
  }

  tellsEvents(events: readonly GameEvent[]): void {
    const { kind, id } = this.summary as Summary;
    FakeEventSource.last.says('events', { kind, id, events });
  }
}

/** Sit down as `address`; null: look on. */
export function be(address: Player['address'] | null): void {
  identity.player = address && ({ address, kind: 'key' } as Player);
}

/** Events in the API's form, one a block. */
export function numbered(
  events: readonly (readonly [string, Record<string, unknown>])[],
  first = 0,
): GameEvent[] {
  return events.map(([name, given], at) => {
    const told = Object.entries(given).map(([key, value]) => [
      key,
      typeof value === 'number' ? String(value) : value,
    ]);
    const place = { seq: first + at, block: first + at + 1, index: 0, time: 1_000 } as const;
    return { name, arguments: Object.fromEntries(told), transaction: '0x00', ...place };
  });
}

/** Let all that is due until then happen; for fake timers. */
export async function settle(milliseconds = 0): Promise<void> {
  flushSync();
  await vi.advanceTimersByTimeAsync(milliseconds);
  flushSync();
}
