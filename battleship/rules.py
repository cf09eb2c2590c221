"""Battleship as values and one transition: no chain, no commitment, no clock, no chance.

A position is a `State`, a move an `Attack`, and `apply` the only way from one state to the next; it refuses
what the rules do not allow. A fleet that is not known is None: `view` gives a state without the fleets
that a seat does not know, and the answer to a shot at such a board is handed to `apply`.
Seats are 0 and 1. Ships, fleets and cells: fleets.py. Errors: RuleError and what derives from it.

Text forms, which round-trip:

* attack `attack 1 0` (x, y); shot `12-` (cell 12, missed), `13+` (hit), `14+CR` (hit, sank that ship);
* position `size | turn | fleet 0 | shots at 0 | fleet 1 | shots at 1`; a hidden fleet is `?`, no shots `-`.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum, StrEnum

from battleship.errors import (
    AlreadyFired,
    AnswerNeeded,
    GameFinished,
    ImpossibleAnswer,
    MalformedText,
    OutOfRange,
    RuleError,
)
from battleship.fleets import (
    Fleet,
    Kind,
    Ship,
    check_fleet,
    fleet_cells,
    fleet_text,
    kinds,
    parse_fleet,
)

SEATS = (0, 1)


@dataclass(frozen=True, order=True)
class Attack:
    """A shot at a cell of the other board."""

    x: int
    y: int

    @classmethod
    def parse(cls, text: str) -> "Attack":
        """The attack with this text form. Raises MalformedText."""
        match = re.fullmatch(r"attack (\d{1,2}) (\d{1,2})", text)
        if not match:
            raise MalformedText(f"not an attack: {text!r} (like attack 1 0)")
        return cls(int(match[1]), int(match[2]))

    @classmethod
    def at(cls, size: int, cell: int) -> "Attack":
        """The attack on a cell of a board of `size`."""
        return cls(cell % size, cell // size)

    def __str__(self) -> str:
        return f"attack {self.x} {self.y}"

    def cell(self, size: int) -> int:
        """The cell on a board of `size`. Raises OutOfRange."""
        if not (0 <= self.x < size and 0 <= self.y < size):
            raise OutOfRange(f"{self}: x and y are 0–{size - 1}")
        return self.y * size + self.x


@dataclass(frozen=True)
class Answer:
    """What the owner of a board says to a shot. Raises ImpossibleAnswer."""

    hit: bool
    sunk: Kind | None = None

    def __post_init__(self) -> None:
        if self.sunk and not self.hit:
            raise ImpossibleAnswer("a miss sinks nothing")


MISS = Answer(hit=False)


@dataclass(frozen=True)
class Shot:
    """A shot at a board and its answer."""

    cell: int
    answer: Answer

    @classmethod
    def parse(cls, text: str) -> "Shot":
        """The shot with this text form. Raises MalformedText."""
        match = re.fullmatch(r"(\d{1,3})(?:(-)|\+([A-Z]{2})?)", text)
        if not match:
            raise MalformedText(f"not a shot: {text!r} (like 12-, 13+, 14+CR)")
        if match[2]:
            return cls(int(match[1]), MISS)
        return cls(int(match[1]), Answer(True, Kind.parse(match[3]) if match[3] else None))

    def __str__(self) -> str:
        sunk = self.answer.sunk
        return f"{self.cell}{'+' if self.answer.hit else '-'}{sunk.code if sunk else ''}"


@dataclass(frozen=True)
class Board:
    """One player's waters: their fleet (None: hidden) and the shots at it, oldest first."""

    size: int
    fleet: Fleet | None = None
    shots: tuple[Shot, ...] = ()

    @property
    def fired(self) -> frozenset[int]:
        """The cells shot at."""
        return frozenset(shot.cell for shot in self.shots)

    @property
    def hits(self) -> frozenset[int]:
        """The cells hit."""
        return frozenset(shot.cell for shot in self.shots if shot.answer.hit)

    @property
    def sunk(self) -> tuple[Kind, ...]:
        """The kinds said to be sunk, in order."""
        return tuple(shot.answer.sunk for shot in self.shots if shot.answer.sunk)

    @property
    def afloat(self) -> tuple[Kind, ...]:
        """The kinds not yet said to be sunk, longest first."""
        left = Counter(kinds(self.size)) - Counter(self.sunk)
        return tuple(sorted(left.elements(), key=kinds(self.size).index))

    @property
    def beaten(self) -> bool:
        """Every fleet cell was hit, or every cell shot at (so few ships gain nothing)."""
        return len(self.hits) == fleet_cells(self.size) or len(self.shots) == self.size * self.size

    def answer(self, cell: int) -> Answer:
        """The true answer to a shot at `cell`. Raises AnswerNeeded where the fleet is hidden."""
        if self.fleet is None:
            raise AnswerNeeded(f"cell {cell} of a hidden board")
        for ship in self.fleet:
            cells = ship.cells(self.size)
            if cell in cells:
                sunk = self.hits.union([cell]).issuperset(cells)
                return Answer(True, ship.kind if sunk else None)
        return MISS

    def struck(self, cell: int, answer: Answer) -> "Board":
        """This board after one more shot."""
        return replace(self, shots=(*self.shots, Shot(cell, answer)))


