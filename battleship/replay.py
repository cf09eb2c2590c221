"""What a game's events say of it, checked against the rules: the public position and the proving."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from battleship.errors import BattleshipError
from battleship.fleets import SIZES, Kind
from battleship.reasons import BattleshipReason
from battleship.rules import Answer, Attack, Outcome, Proof, Shot, State, apply, judge
from fogbound import replay as fogbound
from fogbound.errors import RecordInvalid
from fogbound.events import Event, EventTypes
from fogbound.fold import Table
from fogbound.game import Outcome as Ending
from fogbound.game import Phase
from fogbound.reasons import Reason, TableReason
from fogbound.replay import Replayed, Rules
from fogbound.steps import STAY, Ask, End, Step, Tell, won_by
from fogbound.terms import Terms

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
    `openings`: (seat, cell, hit) of each answer in order, hit None for a false one; `answered_in`: the
    transaction of the newest.
    `beneficiary`: who gains from how the shooting ended; `cheater`: who opened falsely.
    """

    size: int = 0
    state: State | None = None
    committed: Mapping[int, Committed] = field(default_factory=dict)
    target: int | None = None
    fired: tuple[Fired, ...] = ()
    openings: tuple[tuple[int, int, bool | None], ...] = ()
    answered_in: str = ""
    players: Mapping[int, str] = field(default_factory=dict)
    how: Ending = Ending.NONE
    beneficiary: int | None = None
    cheater: int | None = None
    asked: tuple[int, ...] = ()
    missed: tuple[int, ...] = ()
    revealed: Mapping[int, Revealed] = field(default_factory=dict)
    result: tuple[Outcome, int | None] | None = None

    @property
    def due(self) -> tuple[int, int] | None:
        """Who owes an answer, and for which cell of their board."""
        if self.state is None or self.target is None or self.beneficiary is not None:
            return None
        return (1 - self.state.turn, self.target)

    @property
    def position(self) -> State:
        """The public position of a game that has begun."""
        if self.state is None:
            raise RecordInvalid(TableReason.WRONG_PHASE, event="a shot", phase="drawing")
        return self.state


EVENTS: EventTypes = {
    "BoardCommitted": {
        "id": "uint256",
        "seat": "uint8",
        "nonce": "uint256",
        "root": "bytes32",
        "sealedPlacement": "bytes32",
    },
    "ShotFired": {"id": "uint256", "seat": "uint8", "cell": "uint256"},
    "ShotAnswered": {
        "id": "uint256",
        "seat": "uint8",
        "cell": "uint256",
        "hit": "bool",
        "sunk": "uint8",
    },
    "OpeningFalse": {"id": "uint256", "seat": "uint8", "cell": "uint256"},
    "BoardRevealed": {
        "id": "uint256",
        "seat": "uint8",
        "placement": "bytes16",
        "seed": "bytes32",
        "honest": "bool",
    },
}


def size_of(parameters: bytes) -> int:
    """Columns, and rows, of the boards of a game that was opened with these parameters."""
    return int.from_bytes(parameters)


def _opened(game: Replay, table: Table, event: Event) -> tuple[Replay, Step]:
    size = size_of(table.parameters)
    known = len(table.parameters) == WORD and size in SIZES
    _require(known, BattleshipReason.NOT_BATTLESHIP)
    players = {0: event.arguments["creator"]}
    return replace(game, size=size, players=players), Step(due=Tell("BoardCommitted", 0))


def _seated(game: Replay, _table: Table, event: Event) -> tuple[Replay, Step]:
    seat, player = event.arguments["seat"], event.arguments["player"]
    game = replace(game, players={**game.players, seat: player})
    return game, Step(due=Tell("BoardCommitted", seat))


def _committed(game: Replay, _table: Table, event: Event) -> tuple[Replay, Step]:
    given = event.arguments
    made = Committed(given["nonce"], given["root"], given["sealedPlacement"])
    return replace(game, committed={**game.committed, given["seat"]: made}), STAY


def _drawn(game: Replay, table: Table, _event: Event) -> tuple[Replay, Step]:
    return replace(game, state=State.new(game.size, first=table.on_turn)), STAY


def _shot(game: Replay, table: Table, event: Event) -> tuple[Replay, Step]:
    table.require_turn(event)
    seat, cell = table.on_turn, event.arguments["cell"]
    _require(game.target is None, BattleshipReason.ANSWER_DUE, seat=seat)
    attack = Attack.at(game.size, cell)
    apply(
        game.position, attack, Answer(hit=False)
    )  # refuses a cell that is none, or shot at before
    joined = game.answered_in == event.transaction
    return replace(game, target=cell), Step(turn=1 - seat, joined=joined)


def _answered(game: Replay, table: Table, event: Event) -> tuple[Replay, Step]:
    _require_due(game, table, event)
    seat, cell, hit, sunk = (event.arguments[name] for name in ("seat", "cell", "hit", "sunk"))
    answer = Answer(hit, Kind(sunk) if sunk else None)
    fired = Fired(game.position.turn, Shot(cell, answer))
    game = replace(
        game,
        state=apply(game.position, Attack.at(game.size, cell), answer),
        target=None,
        fired=(*game.fired, fired),
        openings=(*game.openings, (seat, cell, hit)),
        answered_in=event.transaction,
    )
    if game.position.winner is None:
        return game, Step(turn=seat)
    return _shooting_over(game, game.position.winner, Ending.WON)


