import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Inquiry } from '../../src/lib/inquiry';

let asked: { answer: (value: string) => void; fail: () => void }[];
let taken: string[];
let inquiry: Inquiry<string>;

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  taken = [];
  inquiry = new Inquiry({
    ask: () =>
      new Promise<string>((resolve, reject) =>
        asked.push({ answer: resolve, fail: () => reject(new Error('away')) }),
      ),
    take: (answer) => taken.push(answer),
  });
});
afterEach(() => {
  vi.useRealTimers();
});

const settle = (milliseconds = 0) => vi.advanceTimersByTimeAsync(milliseconds);

test('two questions at most are under way; what came meanwhile is asked once more', async () => {
  for (let times = 0; times < 10; times++) void inquiry.ask();
  expect(asked).toHaveLength(2);
  asked[1]?.answer('second');
  await settle();
  expect([taken, asked.length]).toEqual([['second'], 3]);
  asked[0]?.answer('first');
  asked[2]?.answer('third');
  await settle(60_000);
  expect([taken, asked.length]).toEqual([['second', 'first', 'third'], 3]);
});

test('it asks until it is answered, ever less often', async () => {
  void inquiry.ask();
  for (const wait of [1_000, 2_000, 4_000]) {
    const before = asked.length;
    asked.at(-1)?.fail();
    await settle(wait - 1);
    expect(asked).toHaveLength(before);
    await settle(1);
    expect(asked).toHaveLength(before + 1);
  }
  asked.at(-1)?.answer('at last');
  await settle(60_000);
  expect([taken, asked.length]).toEqual([['at last'], 4]);
});

test('what was asked before a reset is void, answered or not', async () => {
  void inquiry.ask();
  void inquiry.ask();
  void inquiry.ask();
  inquiry.reset();
  asked[0]?.answer('old');
  asked[1]?.fail();
  await settle(60_000);
  expect([taken, asked.length]).toEqual([[], 2]);
  void inquiry.ask();
  asked[2]?.answer('new');
  await settle();
  expect(taken).toEqual(['new']);
});
