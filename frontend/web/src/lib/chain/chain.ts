/** One EVM chain over JSON-RPC: reading, and the few requests that sending needs. */
import {
  type Abi,
  type Address,
  type Client,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  createClient,
  decodeFunctionResult,
  encodeFunctionData,
  type Hash,
  type Hex,
  hexToBigInt,
  hexToNumber,
  http,
  type Log,
  numberToHex,
  type PublicRpcSchema,
  parseAbi,
  type Transport,
} from 'viem';
import { ClientError, ContractError, WrongChain } from './errors';
import { translated } from './reverts';

/** What a transaction does; `value` in wei. `label` names it to the player. */
export interface Call {
  readonly to: Address;
  readonly data?: Hex;
  readonly value?: bigint;
  readonly label?: string;
}

export interface Receipt {
  readonly hash: Hash;
  readonly succeeded: boolean;
  readonly block: number;
  readonly logs: readonly Pick<Log, 'address' | 'topics' | 'data'>[];
}

/** Wei for each unit of gas. */
export interface Fees {
  readonly base: bigint;
  readonly tip: bigint;
}

type View = 'view' | 'pure';

const ERC1271 = parseAbi([
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
]);
const ERC1271_VALID = '0x1626ba7e';

/** Every method throws Unreachable, Refused (TooManyRequests), and ContractError where a call reverts. */
export class Chain {
  readonly chainId: number;
  readonly #client: Client<Transport, undefined, undefined, PublicRpcSchema>;

  constructor({ chainId, url = '/rpc' }: { chainId: number; url?: string }) {
    this.chainId = chainId;
    const transport = http(url, { retryCount: 1, timeout: 15_000 });
    this.#client = createClient({ transport, rpcSchema: undefined as never }) as never;
  }

  /** Throws WrongChain where another chain answers. */
  async check(): Promise<void> {
    const found = hexToNumber(await this.#ask({ method: 'eth_chainId' }));
    if (found !== this.chainId) throw new WrongChain(this.chainId, found);
  }

  async blockNumber(): Promise<number> {
    return hexToNumber(await this.#ask({ method: 'eth_blockNumber' }));
  }

  /** In wei. */
  async balance(address: Address): Promise<bigint> {
    return hexToBigInt(await this.#ask({ method: 'eth_getBalance', params: [address, 'latest'] }));
  }

  /** The result of a view. */
  async read<
    const A extends Abi,
    N extends ContractFunctionName<A, View>,
    const Args extends ContractFunctionArgs<A, View, N>,
  >(
    abi: A,
    address: Address,
    functionName: N,
    args: Args,
    from?: Address,
  ): Promise<ContractFunctionReturnType<A, View, N, Args>> {
    const request = { abi, functionName, args } as never;
    const data = await this.call({ to: address, data: encodeFunctionData(request) }, from);
    if (data === '0x') throw new ContractError('NoContract', { address });
    return decodeFunctionResult({ abi, functionName, data } as never) as never;
  }

  async hasCode(account: Address): Promise<boolean> {
    return (await this.#ask({ method: 'eth_getCode', params: [account, 'latest'] })) !== '0x';
  }

  /** Whether the contract at `account` takes `signature` for its own (ERC-1271). */
  async isSignedBy(account: Address, hash: Hex, signature: Hex): Promise<boolean> {
    const args = [hash, signature] as const;
    const data = encodeFunctionData({ abi: ERC1271, functionName: 'isValidSignature', args });
    try {
      return (await this.call({ to: account, data })).startsWith(ERC1271_VALID);
    } catch (error) {
      if (error instanceof ContractError) return false;
      throw error;
    }
  }

  /** What a call returns on the state of a block. */
  async call(
    call: Call,
    from?: Address,
    block: number | 'latest' | 'pending' = 'latest',
  ): Promise<Hex> {
    const at = typeof block === 'number' ? numberToHex(block) : block;
    return this.#ask({ method: 'eth_call', params: [shaped(call, from), at] });
  }

  /**
   * The gas that a call needs, which is tried out as of now, not as of the newest block: clocks may have
   * run out since. A revert is thrown with its name; some nodes keep its data to themselves here, so it is
   * asked for.
   */
  async estimateGas(call: Call, from: Address): Promise<bigint> {
    try {
      const params = [shaped(call, from), 'pending'] as [never, never];
      return hexToBigInt(await this.#ask({ method: 'eth_estimateGas', params }));
    } catch (error) {
      if (error instanceof ContractError && error.error === 'Error')
        await this.call(call, from, 'pending');
      throw error;
    }
  }

  async fees(): Promise<Fees> {
    const [tip, block] = await Promise.all([
      this.#ask({ method: 'eth_maxPriorityFeePerGas' }),
      this.#ask({ method: 'eth_getBlockByNumber', params: ['latest', false] }),
    ]);
    return { tip: hexToBigInt(tip), base: hexToBigInt(block?.baseFeePerGas ?? '0x0') };
  }

  /** How many transactions an account has sent; `pending` counts those that wait too. */
  async nonce(address: Address, until: 'latest' | 'pending'): Promise<number> {
    const params = [address, until] as const;
    return hexToNumber(await this.#ask({ method: 'eth_getTransactionCount', params: [...params] }));
  }

  /** The nonce of a transaction on its way; null where the node does not tell (any more). */
  async nonceOf(hash: Hash): Promise<number | null> {
    try {
      const found = await this.#ask({ method: 'eth_getTransactionByHash', params: [hash] });
      return found ? hexToNumber(found.nonce) : null;
    } catch (error) {
      if (error instanceof ClientError) return null;
      throw error;
    }
  }

  async sendRaw(raw: Hex): Promise<Hash> {
    return this.#ask({ method: 'eth_sendRawTransaction', params: [raw] });
  }

  /** null until it is mined. */
  async receipt(hash: Hash): Promise<Receipt | null> {
    const found = await this.#ask({ method: 'eth_getTransactionReceipt', params: [hash] });
    if (!found) return null;
    const logs = found.logs as unknown as Receipt['logs'];
    return { hash, succeeded: found.status === '0x1', block: hexToNumber(found.blockNumber), logs };
  }

  #ask: Client<Transport, undefined, undefined, PublicRpcSchema>['request'] = (request) =>
    translated(this.#client.request(request as never)) as never;
}

function shaped({ to, data, value }: Call, from?: Address) {
  return {
    to,
    ...(from && { from }),
    ...(data && { data }),
    ...(value && { value: numberToHex(value) }),
  };
}
