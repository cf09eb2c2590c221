/** What a node answers, as errors of this folder: the one place where viem's become ours. */
import {
  BaseError,
  decodeErrorResult,
  type Hex,
  HttpRequestError,
  isHex,
  RpcRequestError,
  TimeoutError,
} from 'viem';
import { battleshipAbi } from './abi/battleship';
import { bunkerWarAbi } from './abi/bunkerWar';
import { hostErrorsAbi } from './abi/hostErrors';
import {
  ClientError,
  ContractError,
  InsufficientFunds,
  Refused,
  TooManyRequests,
  Unreachable,
} from './errors';

const ERRORS = [...bunkerWarAbi, ...battleshipAbi, ...hostErrorsAbi].filter(
  (entry) => entry.type === 'error',
);
const REVERTED = 3;
const LONGEST_WORDS = 300;

/** The answer to a request. Throws ClientErrors only. */
export async function translated<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    throw translate(error);
  }
}

/** An error of a JSON-RPC request as one of ours. */
export function translate(error: unknown): Error {
  if (error instanceof ClientError) return error;
  const answer = find(error, RpcRequestError);
  if (answer) return fromNode(answer.code, answer.details, answer.data);
  const http = find(error, HttpRequestError);
  if (http?.status === 429) return new TooManyRequests('too many requests', { cause: error });
  if (http || find(error, TimeoutError)) return new Unreachable('no answer', { cause: error });
  return error instanceof Error ? error : new Refused(String(error));
}

/** The error object of a JSON-RPC answer. */
export function fromNode(code: number, words: string, data: unknown): ClientError {
  const reverted = revertData(data);
  if (reverted) return decodeRevert(reverted);
  if (/insufficient (funds|balance)/i.test(words)) return new InsufficientFunds();
  if (code === REVERTED || /execution reverted/i.test(words)) {
    return new ContractError('Error', { message: words });
  }
  return new Refused(words.slice(0, LONGEST_WORDS));
}

/** The error of a revert's return data; an unknown one shows its data. */
export function decodeRevert(data: Hex): ContractError {
  try {
    const { errorName, args, abiItem } = decodeErrorResult({ abi: ERRORS, data });
    const inputs = 'inputs' in abiItem ? abiItem.inputs : [];
    const named = inputs.map((input, at) => [input.name || String(at), args?.[at]]);
    return new ContractError(errorName, Object.fromEntries(named));
  } catch {
    return new ContractError('Unknown', { data: data.slice(0, 138) });
  }
}

/** Nodes answer with the data itself, or with an object that holds it. */
function revertData(data: unknown): Hex | null {
  const found = typeof data === 'object' && data !== null && 'data' in data ? data.data : data;
  return isHex(found) && found.length >= 10 ? found : null;
}

function find<T extends BaseError>(
  error: unknown,
  type: new (...args: never[]) => T,
): T | undefined {
  if (!(error instanceof BaseError)) return undefined;
  return (error.walk((each) => each instanceof type) as T | null) ?? undefined;
}
