// @vitest-environment node
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as errors from '../../../src/lib/fhevm/errors';
import { Gateway } from '../../../src/lib/fhevm/gateway';

type Answer = [status: number, body: unknown];

const QUEUED: Answer = [202, { status: 'queued', result: { jobId: 'ab' } }];
const WAITING: Answer = [202, { status: 'queued' }];
const DONE: Answer = [200, { status: 'succeeded', result: { done: true } }];
const SERVICE_ERRORS = Object.entries(errors).filter(
  ([, each]) => 'prototype' in each && each.prototype instanceof errors.ServiceError,
);

function failed(label: string, message = 'the reason'): Answer {
  return [400, { status: 'failed', error: { label, message } }];
}

/** The server answers these, in order, then the last one for ever. */
function serve(...answers: (Answer | Error)[]) {
  const fetch = vi.fn(async (_url: string, _init: RequestInit) => {
    const next = answers.length > 1 ? answers.shift() : answers[0];
    if (next instanceof Error) throw next;
    const [status, body] = next as Answer;
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status });
  });
  vi.stubGlobal('fetch', fetch);
  return fetch;
}

function calls(fetch: ReturnType<typeof serve>): string[] {
  return fetch.mock.calls.map(([url, init]) => `${init.method ?? 'GET'} ${url}`);
}

/** With the clock's waits skipped. */
async function settled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  await vi.runAllTimersAsync();
  return promise;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a job is asked for until it is done', async () => {
  const fetch = serve(QUEUED, WAITING, WAITING, DONE);
  expect(await settled(new Gateway('/at').answer('user-decrypt', { a: 1 }))).toEqual({
    done: true,
  });
  const path = '/at/v2/user-decrypt';
  expect(calls(fetch)).toEqual([`POST ${path}`, ...Array(3).fill(`GET ${path}/ab`)]);
  expect(fetch.mock.calls[0]?.[1].body).toBe('{"a":1}');
});

test('a job that does not end is given up', async () => {
  serve(QUEUED, WAITING);
  const attempt = new Gateway('', { timeout: 5000 }).answer('user-decrypt', {});
  await expect(settled(attempt)).rejects.toThrow(errors.NotComputedYet);
});

describe('too many requests', () => {
  test('of the gateway: the request is made again', async () => {
    const fetch = serve(QUEUED, failed('TooManyRequests'), QUEUED, DONE);
    expect(await settled(new Gateway().answer('input-proof', {}))).toEqual({ done: true });
    expect(calls(fetch).filter((call) => call.startsWith('POST'))).toHaveLength(2);
  });

  test('of a proxy: the same job is asked for later', async () => {
    const slowDown: Answer = [429, { error: { code: 'too_many_requests', message: 'slow down' } }];
    const fetch = serve(slowDown, QUEUED, slowDown, slowDown, DONE);
    expect(await settled(new Gateway().answer('input-proof', {}))).toEqual({ done: true });
    const methods = calls(fetch).map((call) => call.split(' ')[0]);
    expect(methods).toEqual(['POST', 'POST', 'GET', 'GET', 'GET']);
  });

  test('for ever: told as what it is', async () => {
    serve(failed('TooManyRequests'));
    const attempt = new Gateway('', { timeout: 3000 }).answer('input-proof', {});
    await expect(settled(attempt)).rejects.toThrow(errors.TooManyRequests);
  });
});

test.each(SERVICE_ERRORS)('%s crosses as itself', async (label, Kind) => {
  serve(QUEUED, failed(label));
  const attempt = new Gateway('', { timeout: 400 }).answer('public-decrypt', {});
  const error = await settled(attempt).catch((caught) => caught);
  expect(error).toBeInstanceOf(Kind);
  expect([error.name, error.message]).toEqual([label, 'the reason']);
});

test('there are thirteen service errors', () => expect(SERVICE_ERRORS).toHaveLength(13));

test.each<[string, Answer | Error]>([
  ['nobody', new TypeError('fetch failed')],
  ['no JSON', [200, '<html>']],
  ['no object', [200, '[1]'.slice(1, 2)]],
  ['a failure without label', [500, { detail: 'x' }]],
  ['an unknown label', failed('Exception')],
  ['a label of every object', failed('constructor')],
  ['no job', [202, { status: 'queued' }]],
])('%s is unavailable', async (_, answer) => {
  serve(answer);
  await expect(settled(new Gateway().answer('input-proof', {}))).rejects.toThrow(
    errors.Unavailable,
  );
});

test('whoever waits can stop waiting', async () => {
  serve(QUEUED, WAITING);
  const control = new AbortController();
  const attempt = new Gateway().answer('user-decrypt', {}, control.signal);
  control.abort(new Error('page closed'));
  await expect(settled(attempt)).rejects.toThrow('page closed');
});

test('whoever asks too often for keys or the clock is told so', async () => {
  serve([429, { error: { code: 'too_many_requests', message: 'slow down' } }]);
  await expect(new Gateway().keyMaterial()).rejects.toThrow(errors.TooManyRequests);
  await expect(new Gateway().clock()).rejects.toThrow(errors.TooManyRequests);
});

test('a clock without time is no gateway’s', async () => {
  serve([200, { block: 7 }]);
  await expect(new Gateway().clock()).rejects.toThrow(errors.Unavailable);
});

test('the clock is the chain’s', async () => {
  serve([200, { block: 7, timestamp: 1_700_000_000 }]);
  expect(await new Gateway().clock()).toEqual({ block: 7, timestamp: 1_700_000_000 });
});
