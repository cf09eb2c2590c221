import type { Address, Hex, TypedDataDefinition } from 'viem';

/** Who signs EIP-712 data for `address`: a viem account, or a wallet behind an adapter. */
export interface TypedDataSigner {
  readonly address: Address;
  signTypedData(data: TypedDataDefinition): Promise<Hex>;
}
