/**
 * From a wallet alone to every board that it committed. The same as battleship/board_keys.py.
 *
 * One EIP-712 signature of the player for each deployment (its id is random, so a chain that was reset asks
 * for another) gives a secret, by HKDF-SHA-256 (RFC 5869):
 *
 *     secret = HKDF(r ‖ s of the signature, salt = deployment id, info = "fogbound battleship")
 *     seed   = HKDF(secret, salt = fresh, info = "seed" ‖ nonce, 8 bytes)
 *     pad    = HKDF(secret, salt = root, info = "seal" ‖ nonce, 8 bytes)
 *     sealed = pad ⊕ (placement ‖ fresh)                                     16 + 16 bytes
 *
 * `fresh` is 16 random bytes for each commitment, so no two share a seed, and no pad serves two texts,
 * since the root differs. Only `sealed` is published. That it opens rightly, the root shows.
 */
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import {
  type Address,
  bytesToHex,
  concatHex,
  type Hex,
  hexToBytes,
  isAddressEqual,
  numberToHex,
  recoverTypedDataAddress,
  size,
  slice,
  stringToHex,
  type TypedDataDefinition,
} from 'viem';
import type { TypedDataSigner } from '../signing';
import { Commitment, type GameKey, PLACEMENT_BYTES, packFleet } from './commitment';
import { PlacementLost } from './errors';
import { checkFleet, type Fleet } from './fleets';

export const WARNING =
  'Whoever has this signature sees all my boards at this contract. I sign it only in a Battleship ' +
  'client that I trust.';
const FRESH_BYTES = 16;
const SECRET_BYTES = 32;
const SEALED_BYTES = PLACEMENT_BYTES + FRESH_BYTES;

/** Random bytes; must never give the same twice where boards matter. */
export type Entropy = (count: number) => Uint8Array;

/** Board keys as they are kept: whoever has them sees every board of their player. */
export interface StoredBoardKeys {
  readonly secret: Hex;
  readonly recoverable: boolean;
}

/** One player's secret (32 bytes) at one deployment; it comes out of `stored` only. */
export class BoardKeys {
  /** The wallet gives it again; if not, it is random and its owner must keep it. */
  readonly recoverable: boolean;
  readonly #secret: Hex;

  constructor({ secret, recoverable }: StoredBoardKeys) {
    this.recoverable = recoverable;
    this.#secret = secret;
  }

  /**
   * Sign twice and compare: not every wallet (passkeys, many parties) signs the same way again.
   *
   * A signature that is not the account's own (a contract wallet's) may be known to everybody: then the
   * secret is random as well. Throws what the signer throws.
   */
  static async fromWallet(
    signer: TypedDataSigner,
    chainId: number,
    contract: Address,
    deployment: Hex,
  ): Promise<BoardKeys> {
    const message = typedData(chainId, contract, deployment);
    const first = await signer.signTypedData(message);
    const second = await signer.signTypedData(message);
    const isOwn = await isSignedBy(signer.address, message, first);
    if (!isOwn || slice(first, 0, 64) !== slice(second, 0, 64))
      return new BoardKeys({ secret: random(SECRET_BYTES), recoverable: false });
    const secret = derive(slice(first, 0, 64), deployment, stringToHex('fogbound battleship'));
    return new BoardKeys({ secret, recoverable: true });
  }

  /** For storage and backup; `new BoardKeys(stored)` is the way back. */
  stored(): StoredBoardKeys {
    return { secret: this.#secret, recoverable: this.recoverable };
  }

  /**
   * A new commitment to a fleet, and the sealed placement that is published beside its root.
   *
   * Throws IllegalFleet.
   */
  commit(
    gameKey: GameKey,
    fleet: Fleet,
    entropy: Entropy = entropyOfBrowser,
  ): { commitment: Commitment; sealed: Hex } {
    const fresh = bytesToHex(entropy(FRESH_BYTES));
    const placement = packFleet(checkFleet(gameKey.size, fleet));
    const commitment = new Commitment(gameKey, placement, this.#seed(gameKey.nonce, fresh));
    const pad = this.#pad(gameKey.nonce, commitment.root);
    return { commitment, sealed: xor(pad, concatHex([placement, fresh])) };
  }

  /** The commitment with this root, from what was published. Throws PlacementLost. */
  recover(gameKey: GameKey, root: Hex, sealed: Hex): Commitment {
    if (size(sealed) === SEALED_BYTES) {
      const opened = xor(this.#pad(gameKey.nonce, root), sealed);
      const fresh = slice(opened, PLACEMENT_BYTES);
      const seed = this.#seed(gameKey.nonce, fresh);
      const commitment = new Commitment(gameKey, slice(opened, 0, PLACEMENT_BYTES), seed);
      if (commitment.root === root.toLowerCase()) return commitment;
    }
    throw new PlacementLost(`commitment ${gameKey.nonce} was not made with these board keys`);
  }

  #seed(nonce: number, fresh: Hex): Hex {
    return derive(this.#secret, fresh, purpose('seed', nonce));
  }

  #pad(nonce: number, root: Hex): Hex {
    return derive(this.#secret, root, purpose('seal', nonce));
  }
}

/** What the player signs, as EIP-712 data. */
export function typedData(
  chainId: number,
  contract: Address,
  deployment: Hex,
): TypedDataDefinition {
  return {
    domain: { name: 'Fogbound Battleship', version: '1', chainId, verifyingContract: contract },
    primaryType: 'BoardKeys',
    types: {
      BoardKeys: [
        { name: 'warning', type: 'string' },
        { name: 'deployment', type: 'bytes32' },
      ],
    },
    message: { warning: WARNING, deployment },
  };
}

/** Whether it is an ordinary signature (65 bytes) of that account's own key. */
async function isSignedBy(
  account: Address,
  message: TypedDataDefinition,
  signature: Hex,
): Promise<boolean> {
  if (size(signature) !== 65) return false;
  try {
    return isAddressEqual(await recoverTypedDataAddress({ ...message, signature }), account);
  } catch {
    return false;
  }
}

function derive(secret: Hex, salt: Hex, info: Hex): Hex {
  const [ikm, saltBytes, infoBytes] = [secret, salt, info].map((each) => hexToBytes(each));
  return bytesToHex(hkdf(sha256, ikm as Uint8Array, saltBytes, infoBytes, 32));
}

function purpose(name: 'seed' | 'seal', nonce: number): Hex {
  return concatHex([stringToHex(name), numberToHex(nonce, { size: 8 })]);
}

function xor(one: Hex, two: Hex): Hex {
  const other = hexToBytes(two);
  return bytesToHex(hexToBytes(one).map((byte, i) => byte ^ (other[i] as number)));
}

function random(count: number): Hex {
  return bytesToHex(entropyOfBrowser(count));
}

function entropyOfBrowser(count: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(count));
}
