/** How the page reaches the gateway: POST answers with a job, which is asked for until it is done. */
import { NotComputedYet, TooManyRequests, Unavailable } from './errors';
import { failureOf, isRecord } from './statuses';

export type Kind = 'input-proof' | 'user-decrypt' | 'public-decrypt';
export type Json = Readonly<Record<string, unknown>>;

/** The newest block and its time, in seconds since 1970. */
export interface Clock {
  readonly block: number;
  readonly timestamp: number;
}

export interface Options {
  /** Milliseconds until a queued job is given up. */
  readonly timeout?: number;
}

const QUEUED = 202;
const THROTTLED = 429;
const FIRST_POLL = 20;
const SLOWEST_POLL = 500;
const REQUEST_TIMEOUT = 30_000;
const JOB_TIMEOUT = 300_000;

interface Reply {
  readonly status: number;
  readonly body: Json;
}

/** The gateway at `url` (by default, where the page comes from). All throw ServiceError. */
export class Gateway {
  readonly url: string;
  readonly #timeout: number;

  constructor(url = '', { timeout = JOB_TIMEOUT }: Options = {}) {
    this.url = url;
    this.#timeout = timeout;
  }

  /** Public keys, fingerprint, domains. */
  async keyMaterial(): Promise<Json> {
    return this.#told('/v2/keyurl');
  }

  /** What the dates of requests are compared with. */
  async clock(): Promise<Clock> {
    const { block, timestamp } = await this.#told('/v2/clock');
    if (!Number.isSafeInteger(block) || !Number.isSafeInteger(timestamp)) throw foreign();
    return { block: Number(block), timestamp: Number(timestamp) };
  }

  /**
   * The result of a request; asks again while there are too many.
   *
   * Throws NotComputedYet where the job is not done in time, and the reason of `signal` where that ends it.
   */
  async answer(kind: Kind, payload: Json, signal?: AbortSignal): Promise<Json> {
    const giveUp = performance.now() + this.#timeout;
    for (;;) {
      try {
        return await this.#job(kind, payload, giveUp, signal);
      } catch (error) {
        if (!(error instanceof TooManyRequests) || performance.now() + SLOWEST_POLL >= giveUp)
          throw error;
      }
      await pause(SLOWEST_POLL, signal);
    }
  }

  async #job(kind: Kind, payload: Json, giveUp: number, signal?: AbortSignal): Promise<Json> {
    const path = `/v2/${kind}`;
    const queued = await this.#json(
      path,
      { method: 'POST', body: JSON.stringify(payload) },
      signal,
    );
    if (queued.status === THROTTLED) throw throttled();
    const id = result(queued.body).jobId;
    for (
      let wait = FIRST_POLL;
      performance.now() < giveUp;
      wait = Math.min(2 * wait, SLOWEST_POLL)
    ) {
      const reply = await this.#json(`${path}/${id}`, {}, signal);
      if (reply.status !== QUEUED && reply.status !== THROTTLED) return result(reply.body);
      await pause(wait, signal);
    }
    throw new NotComputedYet(`no answer within ${this.#timeout / 1000} s`);
  }

  async #told(path: string): Promise<Json> {
    const reply = await this.#json(path);
    if (reply.status === THROTTLED) throw throttled();
    return reply.body;
  }

  /** A reply that is no failure of the gateway; being slowed down by somebody between is none. */
  async #json(path: string, init: RequestInit = {}, signal?: AbortSignal): Promise<Reply> {
    const ends = [AbortSignal.timeout(REQUEST_TIMEOUT), ...(signal ? [signal] : [])];
    const headers = { 'content-type': 'application/json' };
    const request = { headers, cache: 'no-store', signal: AbortSignal.any(ends), ...init } as const;
    const reply = await fetched(this.url + path, request, signal);
    if (reply.status < 400) return reply;
    const failure = failureOf(reply.body);
    if (failure === null && reply.status === THROTTLED) return reply;
    throw failure ?? foreign();
  }
}

async function fetched(url: string, init: RequestInit, signal?: AbortSignal): Promise<Reply> {
  try {
    const response = await fetch(url, init);
    const body: unknown = await response.json();
    if (isRecord(body)) return { status: response.status, body };
  } catch {
    signal?.throwIfAborted();
  }
  throw new Unavailable('the gateway does not answer');
}

function result(body: Json): Json {
  if (!isRecord(body.result)) throw foreign();
  return body.result;
}

function foreign(): Unavailable {
  return new Unavailable('something that is no gateway answers there');
}

function throttled(): TooManyRequests {
  return new TooManyRequests('too many requests at once');
}

/** Throws the reason of `signal`. */
async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  signal?.throwIfAborted();
}
