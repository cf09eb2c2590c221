import type { Address } from 'viem';

/** The ends of an address, enough to tell players apart: `0x1234…abcd`. */
export function shortAddress(address: Address): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}
