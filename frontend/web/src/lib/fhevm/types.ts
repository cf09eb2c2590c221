/** The protocol's encrypted types: a type is its byte in a handle (byte 30). */
export const FheType = {
  EBOOL: 0,
  EUINT8: 2,
  EUINT16: 3,
  EUINT32: 4,
  EUINT64: 5,
  EUINT128: 6,
  EADDRESS: 7,
  EUINT256: 8,
} as const;
export type FheType = (typeof FheType)[keyof typeof FheType];

/** A value with its type; addresses as numbers. */
export type Plaintext = readonly [type: FheType, value: bigint];

const BITS: Readonly<Record<FheType, number>> = {
  [FheType.EBOOL]: 1,
  [FheType.EUINT8]: 8,
  [FheType.EUINT16]: 16,
  [FheType.EUINT32]: 32,
  [FheType.EUINT64]: 64,
  [FheType.EUINT128]: 128,
  [FheType.EADDRESS]: 160,
  [FheType.EUINT256]: 256,
};

/** Width of the plaintext in bits. */
export function bitsOf(type: FheType): number {
  return BITS[type];
}

/** Whether the type can hold the value: 0 … 2^bits − 1. */
export function holds(type: FheType, value: bigint): boolean {
  return value >= 0n && value < 1n << BigInt(bitsOf(type));
}

/** Whether a byte is a type of the protocol. */
export function isFheType(byte: number): byte is FheType {
  return Object.hasOwn(BITS, byte);
}
