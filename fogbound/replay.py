"""What the table's events say of one game: the public state, rebuilt from them alone."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from fogbound.errors import RecordInvalid
from fogbound.game import NOBODY, Outcome, Phase
from fogbound.reasons import RecordReason

Arguments = Mapping[str, Any]
MOST_SEATS = 4
RAKE = HELD_BACK = 100  # basis points, as in Endings.sol
BASIS_POINTS = 10_000


@dataclass(frozen=True)
class Replayed:
    """The table's public part of a game. `phase` is PLAYING from the draw to the end, whatever the
    game itself does meanwhile. Money is in wei.
    """

    phase: Phase = Phase.NONE
    seats: int = 0
    stake: int = 0
    parameters: bytes = b""
    players: Mapping[int, str] = field(default_factory=dict)
    first_seat: int | None = None
    outcome: Outcome = Outcome.NONE
    winners: frozenset[int] = frozenset()
    amounts: tuple[int, ...] = ()
    rake: int = 0


def check_payment(game: Replayed) -> None:
    """Raise RecordInvalid unless an ended game paid each seat what the table's own endings pay."""
    if game.phase is Phase.ENDED and game.amounts != _due(game):
        raise RecordInvalid(RecordReason.WRONG_PAYMENT)


def _due(game: Replayed) -> tuple[int, ...]:
    """By seat, in wei."""
    if game.outcome in (Outcome.DRAWN, Outcome.VOIDED):
        return (game.stake,) * game.seats
    if game.outcome is Outcome.NULL:
        return (game.stake - game.stake * HELD_BACK // BASIS_POINTS,) * game.seats
    if not game.winners:
        raise RecordInvalid(RecordReason.NO_WINNER)
    pot = game.stake * game.seats
    share, left_over = divmod(pot - pot * RAKE // BASIS_POINTS, len(game.winners))
    first = min(game.winners)
    shares = {seat: share + left_over * (seat == first) for seat in game.winners}
    return tuple(shares.get(seat, 0) for seat in range(game.seats))


def replay(events: Iterable[tuple[str, Arguments]]) -> Replayed:
    """Fold one game's events (name, arguments), in order; a game's own events are passed over.

    Raises RecordInvalid where no game could have emitted them so.
    """
    state = Replayed()
    for name, arguments in events:
        if name in _TRANSITIONS:
            needed, transition = _TRANSITIONS[name]
            if state.phase not in needed:
                raise RecordInvalid(
                    RecordReason.WRONG_PHASE, event=name, phase=state.phase.name.lower()
                )
            state = transition(state, arguments)
    return state


def _opened(state: Replayed, event: Arguments) -> Replayed:
    if not 2 <= event["seats"] <= MOST_SEATS:
        raise RecordInvalid(RecordReason.WRONG_SEATS, seats=event["seats"])
    return replace(
        state,
        phase=Phase.OPEN,
        seats=event["seats"],
        stake=event["stake"],
        parameters=event["parameters"],
        players={0: event["creator"]},
    )


def _seated(state: Replayed, event: Arguments) -> Replayed:
    seat, player = event["seat"], event["player"]
    if seat in state.players or player in state.players.values() or player == NOBODY:
        raise RecordInvalid(RecordReason.SEAT_REFUSED, seat=seat, player=player)
    players = {**state.players, seat: player}
    full = len(players) == state.seats
    return replace(state, players=players, phase=Phase.DRAWING if full else Phase.OPEN)


def _left(state: Replayed, event: Arguments) -> Replayed:
    if state.players.get(event["seat"]) != event["player"]:
        raise RecordInvalid(RecordReason.SEAT_NOT_TAKEN, seat=event["seat"], player=event["player"])
    players = {seat: who for seat, who in state.players.items() if seat != event["seat"]}
    return replace(state, players=players)


def _cancelled(state: Replayed, event: Arguments) -> Replayed:
    del event
    return replace(state, phase=Phase.CANCELLED)


def _drawn(state: Replayed, event: Arguments) -> Replayed:
    if event["seat"] != event["word"] % state.seats:
        raise RecordInvalid(RecordReason.WRONG_FIRST_SEAT)
    return replace(state, phase=Phase.PLAYING, first_seat=event["seat"])


def _ended(state: Replayed, event: Arguments) -> Replayed:
    amounts, rake = tuple(event["amounts"]), event["rake"]
    if sum(amounts) + rake != state.stake * state.seats:
        raise RecordInvalid(RecordReason.POT_NOT_PAID)
    winners = frozenset(seat for seat in range(state.seats) if event["winners"] >> seat & 1)
    outcome = Outcome(event["outcome"])
    return replace(
        state, phase=Phase.ENDED, outcome=outcome, winners=winners, amounts=amounts, rake=rake
    )


_Transition = Callable[[Replayed, Arguments], Replayed]
_TRANSITIONS: dict[str, tuple[set[Phase], _Transition]] = {
    "GameOpened": ({Phase.NONE}, _opened),
    "SeatTaken": ({Phase.OPEN}, _seated),
    "SeatLeft": ({Phase.OPEN}, _left),
    "GameCancelled": ({Phase.OPEN}, _cancelled),
    "FirstSeatDrawn": ({Phase.DRAWING}, _drawn),
    "GameEnded": ({Phase.DRAWING, Phase.PLAYING}, _ended),
}
