"""What the table knows of one game, as a value."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

NOBODY = "0x0000000000000000000000000000000000000000"


class Phase(IntEnum):
    """ITable.Phase; what each means is said there."""

    NONE = 0
    OPEN = 1
    DRAWING = 2
    PLAYING = 3
    WAITING = 4
    PROVING = 5
    ENDED = 6
    CANCELLED = 7

    @property
    def final(self) -> bool:
        """Nothing follows."""
        return self in (Phase.ENDED, Phase.CANCELLED)


class Outcome(IntEnum):
    """ITable.Outcome; what each pays is said there."""

    NONE = 0
    WON = 1
    DRAWN = 2
    RESIGNED = 3
    TIMED_OUT = 4
    NULL = 5
    VOIDED = 6


@dataclass(frozen=True)
class Game:
    """ITable.turnOf and seatsOf. `players[s]` is None where seat s is free.

    `control` numbers the time controls of the contract. `deadline` is a second since 1970, and `mark` is
    while Waiting; while Drawing it is a block."""

    id: int
    phase: Phase
    outcome: Outcome
    players: tuple[str | None, ...]
    stake: int
    invited: str | None
    on_turn: int
    consents: frozenset[int]
    keep_alives: tuple[int, ...]
    winners: frozenset[int]
    void_announced: bool
    control: int
    move_number: int
    deadline: int
    mark: int

    @classmethod
    def parse(cls, game_id: int, turn: Sequence[Any], seats: Sequence[Any]) -> "Game":
        """From what the two views return."""
        phase, outcome, count, _, on_turn, consents, keep_alives, winners = turn[:8]
        void_announced, control, move_number, deadline, mark = turn[8:13]
        players, stake, invited = seats
        return cls(
            id=game_id,
            phase=Phase(phase),
            outcome=Outcome(outcome),
            players=tuple(_somebody(player) for player in players),
            stake=stake,
            invited=_somebody(invited),
            on_turn=on_turn,
            consents=_seats(consents),
            keep_alives=tuple(keep_alives >> 2 * seat & 3 for seat in range(count)),
            winners=_seats(winners),
            void_announced=void_announced,
            control=control,
            move_number=move_number,
            deadline=deadline,
            mark=mark,
        )

    def seat_of(self, player: str) -> int | None:
        """The player's seat, or None."""
        return self.players.index(player) if player in self.players else None

    def is_turn_of(self, player: str) -> bool:
        """Whether the player's clock runs now."""
        return self.phase is Phase.PLAYING and self.seat_of(player) == self.on_turn


def _somebody(address: str) -> str | None:
    return None if address == NOBODY else address


def _seats(mask: int) -> frozenset[int]:
    return frozenset(seat for seat in range(8) if mask >> seat & 1)
