import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Duty, type Owed } from '../../src/game/duty.svelte';
import { InsufficientFunds, SignatureRejected } from '../../src/lib/chain/errors';

const work = vi.fn<() => Promise<void>>();
let owed = $state.raw<Owed | null>(null);
let duty: Duty;
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  work.mockReset().mockResolvedValue(undefined);
  owed = null;
  duty = new Duty(() => owed);
  stop = $effect.root(() => duty.watch());
  flushSync();
});
afterEach(() => stop());

async function wait(milliseconds: number) {
  flushSync();
  await vi.advanceTimersByTimeAsync(milliseconds);
  flushSync();
}

test('what is owed is done after its grace, once', async () => {
  owed = { name: 'draw', grace: 500, work };
  await wait(499);
  expect(work).not.toHaveBeenCalled();
  await wait(1);
  expect(work).toHaveBeenCalledTimes(1);
});

test('what somebody else has done meanwhile is not', async () => {
  owed = { name: 'draw', grace: 500, work };
  await wait(400);
  owed = null;
  await wait(10_000);
  expect(work).not.toHaveBeenCalled();
});

test('the grace of a duty does not begin anew with each look at it', async () => {
  owed = { name: 'draw', grace: 500, work };
  await wait(400);
  owed = { name: 'draw', grace: 500, work };
  await wait(100);
  expect(work).toHaveBeenCalledTimes(1);
});

test('what stays owed is tried again in a while; the next duty at once', async () => {
  work.mockRejectedValueOnce(new InsufficientFunds());
  owed = { name: 'answer 1', grace: 0, work };
  await wait(0);
  expect(duty.trouble?.key).toBe('error.insufficientFunds');
  await wait(4_000);
  expect(work).toHaveBeenCalledTimes(1);
  await wait(1_000);
  expect(work).toHaveBeenCalledTimes(2);
  expect(duty.trouble).toBeNull();
  owed = { name: 'answer 2', grace: 0, work };
  await wait(0);
  expect(work).toHaveBeenCalledTimes(3);
});

test('what the player declines to sign is not asked for again until they say so', async () => {
  work.mockRejectedValueOnce(new SignatureRejected());
  owed = { name: 'answer', grace: 0, work };
  await wait(60_000);
  expect(work).toHaveBeenCalledTimes(1);
  duty.retry();
  await wait(0);
  expect(work).toHaveBeenCalledTimes(2);
});

test('trouble is over with what caused it', async () => {
  work.mockRejectedValue(new InsufficientFunds());
  owed = { name: 'answer', grace: 0, work };
  await wait(0);
  expect(duty.trouble).not.toBeNull();
  owed = null;
  await wait(0);
  expect(duty.trouble).toBeNull();
});

test('one waits until nothing is being done', async () => {
  let finish = () => {};
  work.mockReturnValueOnce(new Promise((resolve) => (finish = resolve)));
  owed = { name: 'answer', grace: 0, work };
  await wait(0);
  const idle = vi.fn();
  void duty.idle().then(idle);
  await wait(1_000);
  expect([duty.doing, idle.mock.calls.length]).toEqual(['answer', 0]);
  finish();
  await wait(0);
  expect([duty.doing, idle.mock.calls.length]).toEqual([null, 1]);
});
