"""Two players that choose from what their seat knows (a `rules.view`), and from their own seed."""

import random
from collections.abc import Callable, Iterable
from typing import Protocol

from bunkerwar.rules import Board, Build, Cell, Missile, Move, State, legal_moves

# Temperaments, each bot's drawn from its seed: with one for all, two of these bots always tie.
# How likely it takes a hidden building for a house: a well-kept lane of four holds one bunker.
HOUSE_ODDS = (0.6, 0.8)
# Expected loss that is worth a missile, which costs the action that would have built a house.
WORTH_A_MISSILE = (1.0, 1.4)
# Chance of an exposed house where cover would be due, so that an outermost building may be either.
BLUFF = (0.0, 0.25)
# Own houses that may stand unprotected before a bunker is worth its action.
BEARABLE_LOSS = 1


class Bot(Protocol):
    """Chooses a legal move for the seat to act in `view`, which hides what that seat does not know."""

    def choose(self, view: State) -> Move: ...  # noqa: D102


class RandomBot:
    """Any legal move, each as likely as the other."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def choose(self, view: State) -> Move:
        """One of the legal moves."""
        return self._random.choice(legal_moves(view))


class SensibleBot:
    """Fires where the expected loss is greatest, protects its houses, then builds under cover.

    What is equally good is decided by the seed, so that its boards cannot be read from its moves.
    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._house_odds = self._random.uniform(*HOUSE_ODDS)
        self._worth_a_missile = self._random.uniform(*WORTH_A_MISSILE)
        self._bluff = self._random.uniform(*BLUFF)

    def choose(self, view: State) -> Move:
        """The first of: a missile worth its action, a bunker over exposed houses, a house, a bunker."""
        legal = legal_moves(view)
        moves = self._random.sample(legal, len(legal))
        bluffs = self._random.random() < self._bluff
        return (
            self._missile(view, moves)
            or _protection(view, moves)
            or _covered_house(view, moves)
            or (None if bluffs else _new_cover(view, moves))
            or _exposed_house(view, moves)
        )

    def _missile(self, view: State, moves: Iterable[Move]) -> Move | None:
        target = view.boards[1 - view.turn]
        losses = {
            move: expected_loss(target, move.lane, self._house_odds)
            for move in moves
            if isinstance(move, Missile)
        }
        best = max(losses, key=lambda move: losses[move], default=None)
        return best if best is not None and losses[best] >= self._worth_a_missile else None


BOTS: dict[str, Callable[[int], Bot]] = {"sensible": SensibleBot, "random": RandomBot}
"""By name; each is made from a seed."""


def expected_loss(board: Board, lane: int, house_odds: float) -> float:
    """How many houses a missile at this lane of the opponent's board should destroy.

    `house_odds` is the chance, 0–1, that a hidden building is a house.
    """
    loss, passes = 0.0, 1.0
    for cell in reversed(board.cells[lane]):
        if cell == Cell.SHOWN:
            break
        if cell == Cell.HIDDEN:
            passes *= house_odds
            loss += passes
    return loss


def exposed_houses(board: Board, lane: int) -> int:
    """Houses of an own lane that a missile would destroy."""
    return board.cells[lane][board.stop(lane) :].count(Cell.HOUSE)


def _protection(view: State, moves: Iterable[Move]) -> Move | None:
    """A bunker as far out as possible in the lane with most to lose, while there is time to lose it."""
    board = view.boards[view.turn]
    bunkers = [
        move
        for move in _builds(moves, Cell.BUNKER)
        if _shielded(board, move) > BEARABLE_LOSS and view.left > 1
    ]
    return max(bunkers, key=lambda move: (_shielded(board, move), move.depth), default=None)


def _covered_house(view: State, moves: Iterable[Move]) -> Move | None:
    board = view.boards[view.turn]
    houses = _builds(moves, Cell.HOUSE)
    return next((move for move in houses if move.depth < board.stop(move.lane)), None)


def _new_cover(view: State, moves: Iterable[Move]) -> Move | None:
    """A bunker with room for at least two houses below, as far out as possible."""
    board = view.boards[view.turn]
    rooms = {
        move: board.cells[move.lane][: move.depth].count(Cell.EMPTY)
        for move in _builds(moves, Cell.BUNKER)
    }
    best = max(rooms, key=lambda move: rooms[move], default=None)
    return best if best is not None and min(rooms[best], view.left - 1) >= 2 else None


def _exposed_house(view: State, moves: Iterable[Move]) -> Move:
    """A house in the lane with least to lose, as near to the base as possible."""
    board = view.boards[view.turn]
    return min(
        _builds(moves, Cell.HOUSE),
        key=lambda move: (exposed_houses(board, move.lane), move.depth),
    )


def _builds(moves: Iterable[Move], cell: Cell) -> list[Build]:
    return [move for move in moves if isinstance(move, Build) and move.cell == cell]


def _shielded(board: Board, bunker: Build) -> int:
    """Exposed houses that this bunker would protect."""
    return board.cells[bunker.lane][board.stop(bunker.lane) : bunker.depth].count(Cell.HOUSE)