@dataclass(frozen=True)
class State:
    """A position: both boards, and the seat that fires next."""

    boards: tuple[Board, Board]
    turn: int

    @classmethod
    def new(
        cls, size: int, fleets: Sequence[Fleet | None] = (None, None), *, first: int = 0
    ) -> "State":
        """The start of a game that seat `first` begins.

        Raises IllegalSize, and what `check_fleet` raises for a fleet that is given.
        """
        kinds(size)
        one, two = (fleet and check_fleet(size, fleet) for fleet in fleets)
        return cls((Board(size, one), Board(size, two)), first)

    @classmethod
    def parse(cls, text: str) -> "State":
        """The position with this text form. Raises MalformedText, IllegalSize, IllegalFleet."""
        match text.split(" | "):
            case [size, ("0" | "1") as turn, *rest] if size.isdecimal() and len(rest) == 4:
                kinds(int(size))
                one = _parse_board(int(size), *rest[:2])
                return cls((one, _parse_board(int(size), *rest[2:])), int(turn))
        raise MalformedText(f"not a position: {text!r}")

    def __str__(self) -> str:
        boards = " | ".join(map(_board_text, self.boards))
        return f"{self.size} | {self.turn} | {boards}"

    @property
    def size(self) -> int:
        """Columns, and rows, of each board."""
        return self.boards[0].size

    @property
    def winner(self) -> int | None:
        """The seat that has won the shooting, None while it lasts."""
        return next((1 - seat for seat in SEATS if self.boards[seat].beaten), None)


def legal_moves(state: State) -> tuple[Attack, ...]:
    """Every attack of the seat on turn, by cell."""
    if state.winner is not None:
        return ()
    fired = state.boards[1 - state.turn].fired
    cells = (cell for cell in range(state.size**2) if cell not in fired)
    return tuple(Attack.at(state.size, cell) for cell in cells)


def apply(state: State, attack: Attack, answer: Answer | None = None) -> State:
    """The state after an attack of the seat on turn; turns alternate, also after a hit.

    `answer` may be left out where the board shot at is known (AnswerNeeded otherwise).
    Raises an IllegalAttack, or ImpossibleAnswer where the answer contradicts that board.
    """
    if state.winner is not None:
        raise GameFinished("the shooting is over")
    target = 1 - state.turn
    board = state.boards[target]
    cell = attack.cell(state.size)
    if cell in board.fired:
        raise AlreadyFired(f"{attack}: shot at before")
    if board.fleet is not None:
        true = board.answer(cell)
        if answer not in (None, true):
            raise ImpossibleAnswer(f"{attack}: the answer is {Shot(cell, true)}")
        answer = true
    if answer is None:
        raise AnswerNeeded(f"{attack}: the board is hidden")
    return _with_board(replace(state, turn=target), target, board.struck(cell, answer))


def view(state: State, seat: int | None) -> State:
    """What `seat` knows; None stands for the public, which knows neither fleet."""
    one, two = (
        board if owner == seat else replace(board, fleet=None)
        for owner, board in enumerate(state.boards)
    )
    return replace(state, boards=(one, two))


class Outcome(StrEnum):
    """How the proving after a game came out."""

    FAIR = "fair"
    FAILED_TO_PROVIDE_PROOF = "failed_to_provide_proof"
    NULL = "null"


class Proof(Enum):
    """What a player's reveal has shown; SILENT: they gave none in time."""

    SILENT = 0
    HONEST = 1
    DISHONEST = 2


def judge(
    beneficiary: int, proofs: Sequence[Proof], cheater: int | None = None
) -> tuple[Outcome, int | None]:
    """Outcome and winner. `beneficiary`: the seat that gains from how the shooting ended;
    `cheater`: a seat that opened a cell falsely, and is out whatever it reveals.
    """
    other = 1 - beneficiary
    if proofs[beneficiary] is Proof.HONEST:
        return Outcome.FAIR, beneficiary
    if proofs[other] is Proof.HONEST and other != cheater:
        return Outcome.FAILED_TO_PROVIDE_PROOF, other
    return Outcome.NULL, None


def truthful(size: int, fleet: Iterable[Ship], shots: Iterable[Shot]) -> bool:
    """Whether a fleet is legal and every answer, each sunk claim made or left out, is true to it."""
    try:
        board = Board(size, check_fleet(size, fleet))
    except RuleError:
        return False
    for shot in shots:
        if shot.answer != board.answer(shot.cell):
            return False
        board = board.struck(shot.cell, shot.answer)
    return True


def _with_board(state: State, seat: int, board: Board) -> State:
    boards = (board, state.boards[1]) if seat == 0 else (state.boards[0], board)
    return replace(state, boards=boards)


def _board_text(board: Board) -> str:
    fleet = "?" if board.fleet is None else fleet_text(board.fleet)
    return f"{fleet} | {' '.join(map(str, board.shots)) or '-'}"


def _parse_board(size: int, fleet: str, shots: str) -> Board:
    board = Board(size, None if fleet == "?" else check_fleet(size, parse_fleet(fleet)))
    for shot in () if shots == "-" else map(Shot.parse, shots.split(" ")):
        if shot.cell >= size * size or shot.cell in board.fired:
            raise MalformedText(f"shot {shot} at a cell that is none, or twice")
        if board.fleet is not None and shot.answer != board.answer(shot.cell):
            raise MalformedText(f"shot {shot} contradicts the fleet")
        board = board.struck(shot.cell, shot.answer)
    return board