def _opened_falsely(game: Replay, table: Table, event: Event) -> tuple[Replay, Step]:
    _require_due(game, table, event)
    seat = event.arguments["seat"]
    openings = (*game.openings, (seat, event.arguments["cell"], None))
    game = replace(game, target=None, openings=openings, cheater=seat)
    return _shooting_over(game, 1 - seat, Ending.WON)


def _resigned(game: Replay, _table: Table, event: Event) -> tuple[Replay, Step]:
    return _shooting_over(game, 1 - event.arguments["seat"], Ending.RESIGNED)


def _timed_out(game: Replay, _table: Table, event: Event) -> tuple[Replay, Step]:
    return _shooting_over(game, 1 - event.arguments["seat"], Ending.TIMED_OUT)


def _shooting_over(game: Replay, beneficiary: int, how: Ending) -> tuple[Replay, Step]:
    return replace(game, beneficiary=beneficiary, how=how), Step(due=Ask(beneficiary))


def _asked(game: Replay, _table: Table, event: Event) -> tuple[Replay, Step]:
    return replace(game, asked=(*game.asked, event.arguments["seat"])), STAY


def _missed(game: Replay, _table: Table, event: Event) -> tuple[Replay, Step]:
    seat = event.arguments["seat"]
    return _failed(replace(game, missed=(*game.missed, seat)), seat)


def _revealed(game: Replay, table: Table, event: Event) -> tuple[Replay, Step]:
    given = event.arguments
    seat = given["seat"]
    _require(seat not in game.revealed, BattleshipReason.REVEALED_TWICE, seat=seat)
    late = table.phase is Phase.ENDED
    if late:
        _require_in_time(game, table, event)
    else:
        _require(table.owes(seat), BattleshipReason.NO_BOARD_TO_PROVE, seat=seat)
    shown = Revealed(given["placement"], given["seed"], given["honest"])
    game = replace(game, revealed={**game.revealed, seat: shown})
    if late:
        return game, STAY
    game, step = _proven(game, seat) if shown.honest else _failed(game, seat)
    return game, replace(step, proved=seat)


def _require_in_time(game: Replay, table: Table, event: Event) -> None:
    """The loser of a fair game may still show their board."""
    fair = game.result is not None and game.result[0] is Outcome.FAIR
    in_time = fair and event.time <= table.deadline
    _require(in_time, BattleshipReason.REVEALED_LATE, seat=event.arguments["seat"])


def _proven(game: Replay, seat: int) -> tuple[Replay, Step]:
    if seat == game.beneficiary:
        return game, Step(due=End(game.how, frozenset({seat}), late_proof=True))
    return game, won_by(Ending.WON, {seat})


def _failed(game: Replay, seat: int) -> tuple[Replay, Step]:
    """The other is asked, unless that was just the one, or they are out since they opened falsely."""
    if seat == game.beneficiary and game.cheater is None:
        return game, Step(due=Ask(1 - seat))
    return game, Step(due=End(Ending.NULL))


def _ended(game: Replay, _table: Table, _event: Event) -> tuple[Replay, Step]:
    if game.beneficiary is None:
        return game, STAY
    proofs = [_proof(game, 0), _proof(game, 1)]
    return replace(game, result=judge(game.beneficiary, proofs, game.cheater)), STAY


def _proof(game: Replay, seat: int) -> Proof:
    if seat not in game.revealed:
        return Proof.SILENT
    return Proof.HONEST if game.revealed[seat].honest else Proof.DISHONEST


def _require_due(game: Replay, table: Table, event: Event) -> None:
    table.require_turn(event)
    due = game.target is not None and event.arguments["cell"] == game.target
    _require(due, BattleshipReason.NOTHING_TO_ANSWER, seat=table.on_turn)


def _require(condition: bool, reason: Reason, **parameters: object) -> None:
    if not condition:
        raise RecordInvalid(reason, **parameters)


Transition = Callable[[Replay, Table, Event], tuple[Replay, Step]]
_TOLD: dict[str, Transition] = {
    "GameOpened": _opened,
    "SeatTaken": _seated,
    "FirstSeatDrawn": _drawn,
    "Resigned": _resigned,
    "TimedOut": _timed_out,
    "ProofAsked": _asked,
    "ProofMissed": _missed,
    "GameEnded": _ended,
}
_ACTS: dict[str, Transition] = {
    "BoardCommitted": _committed,
    "ShotFired": _shot,
    "ShotAnswered": _answered,
    "OpeningFalse": _opened_falsely,
    "BoardRevealed": _revealed,
}

RULES = Rules(
    start=Replay(),
    seats=range(2, 3),
    events=EVENTS,
    acts=_ACTS,
    told=_TOLD,
    following=frozenset({"BoardCommitted"}),
    errors=(BattleshipError, ValueError),
)


def replay(events: Iterable[Event], terms: Terms) -> Replayed[Replay]:
    """Fold one game's events. Raises RecordInvalid where no game could have emitted them so."""
    return fogbound.replay(events, RULES, terms)
