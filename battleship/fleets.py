"""Ships and fleets: what stands on a board, and whether it may.

x is the column and y the row, both from 0 at the top left; a cell is y · size + x. A ship's place is its
top-left cell; `h` runs along x, `v` along y. Touching is allowed, sharing a cell is not.

Text forms, which round-trip: ship `CR 1 2 h` (kind, x, y, direction); fleet: its ships, joined by `, `.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum

from battleship.errors import (
    IllegalSize,
    MalformedText,
    ShipOffBoard,
    ShipsOverlap,
    WrongFleet,
)

SIZES = (6, 8, 10, 12, 14, 20)


class Kind(IntEnum):
    """A ship's kind; the numbers are those of the contract (0 there: none)."""

    DESTROYER = 1
    CRUISER = 2
    SUBMARINE = 3
    BATTLESHIP = 4
    CARRIER = 5
    SUPER_CARRIER = 6

    @property
    def code(self) -> str:
        """Two letters: DE, CR, SU, BA, CA, SC."""
        return _CODES[self - 1]

    @property
    def length(self) -> int:
        """Cells of the ship, 2–6."""
        return _LENGTHS[self - 1]

    @classmethod
    def parse(cls, text: str) -> "Kind":
        """The kind with this code, upper or lower case. Raises MalformedText."""
        if text.upper() not in _CODES:
            raise MalformedText(f"no ship {text!r} (there are {', '.join(_CODES)})")
        return cls(_CODES.index(text.upper()) + 1)


_CODES = ("DE", "CR", "SU", "BA", "CA", "SC")
_LENGTHS = (2, 3, 3, 4, 5, 6)
_SMALL = (Kind.CRUISER, Kind.DESTROYER)
_STANDARD = (Kind.CARRIER, Kind.BATTLESHIP, Kind.CRUISER, Kind.SUBMARINE, Kind.DESTROYER)
_LARGE = (
    *(Kind.SUPER_CARRIER, Kind.CARRIER, Kind.BATTLESHIP, Kind.CRUISER),
    *(Kind.SUBMARINE, Kind.SUBMARINE, Kind.DESTROYER, Kind.DESTROYER),
)
FLEETS: Mapping[int, tuple[Kind, ...]] = {
    6: _SMALL,
    8: _SMALL,
    10: _STANDARD,
    12: _LARGE,
    14: _LARGE,
    20: _LARGE,
}


@dataclass(frozen=True, order=True)
class Ship:
    """A ship in its place, which need not be on any board."""

    kind: Kind
    x: int
    y: int
    vertical: bool = False

    @classmethod
    def parse(cls, text: str) -> "Ship":
        """The ship with this text form. Raises MalformedText."""
        match = re.fullmatch(r"([A-Za-z]{2}) (\d{1,2}) (\d{1,2}) ([hv])", text.strip())
        if not match:
            raise MalformedText(f"not a ship: {text!r} (like CR 1 2 h)")
        return cls(Kind.parse(match[1]), int(match[2]), int(match[3]), match[4] == "v")

    def __str__(self) -> str:
        return f"{self.kind.code} {self.x} {self.y} {'v' if self.vertical else 'h'}"

    def cells(self, size: int) -> tuple[int, ...]:
        """Its cells on a board of `size`, from its place on. Raises ShipOffBoard."""
        right, down = (0, 1) if self.vertical else (1, 0)
        last = self.kind.length - 1
        if not (0 <= self.x <= size - 1 - right * last and 0 <= self.y <= size - 1 - down * last):
            raise ShipOffBoard(f"{self} is not inside {size} x {size}")
        step = size if self.vertical else 1
        start = self.y * size + self.x
        return tuple(start + step * part for part in range(self.kind.length))


Fleet = tuple[Ship, ...]


def fleet_cells(size: int) -> int:
    """How many cells must be hit on a board of `size`. Raises IllegalSize."""
    return sum(kind.length for kind in kinds(size))


def kinds(size: int) -> tuple[Kind, ...]:
    """The ships of a board of `size`, longest first. Raises IllegalSize."""
    if size not in FLEETS:
        raise IllegalSize(f"no board of {size} x {size} (sizes are {', '.join(map(str, SIZES))})")
    return FLEETS[size]


def missing(size: int, ships: Iterable[Ship]) -> tuple[Kind, ...]:
    """The kinds still to be placed, longest first."""
    left = Counter(kinds(size)) - Counter(ship.kind for ship in ships)
    return tuple(sorted(left.elements(), key=kinds(size).index))


def place(size: int, ships: Fleet, ship: Ship) -> Fleet:
    """`ships` and one more. Raises ShipOffBoard, ShipsOverlap, WrongFleet, IllegalSize."""
    if ship.kind not in missing(size, ships):
        raise WrongFleet(f"{ship}: no {ship.kind.code} is left to place")
    taken = {cell: other for other in ships for cell in other.cells(size)}
    for cell in ship.cells(size):
        if cell in taken:
            raise ShipsOverlap(f"{ship} lies across {taken[cell]}")
    return (*ships, ship)


def check_fleet(size: int, ships: Iterable[Ship]) -> Fleet:
    """The ships, if they are a whole fleet of that board. Raises as `place`."""
    fleet: Fleet = ()
    for ship in ships:
        fleet = place(size, fleet, ship)
    if absent := missing(size, fleet):
        raise WrongFleet(f"still to place: {', '.join(kind.code for kind in absent)}")
    return fleet


def parse_fleet(text: str) -> Fleet:
    """The ships of a fleet's text form, unchecked. Raises MalformedText."""
    return tuple(Ship.parse(part) for part in text.split(", "))


def fleet_text(ships: Iterable[Ship]) -> str:
    """The inverse of `parse_fleet`."""
    return ", ".join(map(str, ships))
