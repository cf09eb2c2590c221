/**
 * How a board is committed: leaves, tree, proofs. The same as battleship/commitment.py and the contracts.
 *
 *     boardKey = keccak256(seed ‖ placement)                                    32 + 16 bytes
 *     salt_i   = keccak256(boardKey ‖ i)                                        32 + 32 bytes
 *     gameKey  = keccak256(abi.encode(DOMAIN, chainId, contract, player, nonce, size))
 *     leaf_i   = keccak256(abi.encode(gameKey, i, isShip, salt_i))              128 bytes
 *     node     = keccak256(left ‖ right)                                        64 bytes
 *
 * The placement itself goes into every salt: two layouts with the same cells have different roots. Leaves
 * are padded with zero words to the next power of two. In a proof the bits of the index, lowest first, say
 * whether the node is a left (0) or a right (1) child, so a proof holds for one index only.
 *
 * A placement is 16 bytes, two for a ship, the first ship first and zeros after the last: from the highest
 * bit 0, kind (3 bits), 0, vertical (1), y (5), x (5).
 */
import {
  type Address,
  concatHex,
  encodeAbiParameters,
  type Hex,
  keccak256,
  numberToHex,
  padHex,
  parseAbiParameters,
  stringToHex,
} from 'viem';
import { MalformedPlacement } from './errors';
import { type Fleet, isKind, kindLength, type Ship, shipText } from './fleets';

export const DOMAIN = keccak256(stringToHex('Fogbound Battleship'));
export const PLACEMENT_BYTES = 16;
export const PADDING: Hex = `0x${'00'.repeat(32)}`;
const GAME_KEY = parseAbiParameters('bytes32, uint256, address, address, uint256, uint256');
const LEAF = parseAbiParameters('bytes32, uint256, bool, bytes32');
const WORDS = PLACEMENT_BYTES / 2;

/** The placement of at most 8 ships, 16 bytes. Throws MalformedPlacement. */
export function packFleet(ships: Fleet): Hex {
  if (ships.length > WORDS) throw new MalformedPlacement(`more than ${WORDS} ships`);
  const words = ships.map((ship) => numberToHex(packShip(ship), { size: 2 }));
  return padHex(concatHex(words), { size: PLACEMENT_BYTES, dir: 'right' });
}

/** The ships of a placement, which need not be a legal fleet. Throws MalformedPlacement. */
export function unpackFleet(placement: Hex): Fleet {
  return placementWords(placement)
    .filter((word) => word !== 0)
    .map(unpackShip);
}

/**
 * The cells that any 16 bytes cover, as the contract lays them out: what leaves the board on the right
 * goes on in the next row, what leaves it below is not there. For a legal fleet, its cells.
 */
export function covered(placement: Hex, size: number): ReadonlySet<number> {
  const cells = placementWords(placement).flatMap((word) => {
    const kind = (word >> 12) & 7;
    const start = ((word >> 5) & 31) * size + (word & 31);
    const step = (word >> 10) & 1 ? size : 1;
    return Array.from({ length: isKind(kind) ? kindLength(kind) : 0 }, (_, i) => start + i * step);
  });
  return new Set(cells.filter((cell) => cell < size * size));
}

/** What a commitment is bound to. `nonce`: the player's how-many-th at this contract, from 0. */
export interface GameKey {
  readonly chainId: number;
  readonly contract: Address;
  readonly player: Address;
  readonly nonce: number;
  readonly size: number;
}

/** The word that goes into every leaf. */
export function gameKeyDigest({ chainId, contract, player, nonce, size }: GameKey): Hex {
  const numbers = [BigInt(chainId), BigInt(nonce), BigInt(size)] as const;
  return keccak256(
    encodeAbiParameters(GAME_KEY, [DOMAIN, numbers[0], contract, player, numbers[1], numbers[2]]),
  );
}

/** What opens one cell: its leaf's contents and the siblings on the way up. */
export interface Opening {
  readonly cell: number;
  readonly isShip: boolean;
  readonly salt: Hex;
  readonly proof: readonly Hex[];
}

/** The root that an opening leads to; `gameKey`: a digest. */
export function openingRoot({ cell, isShip, salt, proof }: Opening, gameKey: Hex): Hex {
  return proof.reduce(
    (node, sibling, height) =>
      keccak256(concatHex((cell >> height) & 1 ? [sibling, node] : [node, sibling])),
    leaf(gameKey, cell, isShip, salt),
  );
}

