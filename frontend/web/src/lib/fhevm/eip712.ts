/**
 * The protocol's signed messages (EIP-712), and the proofs that carry their signatures.
 *
 * The domains name contracts of the gateway chain, which is another than the one that games are on.
 */
import {
  type Address,
  concatHex,
  type Hex,
  numberToHex,
  type TypedData,
  type TypedDataDefinition,
  type TypedDataParameter,
} from 'viem';

/** The version byte of a payload without extras. */
export const EXTRA_DATA: Hex = '0x00';

/** Where messages are valid: the chain with its ACL, and the gateway. */
export interface Domains {
  readonly chainId: number;
  readonly acl: Address;
  readonly gateway: GatewayDomain;
}

/** The gateway chain as the domains of inputs and decryptions name it. */
export interface GatewayDomain {
  readonly chainId: number;
  readonly decryption: Address;
  readonly inputVerification: Address;
}

const TYPES = {
  CiphertextVerification: fields(
    'bytes32[] ctHandles',
    'address userAddress',
    'address contractAddress',
    'uint256 contractChainId',
    'bytes extraData',
  ),
  PublicDecryptVerification: fields(
    'bytes32[] ctHandles',
    'bytes decryptedResult',
    'bytes extraData',
  ),
  UserDecryptRequestVerification: fields(
    'bytes publicKey',
    'address[] contractAddresses',
    'uint256 startTimestamp',
    'uint256 durationDays',
    'bytes extraData',
  ),
  UserDecryptResponseVerification: fields(
    'bytes publicKey',
    'bytes32[] ctHandles',
    'bytes userDecryptedShare',
    'bytes extraData',
  ),
};

/** The attestation that `user` made these inputs for `contract`. */
export function ciphertextVerification(
  domains: Domains,
  handles: readonly Hex[],
  user: Address,
  contract: Address,
): TypedDataDefinition {
  const { chainId, inputVerification } = domains.gateway;
  return message('CiphertextVerification', 'InputVerification', chainId, inputVerification, {
    ctHandles: handles,
    userAddress: user,
    contractAddress: contract,
    contractChainId: BigInt(domains.chainId),
  });
}

/** The KMS's statement that `handles` hold the ABI words of `result`. */
export function publicDecryptVerification(
  { gateway }: Domains,
  handles: readonly Hex[],
  result: Hex,
): TypedDataDefinition {
  return message('PublicDecryptVerification', 'Decryption', gateway.chainId, gateway.decryption, {
    ctHandles: handles,
    decryptedResult: result,
  });
}

/** What a user signs to read their values: `start` in seconds since 1970, for `days` days. */
export function userDecryptRequest(
  { chainId, gateway }: Domains,
  publicKey: Hex,
  contracts: readonly Address[],
  start: number,
  days: number,
): TypedDataDefinition {
  return message('UserDecryptRequestVerification', 'Decryption', chainId, gateway.decryption, {
    publicKey,
    contractAddresses: contracts,
    startTimestamp: BigInt(start),
    durationDays: BigInt(days),
  });
}

/** The KMS's statement that `sealing` is its answer for `handles`. */
export function userDecryptResponse(
  { gateway }: Domains,
  publicKey: Hex,
  handles: readonly Hex[],
  sealing: Hex,
): TypedDataDefinition {
  const { chainId, decryption } = gateway;
  return message('UserDecryptResponseVerification', 'Decryption', chainId, decryption, {
    publicKey,
    ctHandles: handles,
    userDecryptedShare: sealing,
  });
}

/** `numHandles ‖ numSigners ‖ handles ‖ signatures ‖ extraData`, as InputVerifier reads it. */
export function inputProof(handles: readonly Hex[], signatures: readonly Hex[]): Hex {
  const counts = [byte(handles.length), byte(signatures.length)];
  return concatHex([...counts, ...handles, ...signatures, EXTRA_DATA]);
}

/** `numSigners ‖ signatures ‖ extraData`, as KMSVerifier reads it. */
export function decryptionProof(signatures: readonly Hex[]): Hex {
  return concatHex([byte(signatures.length), ...signatures, EXTRA_DATA]);
}

function message(
  primaryType: keyof typeof TYPES,
  name: string,
  chainId: number,
  verifyingContract: Address,
  content: Record<string, unknown>,
): TypedDataDefinition {
  return {
    domain: { name, version: '1', chainId, verifyingContract },
    types: Object.fromEntries([[primaryType, TYPES[primaryType]]]) as TypedData,
    primaryType,
    message: { ...content, extraData: EXTRA_DATA },
  };
}

function fields(...texts: string[]): readonly TypedDataParameter[] {
  return texts.map((text) => {
    const [type = '', name = ''] = text.split(' ');
    return { name, type };
  });
}

function byte(value: number): Hex {
  return numberToHex(value, { size: 1 });
}
