"""Three players, each clearly better than the one before, that choose from what their seat knows."""

import random
from collections.abc import Collection, Iterable
from typing import Protocol

from battleship.errors import ShipOffBoard, ShipsOverlap
from battleship.fleets import Fleet, Kind, Ship, missing, place
from battleship.rules import Attack, Board, State, legal_moves

# How much likelier a placement is for each unexplained hit that it covers.
HIT_WEIGHT = 40


class Bot(Protocol):
    """Chooses a legal attack for the seat on turn in `view`, which hides the other fleet."""

    def choose(self, view: State) -> Attack: ...  # noqa: D102


class RandomBot:
    """Any cell not yet shot at, each as likely as the other."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def choose(self, view: State) -> Attack:
        """One of the legal attacks."""
        return self._random.choice(legal_moves(view))


class HuntBot:
    """Fires at random until it hits, then at the neighbours of hits that no sunk ship explains."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def choose(self, view: State) -> Attack:
        """A neighbour of an open hit, best in line with another one; else any cell."""
        board = view.boards[1 - view.turn]
        moves = legal_moves(view)
        hits = open_hits(board)
        aims = {move: _touching(move.cell(view.size), hits, view.size) for move in moves}
        best = max(aims.values())
        return self._random.choice([move for move in moves if aims[move] == best])


class DensityBot:
    """Counts for each cell the ways in which the ships still afloat could lie across it."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def choose(self, view: State) -> Attack:
        """A cell that most of the weighted placements cover."""
        board = view.boards[1 - view.turn]
        weights = density(board)
        moves = legal_moves(view)
        best = max(weights[move.cell(view.size)] for move in moves)
        return self._random.choice([m for m in moves if weights[m.cell(view.size)] == best])


BOTS: dict[str, type[RandomBot | HuntBot | DensityBot]] = {
    "random": RandomBot,
    "hunt": HuntBot,
    "density": DensityBot,
}


def random_fleet(size: int, rng: random.Random, fleet: Fleet = ()) -> Fleet:
    """A whole fleet: the ships that `fleet` lacks, longest first, at random. Raises IllegalSize."""
    for kind in missing(size, fleet):
        while True:
            ship = Ship(kind, rng.randrange(size), rng.randrange(size), rng.random() < 0.5)
            try:
                fleet = place(size, fleet, ship)
                break
            except (ShipOffBoard, ShipsOverlap):
                continue
    return fleet


def open_hits(board: Board) -> frozenset[int]:
    """Hits that are not part of a ship known to be sunk.

    Where a sunk ship's cells are not certain, its hits stay open: that costs a shot, misses nothing.
    """
    left = set(board.hits)
    for shot in board.shots:
        if shot.answer.sunk:
            lines = _lines_through(shot.cell, shot.answer.sunk, left, board.size)
            if len(lines) == 1:
                left -= lines[0]
    return frozenset(left)


def density(board: Board) -> list[int]:
    """For each cell, the weight of all placements of ships afloat that cover it (0: certainly water)."""
    hits = open_hits(board)
    blocked = board.fired - hits
    weights = [0] * (board.size * board.size)
    for kind in board.afloat:
        for cells in placements(kind, board.size):
            if blocked.isdisjoint(cells):
                weight = HIT_WEIGHT ** len(hits.intersection(cells))
                for cell in cells:
                    weights[cell] += weight
    return weights


def placements(kind: Kind, size: int) -> Iterable[tuple[int, ...]]:
    """The cells of every place that a ship of this kind has on an empty board."""
    room = range(size - kind.length + 1)
    for row in range(size):
        for start in room:
            yield tuple(row * size + start + part for part in range(kind.length))
            yield tuple((start + part) * size + row for part in range(kind.length))


def _lines_through(cell: int, kind: Kind, hits: Collection[int], size: int) -> list[frozenset[int]]:
    """The ways in which a sunk ship may lie across its last hit, all its cells being hit."""
    return [
        frozenset(cells)
        for cells in placements(kind, size)
        if cell in cells and all(each in hits for each in cells)
    ]


def _touching(cell: int, hits: Collection[int], size: int) -> int:
    """0: no neighbour is an open hit; 1: one is; 2: the next one in that line is too."""
    x, y = cell % size, cell // size
    best = 0
    for right, down in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        line = [(x + right * far, y + down * far) for far in (1, 2)]
        met = [
            0 <= column < size and 0 <= row < size and row * size + column in hits
            for column, row in line
        ]
        if met[0]:
            best = max(best, 1 + met[1])
    return best
