"""What a game's own event does to its table, and what must then follow in the same transaction."""

from collections.abc import Iterable
from dataclasses import dataclass

from fogbound.game import Outcome

RAKE = HELD_BACK = 100  # basis points, as in Endings.sol
BASIS_POINTS = 10_000


@dataclass(frozen=True)
class Tell:
    """The game's own event of that name, of that seat where it is one of a seat."""

    event: str
    seat: int | None = None


@dataclass(frozen=True)
class Ask:
    """A proof is asked of a seat."""

    seat: int
    event = "ProofAsked"


@dataclass(frozen=True)
class End:
    """The game ends so. `late_proof`: the deadline leaves a full proof clock from now.

    `amounts` (wei, by seat): only of a game that pays by a rule of its own.
    """

    outcome: Outcome
    winners: frozenset[int] = frozenset()
    late_proof: bool = False
    amounts: tuple[int, ...] | None = None
    event = "GameEnded"

    def pays(self, stake: int, seats: int) -> tuple[int, ...]:
        """By seat, in wei."""
        if self.amounts is not None:
            return self.amounts
        if self.outcome in (Outcome.DRAWN, Outcome.VOIDED):
            return (stake,) * seats
        if self.outcome is Outcome.NULL:
            return (stake - stake * HELD_BACK // BASIS_POINTS,) * seats
        pot = stake * seats
        share, left_over = divmod(pot - pot * RAKE // BASIS_POINTS, len(self.winners))
        first = min(self.winners)
        shares = {seat: share + left_over * (seat == first) for seat in self.winners}
        return tuple(shares.get(seat, 0) for seat in range(seats))


Due = Tell | Ask | End


@dataclass(frozen=True)
class Step:
    """`turn`: the move is accepted, and this seat is on turn with a full clock. `joined`: that may have
    been one move together with the event before. `wait`: it is accepted and needs a value from outside.
    `proved`: this seat owes its proof no more. `due`: what follows.
    """

    turn: int | None = None
    joined: bool = False
    wait: bool = False
    proved: int | None = None
    due: Due | None = None


STAY = Step()


def won_by(outcome: Outcome, winners: Iterable[int]) -> Step:
    """The game ends, and these seats share the pot."""
    return Step(due=End(outcome, frozenset(winners)))