/** One player's committed board. `seed` (32 bytes) opens it all: keep it until the game is over. */
export class Commitment {
  readonly gameKey: GameKey;
  readonly placement: Hex;
  readonly #seed: Hex;
  readonly #boardKey: Hex;
  #levels: Levels | undefined;

  constructor(gameKey: GameKey, placement: Hex, seed: Hex) {
    this.gameKey = gameKey;
    this.placement = placement;
    this.#seed = seed;
    this.#boardKey = keccak256(concatHex([seed, placement]));
  }

  /** What the reveal at the end of a game shows; before it, a secret. */
  get seed(): Hex {
    return this.#seed;
  }

  /** From it comes every salt. */
  get boardKey(): Hex {
    return this.#boardKey;
  }

  /** The ships. Throws MalformedPlacement. */
  get fleet(): Fleet {
    return unpackFleet(this.placement);
  }

  /** The cells that the tree holds as ships. */
  get shipCells(): ReadonlySet<number> {
    return covered(this.placement, this.gameKey.size);
  }

  /** The tree, leaves first, root last. */
  get levels(): Levels {
    this.#levels ??= this.#grown();
    return this.#levels;
  }

  /** What is published. */
  get root(): Hex {
    return this.levels.at(-1)?.[0] as Hex;
  }

  /** The salt of one cell: it tells nothing of the others. */
  salt(cell: number): Hex {
    return keccak256(concatHex([this.#boardKey, numberToHex(cell, { size: 32 })]));
  }

  /** The opening of a cell. */
  open(cell: number): Opening {
    const isShip = this.shipCells.has(cell);
    return { cell, isShip, salt: this.salt(cell), proof: prove(this.levels, cell) };
  }

  #grown(): Levels {
    const key = gameKeyDigest(this.gameKey);
    const ships = this.shipCells;
    const cells = Array.from({ length: this.gameKey.size ** 2 }, (_, cell) => cell);
    return tree(cells.map((cell) => leaf(key, cell, ships.has(cell), this.salt(cell))));
  }
}

export type Levels = readonly (readonly Hex[])[];

/** The leaf of one cell; `gameKey`: a digest. */
export function leaf(gameKey: Hex, cell: number, isShip: boolean, salt: Hex): Hex {
  return keccak256(encodeAbiParameters(LEAF, [gameKey, BigInt(cell), isShip, salt]));
}

/** Siblings in each proof of a board of `size`: 6, 6, 7, 8, 8, 9. */
export function depthOf(size: number): number {
  return Math.ceil(Math.log2(size * size));
}

/** All levels over `leaves`, padded with zero words to a power of two; root last. */
export function tree(leaves: readonly Hex[]): Levels {
  const width = 2 ** Math.ceil(Math.log2(leaves.length));
  const levels = [[...leaves, ...Array<Hex>(width - leaves.length).fill(PADDING)]];
  for (let level = levels[0] as Hex[]; level.length > 1; levels.push(level)) level = parents(level);
  return levels;
}

/** The siblings of leaf `index`, from the leaves up. */
export function prove(levels: Levels, index: number): readonly Hex[] {
  return levels.slice(0, -1).map((level, height) => level[(index >> height) ^ 1] as Hex);
}

function parents(level: readonly Hex[]): Hex[] {
  return Array.from({ length: level.length / 2 }, (_, i) =>
    keccak256(concatHex(level.slice(2 * i, 2 * i + 2))),
  );
}

function packShip(ship: Ship): number {
  if (![ship.x, ship.y].every((place) => Number.isInteger(place) && place >= 0 && place < 32))
    throw new MalformedPlacement(`${shipText(ship)} has no packed form`);
  return (ship.kind << 12) | (Number(ship.vertical) << 10) | (ship.y << 5) | ship.x;
}

function unpackShip(word: number): Ship {
  const kind = word >> 12;
  if (!isKind(kind)) throw new MalformedPlacement('a ship of no kind');
  const vertical = Boolean((word >> 10) & 1);
  const ship = { kind, x: word & 31, y: (word >> 5) & 31, vertical };
  if (packShip(ship) !== word) throw new MalformedPlacement('bits that mean nothing');
  return ship;
}

/** The eight words of 16 bytes. Throws MalformedPlacement. */
function placementWords(placement: Hex): number[] {
  if (!/^0x[0-9a-f]{32}$/i.test(placement)) throw new MalformedPlacement('not 16 bytes');
  return Array.from({ length: WORDS }, (_, i) =>
    Number.parseInt(placement.slice(2 + 4 * i, 6 + 4 * i), 16),
  );
}
