"""A game as the public saw it, rebuilt from its events; what the rules do not allow is refused."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from eth_abi.abi import decode
from eth_abi.exceptions import DecodingError

from bunkerwar.reasons import BunkerWarReason
from bunkerwar.rules import (
    Build,
    Cell,
    HiddenInformation,
    Missile,
    Move,
    Outcome,
    RuleError,
    State,
    apply,
)
from fogbound.errors import RecordInvalid
from fogbound.reasons import Reason, RecordReason

TIE = 2
Arguments = Mapping[str, Any]


@dataclass(frozen=True)
class Parameters:
    """What a game was opened with."""

    lanes: int
    depth: int
    stacked: bool

    @classmethod
    def parse(cls, data: bytes) -> "Parameters":
        """From the event GameOpened. Raises RecordInvalid."""
        try:
            return cls(*decode(["uint8", "uint8", "bool"], data))
        except DecodingError as error:
            raise RecordInvalid(BunkerWarReason.PARAMETERS_MALFORMED, detail=error) from None


@dataclass(frozen=True)
class Played:
    """One action; a build is hidden, unless the player himself keeps this. `stop`: of a missile."""

    seat: int
    move: Move
    stop: int | None = None

    def to_json(self) -> list[str | int]:
        """[seat, text], and where a missile stopped."""
        stop = [] if self.stop is None else [self.stop]
        return [str(self.seat), str(self.move), *stop]


@dataclass(frozen=True)
class Decrypted:
    """A handle (0x…) that was made publicly decryptable, and its value once it was brought."""

    handle: str
    value: int | None = None


@dataclass(frozen=True)
class Replay:
    """The public's view (`state`, None before the first seat is drawn) and how it came to be.

    `decrypted`: in order, the stops of missiles that flew at hidden lanes, then the result.
    """

    parameters: Parameters | None = None
    state: State | None = None
    played: tuple[Played, ...] = ()
    in_flight: Missile | None = None
    decrypted: tuple[Decrypted, ...] = ()
    result: Outcome | None = None

    @property
    def position(self) -> State:
        """The state of a game that has begun. Raises RecordInvalid."""
        if self.state is None:
            raise RecordInvalid(RecordReason.FIRST_SEAT_NOT_DRAWN)
        return self.state


def replay(events: Iterable[tuple[str, Arguments]]) -> Replay:
    """Fold one game's events (name, arguments), in order; the table's other events are passed over.

    Raises RecordInvalid where no game could have emitted them so.
    """
    game = Replay()
    for name, arguments in events:
        if name in _TRANSITIONS:
            try:
                game = _TRANSITIONS[name](game, arguments)
            except (RuleError, ValueError, KeyError, TypeError) as error:
                raise RecordInvalid(
                    RecordReason.RULES_BROKEN, event=name, error=type(error).__name__, detail=error
                ) from None
    return game


def winner_of(result: int) -> Outcome:
    """What a decrypted result says: the winning seat, or 2 for a tie. Raises RecordInvalid."""
    if not 0 <= result <= TIE:
        raise RecordInvalid(BunkerWarReason.UNKNOWN_RESULT, result=result)
    return (Outcome.FIRST, Outcome.SECOND, Outcome.TIE)[result]


def _opened(game: Replay, event: Arguments) -> Replay:
    return replace(game, parameters=Parameters.parse(event["parameters"]))


def _drawn(game: Replay, event: Arguments) -> Replay:
    if game.parameters is None:
        raise RecordInvalid(BunkerWarReason.NOT_OPENED)
    size = game.parameters
    state = State.new(size.lanes, size.depth, first=event["seat"], stacked=size.stacked)
    return replace(game, state=state)


def _placed(game: Replay, event: Arguments) -> Replay:
    _require(game.in_flight is None, BunkerWarReason.BUILT_IN_FLIGHT)
    move = Build(event["lane"], event["depth"], Cell.HIDDEN)
    return _act(game, event["seat"], move, None)


def _sent(game: Replay, event: Arguments) -> Replay:
    _require(game.in_flight is None, BunkerWarReason.SENT_IN_FLIGHT)
    missile = Missile(event["lane"])
    _require(_known_stop(game, missile) is None, BunkerWarReason.STOP_KNOWN, missile=missile)
    awaited = Decrypted("0x" + bytes(event["stop"]).hex())
    return replace(game, in_flight=missile, decrypted=(*game.decrypted, awaited))


def _resolved(game: Replay, event: Arguments) -> Replay:
    missile, stop = Missile(event["lane"]), event["stop"]
    if game.in_flight is None:
        _require(
            _known_stop(game, missile) == stop,
            BunkerWarReason.WRONG_STOP,
            missile=missile,
            stop=stop,
        )
        return _act(game, event["seat"], missile, stop)
    _require(
        game.in_flight == missile,
        BunkerWarReason.OTHER_MISSILE,
        missile=missile,
        in_flight=game.in_flight,
    )
    return replace(_act(_bring(game, stop), event["seat"], missile, stop), in_flight=None)


def _counting(game: Replay, event: Arguments) -> Replay:
    _require(game.position.finished, BunkerWarReason.COUNTED_EARLY)
    awaited = Decrypted("0x" + bytes(event["result"]).hex())
    return replace(game, decrypted=(*game.decrypted, awaited))


def _settled(game: Replay, event: Arguments) -> Replay:
    _require(game.position.finished, BunkerWarReason.SETTLED_EARLY)
    return replace(_bring(game, event["result"]), result=winner_of(event["result"]))


def _act(game: Replay, seat: int, move: Move, stop: int | None) -> Replay:
    _require(game.position.turn == seat, BunkerWarReason.NOT_ON_TURN, move=move, seat=seat)
    state = apply(game.position, move, stop)
    return replace(game, state=state, played=(*game.played, Played(seat, move, stop)))


def _bring(game: Replay, value: int) -> Replay:
    """The last decryption asked for has this value."""
    _require(
        bool(game.decrypted) and game.decrypted[-1].value is None, BunkerWarReason.NOTHING_AWAITED
    )
    brought = replace(game.decrypted[-1], value=value)
    return replace(game, decrypted=(*game.decrypted[:-1], brought))


def _known_stop(game: Replay, missile: Missile) -> int | None:
    """Where everybody knows that it stops; None where its lane hides that."""
    state = game.position
    _require(0 <= missile.lane < state.lanes, BunkerWarReason.UNKNOWN_LANE, missile=missile)
    try:
        return state.boards[1 - state.turn].stop(missile.lane)
    except HiddenInformation:
        return None


def _require(condition: bool, reason: Reason, **parameters: object) -> None:
    if not condition:
        raise RecordInvalid(reason, **parameters)


_TRANSITIONS: dict[str, Callable[[Replay, Arguments], Replay]] = {
    "GameOpened": _opened,
    "FirstSeatDrawn": _drawn,
    "BuildingPlaced": _placed,
    "MissileSent": _sent,
    "MissileResolved": _resolved,
    "CountingStarted": _counting,
    "ResultSettled": _settled,
}
