"""Bunker War Z as values and one transition: no chain, no encryption, no clock, no chance.

A position is a `State`, a move a `Build` or a `Missile`, and `apply` the only way from one state to the
next; it refuses what the rules do not allow. Hidden information is a value too: `view` gives a state in
which the cells that a seat does not know are `Cell.HIDDEN`, and everything here works on such a state.

Text forms, which round-trip:

* move: `H a3` builds a house, `B c1` a bunker, `? b2` a building that is hidden, `M b` sends a missile.
  A lane is a letter (a–h), a depth a digit from 1 (the base end) on.
* lane: one character a cell, base end first: `.` empty, `h` house, `b` bunker, `B` bunker that a missile
  has stopped at (both players know it), `?` hidden. Board: its lanes, joined by `/`.
* position: `board0 board1 turn played armed stacked`, for instance `hB../.... ..../?... 1 5 01 -`:
  seat to act, actions so far, the seats that may send a missile (`-`: none), `s` for stacked.

Lanes and depths are numbered from 0 in code. Errors: see `RuleError` and what derives from it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum, StrEnum

LANES = range(1, 9)
DEPTHS = range(2, 9)
SEATS = (0, 1)


class RuleError(Exception):
    """Root of what the rules refuse; nothing has changed."""


class MalformedText(RuleError):
    """Not the text form of a move, a board or a position."""


class IllegalBoard(RuleError):
    """Lanes or depth out of range, or lanes of different depth."""


class IllegalMove(RuleError):
    """Root of the moves that a state does not allow."""


class GameFinished(IllegalMove):
    """Every round has been played."""


class OutOfRange(IllegalMove):
    """No such lane or depth on this board."""


class CellOccupied(IllegalMove):
    """A building stands there already."""


class CellUnsupported(IllegalMove):
    """Stacked: nothing stands below, and it is not depth 0."""


class MissileNotArmed(IllegalMove):
    """A build is needed between two missiles."""


class HiddenInformation(RuleError):
    """The answer depends on cells that this view does not show."""


class ImpossibleStop(RuleError):
    """A missile cannot have stopped there on this board."""


class Cell(StrEnum):
    """What stands in a cell, as far as the holder of the state knows."""

    EMPTY = "."
    HOUSE = "h"
    BUNKER = "b"
    SHOWN = "B"
    HIDDEN = "?"

    @property
    def stops(self) -> bool:
        """Whether it is known to stop a missile."""
        return self in {Cell.BUNKER, Cell.SHOWN}


class Outcome(Enum):
    """How a finished game ended; `winner` is a seat, or None for a tie."""

    FIRST = "0"
    SECOND = "1"
    TIE = "tie"

    @property
    def winner(self) -> int | None:
        """The winning seat."""
        return None if self is Outcome.TIE else int(self.value)

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, order=True)
class Build:
    """Build in an empty cell of the own board; `cell` is HOUSE, BUNKER, or HIDDEN in a public record."""

    lane: int
    depth: int
    cell: Cell

    def __str__(self) -> str:
        return f"{self.cell.upper()} {_letter(self.lane)}{self.depth + 1}"


@dataclass(frozen=True, order=True)
class Missile:
    """Send a missile at a lane of the other board."""

    lane: int

    def __str__(self) -> str:
        return f"M {_letter(self.lane)}"


Move = Build | Missile


def parse_move(text: str) -> Move:
    """The move with this text form. Raises MalformedText."""
    if match := re.fullmatch(r"M ([a-h])", text):
        return Missile(_lane(match[1]))
    if match := re.fullmatch(r"([HB?]) ([a-h])([1-8])", text):
        return Build(_lane(match[2]), int(match[3]) - 1, Cell(match[1].lower()))
    raise MalformedText(f"not a move: {text!r} (like H a3, B c1, M b)")


@dataclass(frozen=True)
class Board:
    """`cells[lane][depth]`; depth 0 is the base end. Raises IllegalBoard."""

    cells: tuple[tuple[Cell, ...], ...]

    def __post_init__(self) -> None:
        if self.lanes not in LANES or self.depth not in DEPTHS:
            raise IllegalBoard(f"{self.lanes} x {self.depth}: lanes are 1–8, depth 2–8")
        if any(len(lane) != self.depth for lane in self.cells):
            raise IllegalBoard("the lanes of a board have one depth")

    @classmethod
    def empty(cls, lanes: int, depth: int) -> "Board":
        """A board before the first build."""
        return cls(((Cell.EMPTY,) * depth,) * lanes)

    @classmethod
    def parse(cls, text: str) -> "Board":
        """The board with this text form. Raises MalformedText, IllegalBoard."""
        if not re.fullmatch(r"[.hbB?/]+", text):
            raise MalformedText(f"not a board: {text!r}")
        return cls(tuple(tuple(map(Cell, lane)) for lane in text.split("/")))

    def __str__(self) -> str:
        return "/".join("".join(lane) for lane in self.cells)

    def __iter__(self) -> Iterator[Cell]:
        return (cell for lane in self.cells for cell in lane)

    @property
    def lanes(self) -> int:
        """Number of lanes, 1–8."""
        return len(self.cells)

    @property
    def depth(self) -> int:
        """Cells of a lane, 2–8."""
        return len(self.cells[0]) if self.cells else 0

    @property
    def size(self) -> int:
        """Number of cells: the rounds of a game."""
        return self.lanes * self.depth

    @property
    def standing(self) -> int:
        """Number of buildings, of whatever kind."""
        return sum(cell != Cell.EMPTY for cell in self)

    @property
    def bunkers(self) -> int:
        """Number of bunkers. Raises HiddenInformation."""
        self._require_known()
        return sum(cell.stops for cell in self)

    @property
    def score(self) -> int:
        """One point for each house that stands. Raises HiddenInformation."""
        return self.standing - self.bunkers

    def supports(self, lane: int, depth: int) -> bool:
        """Whether a building would stand on the base or on another one."""
        return depth == 0 or self.cells[lane][depth - 1] != Cell.EMPTY

    def stop(self, lane: int) -> int:
        """Depth + 1 of the outermost bunker, 0 if a missile flies through. Raises HiddenInformation."""
        for depth in reversed(range(self.depth)):
            cell = self.cells[lane][depth]
            if cell == Cell.HIDDEN:
                raise HiddenInformation(f"lane {_letter(lane)} is hidden from depth {depth + 1} on")
            if cell.stops:
                return depth + 1
        return 0

    def built(self, lane: int, depth: int, cell: Cell) -> "Board":
        """This board with `cell` in that place."""
        changed = (*self.cells[lane][:depth], cell, *self.cells[lane][depth + 1 :])
        return self._with_lane(lane, changed)

    def struck(self, lane: int, stop: int) -> "Board":
        """This board after a missile that stopped at `stop` (as `stop` gives it).

        Raises ImpossibleStop where known cells contradict it.
        """
        cells = self.cells[lane]
        if not 0 <= stop <= self.depth or any(cell.stops for cell in cells[stop:]):
            raise ImpossibleStop(f"M {_letter(lane)} flew past a bunker at {stop}")
        passed = (Cell.EMPTY,) * (self.depth - stop)
        if stop == 0:
            return self._with_lane(lane, passed)
        if cells[stop - 1] in {Cell.EMPTY, Cell.HOUSE}:
            raise ImpossibleStop(f"M {_letter(lane)}: no bunker at depth {stop}")
        return self._with_lane(lane, (*cells[: stop - 1], Cell.SHOWN, *passed))

    def hidden(self) -> "Board":
        """This board as the opponent and the public see it."""
        return Board(tuple(tuple(map(_hide, lane)) for lane in self.cells))

    def _with_lane(self, lane: int, cells: tuple[Cell, ...]) -> "Board":
        return Board((*self.cells[:lane], cells, *self.cells[lane + 1 :]))

    def _require_known(self) -> None:
        if Cell.HIDDEN in self:
            raise HiddenInformation("some cells of this board are hidden")


@dataclass(frozen=True)
class State:
    """A position. `turn` is the seat to act, `played` the actions of both seats so far."""

    boards: tuple[Board, Board]
    turn: int
    played: int = 0
    armed: tuple[bool, bool] = (True, True)
    stacked: bool = False

    @classmethod
    def new(cls, lanes: int, depth: int, *, first: int = 0, stacked: bool = False) -> "State":
        """The start of a game that seat `first` begins. Raises IllegalBoard."""
        board = Board.empty(lanes, depth)
        return cls((board, board), first, stacked=stacked)

    @classmethod
    def parse(cls, text: str) -> "State":
        """The position with this text form. Raises MalformedText, IllegalBoard."""
        match = re.fullmatch(r"(\S+) (\S+) ([01]) (\d{1,3}) (-|0|1|01) ([s-])", text)
        if not match:
            raise MalformedText(f"not a position: {text!r}")
        boards = (Board.parse(match[1]), Board.parse(match[2]))
        if (boards[0].lanes, boards[0].depth) != (boards[1].lanes, boards[1].depth):
            raise IllegalBoard("the boards of a game have one size")
        if int(match[4]) > 2 * boards[0].size:
            raise MalformedText(f"more actions than a game has: {text!r}")
        armed = ("0" in match[5], "1" in match[5])
        return cls(boards, int(match[3]), int(match[4]), armed, match[6] == "s")

    def __str__(self) -> str:
        armed = "".join(str(seat) for seat in SEATS if self.armed[seat]) or "-"
        boards = f"{self.boards[0]} {self.boards[1]}"
        return f"{boards} {self.turn} {self.played} {armed} {'s' if self.stacked else '-'}"

    @property
    def lanes(self) -> int:
        """Lanes of each board."""
        return self.boards[0].lanes

    @property
    def depth(self) -> int:
        """Depth of each board."""
        return self.boards[0].depth

    @property
    def first(self) -> int:
        """The seat that began."""
        return (self.turn + self.played) % 2

    @property
    def left(self) -> int:
        """Actions that the seat to act still has, this one included."""
        return (2 * self.boards[0].size - self.played + 1) // 2

    @property
    def finished(self) -> bool:
        """Whether every round has been played."""
        return self.played == 2 * self.boards[0].size


def legal_moves(state: State) -> tuple[Move, ...]:
    """Every move of the seat to act: builds by lane and depth, houses first, then missiles."""
    if state.finished:
        return ()
    board = state.boards[state.turn]
    builds: list[Move] = [
        Build(lane, depth, cell)
        for lane in range(state.lanes)
        for depth in range(state.depth)
        if board.cells[lane][depth] == Cell.EMPTY
        and (not state.stacked or board.supports(lane, depth))
        for cell in (Cell.HOUSE, Cell.BUNKER)
    ]
    missiles = [Missile(lane) for lane in range(state.lanes)] if state.armed[state.turn] else []
    return (*builds, *missiles)


def apply(state: State, move: Move, stop: int | None = None) -> State:
    """The state after `move` of the seat to act.

    `stop` says where a missile stopped (0: flew through, d + 1: bunker at depth d); it may be left out
    where the state shows the lane, else HiddenInformation is raised.
    Raises an IllegalMove, or ImpossibleStop where `stop` contradicts what the state shows.
    """
    if state.finished:
        raise GameFinished("every round has been played")
    if not 0 <= move.lane < state.lanes:
        raise OutOfRange(f"{move}: the board has lanes a–{_letter(state.lanes - 1)}")
    if isinstance(move, Build):
        if stop is not None:
            raise ImpossibleStop(f"{move}: only a missile stops")
        return _build(state, move)
    return _send_missile(state, move, stop)


def outcome(state: State) -> Outcome | None:
    """How the game ended, None while it runs. Raises HiddenInformation on a view of a finished game."""
    if not state.finished:
        return None
    first, second = (board.score for board in state.boards)
    if first == second:
        return Outcome.TIE
    return Outcome.FIRST if first > second else Outcome.SECOND


def view(state: State, seat: int | None) -> State:
    """What `seat` knows; None stands for the public, which knows neither board."""
    first, second = (
        board if owner == seat else board.hidden() for owner, board in enumerate(state.boards)
    )
    return replace(state, boards=(first, second))


def public(move: Move) -> Move:
    """What everybody sees of a move."""
    return replace(move, cell=Cell.HIDDEN) if isinstance(move, Build) else move


def _build(state: State, move: Build) -> State:
    board = state.boards[state.turn]
    if not 0 <= move.depth < state.depth:
        raise OutOfRange(f"{move}: the board has depths 1–{state.depth}")
    if move.cell not in {Cell.HOUSE, Cell.BUNKER, Cell.HIDDEN}:
        raise IllegalMove(f"{move.cell.name} is not a building")
    if board.cells[move.lane][move.depth] != Cell.EMPTY:
        raise CellOccupied(f"{move}: a building stands there")
    if state.stacked and not board.supports(move.lane, move.depth):
        raise CellUnsupported(f"{move}: nothing stands below")
    built = board.built(move.lane, move.depth, move.cell)
    return _next(state, state.turn, built, armed=True)


def _send_missile(state: State, move: Missile, stop: int | None) -> State:
    if not state.armed[state.turn]:
        raise MissileNotArmed(f"{move}: build before the next missile")
    target = 1 - state.turn
    board = state.boards[target]
    struck = board.struck(move.lane, board.stop(move.lane) if stop is None else stop)
    return _next(state, target, struck, armed=False)


def _next(state: State, changed: int, board: Board, *, armed: bool) -> State:
    return State(
        boards=(board, state.boards[1]) if changed == 0 else (state.boards[0], board),
        turn=1 - state.turn,
        played=state.played + 1,
        armed=(armed, state.armed[1]) if state.turn == 0 else (state.armed[0], armed),
        stacked=state.stacked,
    )


def _hide(cell: Cell) -> Cell:
    return Cell.HIDDEN if cell in {Cell.HOUSE, Cell.BUNKER} else cell


def _letter(lane: int) -> str:
    return chr(ord("a") + lane)


def _lane(letter: str) -> int:
    return ord(letter) - ord("a")
