/** What comes from outside this folder (files, wallets, storage) as values of the types that it claims to have. */

import * as v from 'valibot';
import { getAddress, isAddress } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';

const hex = (pattern: RegExp) =>
  v.pipe(
    v.string(),
    v.regex(pattern),
    v.transform((text) => text.toLowerCase() as `0x${string}`),
  );

/** In any letter case; checksummed from here on. */
export const address = v.pipe(
  v.string(),
  v.check((text) => isAddress(text, { strict: false })),
  v.transform((text) => getAddress(text.toLowerCase())),
);
export const bytes32 = hex(/^0x[0-9a-f]{64}$/i);
/** A signature of an account's own key, or of a contract, which may be longer. */
export const signature = hex(/^0x(?:[0-9a-f]{2}){1,4096}$/i);
export const hash = bytes32;
export const chainId = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
/** Wallets say it in hexadecimal; some in decimal digits, or as a number. */
export const walletChainId = v.pipe(
  v.union([v.number(), v.pipe(v.string(), v.regex(/^(0x[0-9a-f]{1,13}|\d{1,16})$/i))]),
  v.transform(Number),
  chainId,
);
export const accounts = v.pipe(v.array(address), v.maxLength(1_000));
/** Of the curve's order: zero and what is too large are none. */
export const privateKey = v.pipe(
  bytes32,
  v.check((key) => {
    try {
      return Boolean(privateKeyToAddress(key));
    } catch {
      return false;
    }
  }),
);

/** The value where it has this shape, else null. */
export function shaped<S extends v.GenericSchema>(
  schema: S,
  value: unknown,
): v.InferOutput<S> | null {
  const result = v.safeParse(schema, value);
  return result.success ? result.output : null;
}
