/**
 * Handles: the 32-byte names of encrypted values.
 *
 * Bytes 0–20 hash · 21 index (0xff: computed, 0–254: input) · 22–29 chain id · 30 type · 31 version.
 */
import { type Hex, hexToBytes, isHex } from 'viem';
import { MalformedHandle } from './errors';
import { type FheType, isFheType } from './types';

/** The type of the value that a handle names. Throws MalformedHandle. */
export function handleType(handle: Hex): FheType {
  const bytes = isHex(handle) && handle.length === 66 ? hexToBytes(handle) : new Uint8Array();
  const type = bytes[30];
  if (type === undefined || !isFheType(type) || bytes[31] !== 0) throw new MalformedHandle(handle);
  return type;
}
