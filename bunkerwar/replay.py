"""A game as the public saw it, rebuilt from its events; what the rules do not allow is refused."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from eth_abi.abi import decode
from eth_abi.exceptions import DecodingError

from bunkerwar.reasons import BunkerWarReason
from bunkerwar.rules import (
    DEPTHS,
    LANES,
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
from fogbound import replay as fogbound
from fogbound.errors import RecordInvalid
from fogbound.events import Event, EventTypes
from fogbound.fold import Table
from fogbound.game import Outcome as Ending
from fogbound.game import Phase
from fogbound.reasons import Reason, TableReason
from fogbound.replay import Replayed, Rules
from fogbound.steps import STAY, End, Step, Tell
from fogbound.terms import Terms

TIE = 2


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
            found = cls(*decode(["uint8", "uint8", "bool"], data))
        except DecodingError:
            raise RecordInvalid(BunkerWarReason.PARAMETERS_MALFORMED) from None
        sized = found.lanes in LANES and found.depth in DEPTHS and len(data) == 3 * 32
        _require(sized, BunkerWarReason.PARAMETERS_MALFORMED)
        return found


@dataclass(frozen=True)
class Played:
    """One action; a build is hidden, unless the player keeps this for themselves. `stop`: of a missile."""

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
        """The state of a game that has begun."""
        if self.state is None:
            raise RecordInvalid(TableReason.WRONG_PHASE, event="a move", phase="drawing")
        return self.state


EVENTS: EventTypes = {
    "BuildingPlaced": {"id": "uint256", "seat": "uint8", "lane": "uint8", "depth": "uint8"},
    "MissileSent": {"id": "uint256", "seat": "uint8", "lane": "uint8", "stop": "bytes32"},
    "MissileResolved": {"id": "uint256", "seat": "uint8", "lane": "uint8", "stop": "uint8"},
    "CountingStarted": {"id": "uint256", "result": "bytes32"},
    "ResultSettled": {"id": "uint256", "result": "uint8"},
}


def winner_of(result: int) -> Outcome:
    """What a decrypted result says: the winning seat, or 2 for a tie. Raises RecordInvalid."""
    _require(0 <= result <= TIE, BunkerWarReason.UNKNOWN_RESULT, result=result)
    return (Outcome.FIRST, Outcome.SECOND, Outcome.TIE)[result]


def _opened(game: Replay, table: Table, _event: Event) -> tuple[Replay, Step]:
    return replace(game, parameters=Parameters.parse(table.parameters)), STAY


def _drawn(game: Replay, table: Table, _event: Event) -> tuple[Replay, Step]:
    assert game.parameters is not None, "opened before"
    size = game.parameters
    state = State.new(size.lanes, size.depth, first=table.on_turn, stacked=size.stacked)
    return replace(game, state=state), STAY


def _placed(game: Replay, table: Table, event: Event) -> tuple[Replay, Step]:
    table.require_turn(event)
    move = Build(event.arguments["lane"], event.arguments["depth"], Cell.HIDDEN)
    return _act(game, table, move, None)


def _sent(game: Replay, table: Table, event: Event) -> tuple[Replay, Step]:
    table.require_turn(event)
    missile, seat = Missile(event.arguments["lane"]), table.on_turn
    _require(game.position.armed[seat], BunkerWarReason.NOT_ARMED, missile=missile, seat=seat)
    _require(_known_stop(game, missile) is None, BunkerWarReason.STOP_KNOWN, missile=missile)
    game = _awaiting(game, event.arguments["stop"])
    return replace(game, in_flight=missile), Step(wait=True)


def _resolved(game: Replay, table: Table, event: Event) -> tuple[Replay, Step]:
    missile, stop = Missile(event.arguments["lane"]), event.arguments["stop"]
    if table.phase is Phase.WAITING:
        return _landed(game, table, event, missile)
    table.require_turn(event)
    known = _known_stop(game, missile) == stop
    _require(known, BunkerWarReason.WRONG_STOP, missile=missile, stop=stop)
    return _act(game, table, missile, stop)


def _landed(game: Replay, table: Table, event: Event, missile: Missile) -> tuple[Replay, Step]:
    in_flight, stop = game.in_flight, event.arguments["stop"]
    _require(in_flight is not None, BunkerWarReason.NOTHING_AWAITED, event=event.name)
    same = (in_flight, table.on_turn) == (missile, event.arguments["seat"])
    _require(same, BunkerWarReason.OTHER_MISSILE, missile=missile, in_flight=in_flight)
    return _act(replace(_bring(game, stop), in_flight=None), table, missile, stop)


def _counting(game: Replay, _table: Table, event: Event) -> tuple[Replay, Step]:
    return _awaiting(game, event.arguments["result"]), STAY


def _settled(game: Replay, table: Table, event: Event) -> tuple[Replay, Step]:
    table.require_phase(event, Phase.WAITING)
    _require(game.position.finished, BunkerWarReason.NOTHING_AWAITED, event=event.name)
    result = winner_of(event.arguments["result"])
    game = replace(_bring(game, event.arguments["result"]), result=result)
    if result.winner is None:
        return game, Step(due=End(Ending.DRAWN))
    return game, Step(due=End(Ending.WON, frozenset({result.winner})))


def _act(game: Replay, table: Table, move: Move, stop: int | None) -> tuple[Replay, Step]:
    state = apply(game.position, move, stop)
    game = replace(game, state=state, played=(*game.played, Played(table.on_turn, move, stop)))
    if state.finished:
        return game, Step(wait=True, due=Tell("CountingStarted"))
    return game, Step(turn=state.turn)


def _awaiting(game: Replay, handle: bytes) -> Replay:
    return replace(game, decrypted=(*game.decrypted, Decrypted("0x" + handle.hex())))


def _bring(game: Replay, value: int) -> Replay:
    """The last decryption asked for has this value."""
    brought = replace(game.decrypted[-1], value=value)
    return replace(game, decrypted=(*game.decrypted[:-1], brought))


def _known_stop(game: Replay, missile: Missile) -> int | None:
    """Where everybody knows that it stops; None where its lane hides that."""
    state = game.position
    _require(missile.lane < state.lanes, BunkerWarReason.UNKNOWN_LANE, missile=missile)
    try:
        return state.boards[1 - state.turn].stop(missile.lane)
    except HiddenInformation:
        return None


def _require(condition: bool, reason: Reason, **parameters: object) -> None:
    if not condition:
        raise RecordInvalid(reason, **parameters)


_ACTS: dict[str, Callable[[Replay, Table, Event], tuple[Replay, Step]]] = {
    "BuildingPlaced": _placed,
    "MissileSent": _sent,
    "MissileResolved": _resolved,
    "CountingStarted": _counting,
    "ResultSettled": _settled,
}

RULES = Rules(
    start=Replay(),
    seats=range(2, 3),
    events=EVENTS,
    acts=_ACTS,
    told={"GameOpened": _opened, "FirstSeatDrawn": _drawn},
    following=frozenset({"CountingStarted"}),
    errors=(RuleError,),
)


def replay(events: Iterable[Event], terms: Terms) -> Replayed[Replay]:
    """Fold one game's events. Raises RecordInvalid where no game could have emitted them so."""
    return fogbound.replay(events, RULES, terms)
