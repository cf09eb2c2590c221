"""How a board is committed: leaves, tree, proofs. The same as contracts/battleship/{Placement,BoardTree}.sol.

    boardKey = keccak256(seed ‖ placement)                                    32 + 16 bytes
    salt_i   = keccak256(boardKey ‖ i)                                        32 + 32 bytes
    gameKey  = keccak256(abi.encode(DOMAIN, chainId, contract, player, nonce, size))
    leaf_i   = keccak256(abi.encode(gameKey, i, isShip, salt_i))              128 bytes
    node     = keccak256(left ‖ right)                                        64 bytes

The placement itself goes into every salt: two layouts with the same cells have different roots. Leaves are
padded with zero words to the next power of two. In a proof the bits of the index, lowest first, say
whether the node is a left (0) or a right (1) child, so a proof holds for one index only.

A placement is 16 bytes, two for a ship, the first ship first, and zeros where there is none: from the
highest bit 0, kind (3 bits), 0, vertical (1), y (5), x (5).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from eth_abi.abi import encode
from web3 import Web3

from battleship.errors import MalformedPlacement
from battleship.fleets import Fleet, Kind, Ship

DOMAIN = bytes(Web3.keccak(text="Fogbound Battleship"))
PLACEMENT_BYTES = 16
PADDING = bytes(32)
_LENGTHS = {int(kind): kind.length for kind in Kind}


def keccak(data: bytes) -> bytes:
    """keccak256, 32 bytes."""
    return bytes(Web3.keccak(data))


def pack_fleet(ships: Iterable[Ship]) -> bytes:
    """The placement of at most 8 ships, 16 bytes."""
    words = [_pack_ship(ship) for ship in ships]
    return b"".join(word.to_bytes(2) for word in words).ljust(PLACEMENT_BYTES, b"\0")


def unpack_fleet(placement: bytes) -> Fleet:
    """The ships of a placement, which need not be a legal fleet. Raises MalformedPlacement."""
    words = (int.from_bytes(placement[at : at + 2]) for at in range(0, len(placement), 2))
    return tuple(_unpack_ship(word) for word in words if word)


def covered(placement: bytes, size: int) -> frozenset[int]:
    """The cells that any 16 bytes cover, as the contract lays them out: what leaves the board on the
    right goes on in the next row, what leaves it below is not there. For a legal fleet, its cells.
    """
    cells: set[int] = set()
    for at in range(0, PLACEMENT_BYTES, 2):
        word = int.from_bytes(placement[at : at + 2])
        length = _LENGTHS.get(word >> 12 & 7, 0)
        start, step = (word >> 5 & 31) * size + (word & 31), size if word >> 10 & 1 else 1
        cells.update(range(start, start + length * step, step))
    return frozenset(cell for cell in cells if cell < size * size)


@dataclass(frozen=True)
class GameKey:
    """What a commitment is bound to. `nonce`: the player's how-many-th at this contract, from 0."""

    chain_id: int
    contract: str
    player: str
    nonce: int
    size: int

    def digest(self) -> bytes:
        """The word that goes into every leaf."""
        types = ["bytes32", "uint256", "address", "address", "uint256", "uint256"]
        values = [DOMAIN, self.chain_id, self.contract, self.player, self.nonce, self.size]
        return keccak(encode(types, values))


@dataclass(frozen=True)
class Opening:
    """What opens one cell: its leaf's contents and the siblings on the way up."""

    cell: int
    is_ship: bool
    salt: bytes
    proof: tuple[bytes, ...]

    def root(self, game_key: bytes) -> bytes:
        """The root that this opening leads to."""
        node, index = leaf(game_key, self.cell, self.is_ship, self.salt), self.cell
        for sibling in self.proof:
            node = keccak(sibling + node if index & 1 else node + sibling)
            index >>= 1
        return node


@dataclass(frozen=True)
class Commitment:
    """One player's committed board. `seed` (32 bytes) opens it all: keep it until the game is over."""

    game_key: GameKey
    placement: bytes = field(repr=False)
    seed: bytes = field(repr=False)

    @property
    def fleet(self) -> Fleet:
        """The ships. Raises MalformedPlacement."""
        return unpack_fleet(self.placement)

    @cached_property
    def board_key(self) -> bytes:
        """From it comes every salt."""
        return keccak(self.seed + self.placement)

    @cached_property
    def ship_cells(self) -> frozenset[int]:
        """The cells that the tree holds as ships."""
        return covered(self.placement, self.game_key.size)

    @cached_property
    def levels(self) -> tuple[tuple[bytes, ...], ...]:
        """The tree, leaves first, root last."""
        key, size = self.game_key.digest(), self.game_key.size
        leaves = (
            leaf(key, cell, cell in self.ship_cells, self.salt(cell)) for cell in range(size * size)
        )
        return tree(tuple(leaves))

    @property
    def root(self) -> bytes:
        """What is published."""
        return self.levels[-1][0]

    def salt(self, cell: int) -> bytes:
        """The salt of one cell: it tells nothing of the others."""
        return keccak(self.board_key + cell.to_bytes(32))

    def open(self, cell: int) -> Opening:
        """The opening of a cell."""
        proof = prove(self.levels, cell)
        return Opening(cell, cell in self.ship_cells, self.salt(cell), proof)


def leaf(game_key: bytes, cell: int, is_ship: bool, salt: bytes) -> bytes:
    """The leaf of one cell."""
    return keccak(
        encode(["bytes32", "uint256", "bool", "bytes32"], [game_key, cell, is_ship, salt])
    )


def depth_of(size: int) -> int:
    """Siblings in each proof of a board of `size`: 6, 6, 7, 8, 8, 9."""
    return (size * size - 1).bit_length()


def tree(leaves: Sequence[bytes]) -> tuple[tuple[bytes, ...], ...]:
    """All levels over `leaves`, padded with zero words to a power of two; root last."""
    width = 1 << (len(leaves) - 1).bit_length()
    levels = [(*leaves, *[PADDING] * (width - len(leaves)))]
    while len(levels[-1]) > 1:
        nodes = iter(levels[-1])
        levels.append(tuple(keccak(left + right) for left, right in zip(nodes, nodes, strict=True)))
    return tuple(levels)


def prove(levels: Sequence[Sequence[bytes]], index: int) -> tuple[bytes, ...]:
    """The siblings of leaf `index`, from the leaves up."""
    return tuple(level[index >> height ^ 1] for height, level in enumerate(levels[:-1]))


def _pack_ship(ship: Ship) -> int:
    if not (0 <= ship.x < 32 and 0 <= ship.y < 32):
        raise MalformedPlacement(f"{ship} has no packed form")
    return ship.kind << 12 | ship.vertical << 10 | ship.y << 5 | ship.x


def _unpack_ship(word: int) -> Ship:
    try:
        ship = Ship(Kind(word >> 12), word & 31, word >> 5 & 31, bool(word >> 10 & 1))
    except ValueError:
        raise MalformedPlacement("a ship of no kind") from None
    if _pack_ship(ship) != word:
        raise MalformedPlacement("bits that mean nothing")
    return ship
