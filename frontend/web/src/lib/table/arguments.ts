/** Events' arguments, typed as the contract's interface types them. */
import { getAddress } from 'viem';
import type { Told } from '../events';
import { refuse } from './refused';

/** The Solidity type of each argument, by name. */
export type ArgumentTypes = Readonly<Record<string, string>>;
/** The arguments of each event, by name. */
export type EventTypes = Readonly<Record<string, ArgumentTypes>>;

/** uint8 is a number, uint256 a bigint; addresses have their checksum, bytes are 0x-hex in lower case. */
// biome-ignore lint/suspicious/noExplicitAny: the event's types say which
export type Arguments = Readonly<Record<string, any>>;

/** Throws Refused, malformed. */
export function parseArguments(types: ArgumentTypes, event: Told): Arguments {
  const given = event.arguments;
  const names = Object.keys(types);
  if (Object.keys(given).length !== names.length) malformed(event, 'arguments');
  return Object.fromEntries(
    names.map((name) => [name, parse(types[name] as string, given[name], event, name)]),
  );
}

function parse(type: string, value: unknown, event: Told, name: string): unknown {
  const found = PARSERS[type]?.(value);
  return found === undefined ? malformed(event, name) : found;
}

function integer(bits: number): (value: unknown) => bigint | undefined {
  return (value) => {
    if (typeof value !== 'string' || !/^(0|[1-9][0-9]{0,77})$/.test(value)) return undefined;
    const number = BigInt(value);
    return number >> BigInt(bits) ? undefined : number;
  };
}

function hex(bytes: number | null): (value: unknown) => string | undefined {
  const length = bytes === null ? '{0,1024}' : `{${bytes}}`;
  const pattern = new RegExp(`^0x([0-9a-fA-F]{2})${length}$`);
  return (value) =>
    typeof value === 'string' && pattern.test(value) ? value.toLowerCase() : undefined;
}

function address(value: unknown): string | undefined {
  const found = hex(20)(value);
  if (found === undefined) return undefined;
  const checked = getAddress(found);
  return value === found || value === checked ? checked : undefined;
}

function small(value: unknown): number | undefined {
  const found = integer(8)(value);
  return found === undefined ? undefined : Number(found);
}

function list(value: unknown): bigint[] | undefined {
  if (!Array.isArray(value) || value.length > 4) return undefined;
  const found = value.map(integer(256));
  return found.includes(undefined) ? undefined : (found as bigint[]);
}

const PARSERS: Readonly<Record<string, (value: unknown) => unknown>> = {
  bool: (value) => (typeof value === 'boolean' ? value : undefined),
  address,
  bytes: hex(null),
  bytes16: hex(16),
  bytes32: hex(32),
  uint8: small,
  uint256: integer(256),
  'uint256[]': list,
};

function malformed(event: Told, name: string): never {
  return refuse('fogbound.malformed', { detail: `${event.name}.${name}` });
}
