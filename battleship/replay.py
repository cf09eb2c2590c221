"""What a game's events say of it, checked against the rules: the public position and the proving."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from battleship.errors import BattleshipError
from battleship.fleets import Kind
from battleship.reasons import BattleshipReason
from battleship.rules import SEATS, Answer, Attack, Outcome, Proof, Shot, State, apply, judge
from fogbound.errors import RecordInvalid
from fogbound.game import Outcome as Ending
from fogbound.reasons import RecordReason

Arguments = Mapping[str, Any]
WORD = 32


@dataclass(frozen=True)
class Committed:
    """The event BoardCommitted: what one seat published."""

    nonce: int
    root: bytes
    sealed: bytes


@dataclass(frozen=True)
class Revealed:
    """The event BoardRevealed."""

    placement: bytes
    seed: bytes
    honest: bool


@dataclass(frozen=True)
class Fired:
    """A shot of `seat` that was answered."""

    seat: int
    shot: Shot


@dataclass(frozen=True)
class Replay:
    """A game as everybody saw it.

    `state`: None before the first seat is drawn; `target`: the cell whose answer is due;
    `openings`: (seat, cell, hit) of each answer in order, hit None for a false one; `offers`: who offers
    a draw in this position.
    `beneficiary`: who gains from how the shooting ended; `cheater`: who opened falsely.
    """

    size: int = 0
    state: State | None = None
    committed: Mapping[int, Committed] = field(default_factory=dict)
    target: int | None = None
    fired: tuple[Fired, ...] = ()
    openings: tuple[tuple[int, int, bool | None], ...] = ()
    players: Mapping[int, str] = field(default_factory=dict)
    how: Ending = Ending.NONE
    offers: frozenset[int] = frozenset()
    beneficiary: int | None = None
    cheater: int | None = None
    asked: tuple[int, ...] = ()
    missed: tuple[int, ...] = ()
    revealed: Mapping[int, Revealed] = field(default_factory=dict)
    ending: Ending = Ending.NONE
    winners: int = 0
    result: tuple[Outcome, int | None] | None = None

    @property
    def due(self) -> tuple[int, int] | None:
        """Who owes an answer, and for which cell of his board."""
        if self.state is None or self.target is None or self.beneficiary is not None:
            return None
        return (1 - self.state.turn, self.target)

    @property
    def position(self) -> State:
        """The public position. Raises RecordInvalid before the first seat is drawn."""
        if self.state is None:
            raise RecordInvalid(RecordReason.FIRST_SEAT_NOT_DRAWN)
        return self.state


def size_of(parameters: bytes) -> int:
    """Columns, and rows, of the boards of a game that was opened with these parameters."""
    return int.from_bytes(parameters)


def replay(events: Iterable[tuple[str, Arguments]], game: Replay | None = None) -> Replay:
    """Fold one game's events (name, arguments), in order, onto `game` (default: nothing seen yet).

    The table's own checks are in fogbound. Raises RecordInvalid where no game could have emitted
    them so.
    """
    game = game or Replay()
    for name, arguments in events:
        if name in _TRANSITIONS:
            try:
                game = _TRANSITIONS[name](game, arguments)
            except (BattleshipError, ValueError) as error:
                raise RecordInvalid(
                    RecordReason.RULES_BROKEN, event=name, error=type(error).__name__, detail=error
                ) from None
    return game


def _opened(game: Replay, event: Arguments) -> Replay:
    parameters = event["parameters"]
    if event["seats"] != len(SEATS) or len(parameters) != WORD:
        raise RecordInvalid(BattleshipReason.NOT_BATTLESHIP)
    return replace(game, size=size_of(parameters), players={0: event["creator"]})


def _seated(game: Replay, event: Arguments) -> Replay:
    if event["seat"] not in SEATS:
        raise RecordInvalid(BattleshipReason.UNKNOWN_SEAT, seat=event["seat"])
    return replace(game, players={**game.players, event["seat"]: event["player"]})


def _committed(game: Replay, event: Arguments) -> Replay:
    if event["seat"] in game.committed:
        raise RecordInvalid(BattleshipReason.COMMITTED_TWICE, seat=event["seat"])
    made = Committed(event["nonce"], event["root"], event["sealedPlacement"])
    return replace(game, committed={**game.committed, event["seat"]: made})


def _drawn(game: Replay, event: Arguments) -> Replay:
    if len(game.committed) != 2:
        raise RecordInvalid(BattleshipReason.COMMITMENT_MISSING)
    return replace(game, state=State.new(game.size, first=event["seat"]))


def _shot(game: Replay, event: Arguments) -> Replay:
    _require_shooting(game)
    state, seat, cell = game.position, event["seat"], event["cell"]
    if seat != state.turn or game.target is not None:
        raise RecordInvalid(BattleshipReason.FIRED_OUT_OF_TURN, seat=seat)
    attack = Attack.at(game.size, cell)
    apply(state, attack, Answer(hit=False))  # refuses a cell that is none, or shot at before
    return replace(game, target=cell, offers=frozenset())


def _answered(game: Replay, event: Arguments) -> Replay:
    _require_due(game, event)
    state, cell = game.position, event["cell"]
    answer = Answer(event["hit"], Kind(event["sunk"]) if event["sunk"] else None)
    after = apply(state, Attack.at(game.size, cell), answer)
    game = replace(
        game,
        state=after,
        target=None,
        offers=frozenset(),
        fired=(*game.fired, Fired(state.turn, Shot(cell, answer))),
        openings=(*game.openings, (event["seat"], cell, event["hit"])),
    )
    return game if after.winner is None else _won(game, after.winner, Ending.WON)


def _opened_falsely(game: Replay, event: Arguments) -> Replay:
    _require_due(game, event)
    seat = event["seat"]
    openings = (*game.openings, (seat, event["cell"], None))
    game = replace(game, target=None, openings=openings, cheater=seat)
    return _won(game, 1 - seat, Ending.WON)


def _draw_offered(game: Replay, event: Arguments) -> Replay:
    _require_shooting(game)
    return replace(game, offers=game.offers | {event["seat"]})


def _resigned(game: Replay, event: Arguments) -> Replay:
    return _won(game, 1 - event["seat"], Ending.RESIGNED)


def _timed_out(game: Replay, event: Arguments) -> Replay:
    on_turn = game.position.turn if game.target is None else 1 - game.position.turn
    if event["seat"] != on_turn:
        raise RecordInvalid(BattleshipReason.NOT_ON_TIME, seat=event["seat"])
    return _won(game, 1 - event["seat"], Ending.TIMED_OUT)


def _won(game: Replay, beneficiary: int, how: Ending) -> Replay:
    _require_shooting(game)
    if beneficiary not in SEATS:
        raise RecordInvalid(BattleshipReason.UNKNOWN_SEAT, seat=1 - beneficiary)
    return replace(game, beneficiary=beneficiary, how=how)


def _asked(game: Replay, event: Arguments) -> Replay:
    seat = event["seat"]
    if game.beneficiary is None or seat in game.asked or seat != _next_asked(game):
        raise RecordInvalid(BattleshipReason.NOTHING_TO_PROVE, seat=seat)
    return replace(game, asked=(*game.asked, seat))


def _next_asked(game: Replay) -> int | None:
    """The beneficiary; once he has failed, the other, unless that one is out."""
    assert game.beneficiary is not None, "checked before"
    if not game.asked:
        return game.beneficiary
    failed = _proof(game, game.beneficiary) is not Proof.HONEST and _has_answered(
        game, game.beneficiary
    )
    return 1 - game.beneficiary if failed and game.cheater is None else None


def _has_answered(game: Replay, seat: int) -> bool:
    return seat in game.missed or seat in game.revealed


def _missed(game: Replay, event: Arguments) -> Replay:
    seat = event["seat"]
    if seat not in game.asked or _has_answered(game, seat):
        raise RecordInvalid(BattleshipReason.NO_PROOF_OWED, seat=seat)
    return replace(game, missed=(*game.missed, seat))


def _revealed(game: Replay, event: Arguments) -> Replay:
    seat = event["seat"]
    late = game.result is not None and game.result[0] is Outcome.FAIR
    if _has_answered(game, seat) or not (late or seat in game.asked):
        raise RecordInvalid(BattleshipReason.NO_BOARD_TO_PROVE, seat=seat)
    shown = Revealed(event["placement"], event["seed"], event["honest"])
    return replace(game, revealed={**game.revealed, seat: shown})


def _ended(game: Replay, event: Arguments) -> Replay:
    ending = Ending(event["outcome"])
    game = replace(game, ending=ending, winners=event["winners"])
    if ending is Ending.DRAWN and game.beneficiary is None:
        if game.offers != set(SEATS):
            raise RecordInvalid(BattleshipReason.DRAW_NOT_OFFERED)
        return game
    if game.beneficiary is None or not all(_has_answered(game, seat) for seat in game.asked):
        raise RecordInvalid(BattleshipReason.PAID_BEFORE_PROOF)
    outcome, winner = judge(game.beneficiary, [_proof(game, 0), _proof(game, 1)], game.cheater)
    expected = {Outcome.FAIR: game.how, Outcome.NULL: Ending.NULL}.get(outcome, Ending.WON)
    mask = 0 if winner is None else 1 << winner
    if (ending, event["winners"]) != (expected, mask):
        raise RecordInvalid(BattleshipReason.WRONG_ENDING)
    return replace(game, result=(outcome, winner))


def _proof(game: Replay, seat: int) -> Proof:
    if seat not in game.revealed:
        return Proof.SILENT
    return Proof.HONEST if game.revealed[seat].honest else Proof.DISHONEST


def _require_shooting(game: Replay) -> None:
    if game.beneficiary is not None or game.ending is not Ending.NONE:
        raise RecordInvalid(BattleshipReason.SHOOTING_OVER)


def _require_due(game: Replay, event: Arguments) -> None:
    _require_shooting(game)
    if (event["seat"], event["cell"]) != (1 - game.position.turn, game.target):
        raise RecordInvalid(BattleshipReason.NOTHING_TO_ANSWER, seat=event["seat"])


_TRANSITIONS: dict[str, Callable[[Replay, Arguments], Replay]] = {
    "GameOpened": _opened,
    "SeatTaken": _seated,
    "BoardCommitted": _committed,
    "FirstSeatDrawn": _drawn,
    "ShotFired": _shot,
    "ShotAnswered": _answered,
    "OpeningFalse": _opened_falsely,
    "DrawOffered": _draw_offered,
    "Resigned": _resigned,
    "TimedOut": _timed_out,
    "ProofAsked": _asked,
    "ProofMissed": _missed,
    "BoardRevealed": _revealed,
    "GameEnded": _ended,
}
