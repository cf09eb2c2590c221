import { type Address, isAddress } from 'viem';

/** The ends of an address, enough to tell players apart: `0x1234…abcd`. */
export function shortAddress(address: Address): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}

/** An address as it is typed; undefined where nothing is, null where that is no address. */
export function parseAddress(text: string): Address | null | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  return isAddress(trimmed) ? trimmed : null;
}
