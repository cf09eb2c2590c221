"""The table's state as a fold of its events: what ITable's views say, and nothing that it cannot have told.

Each transition here is one of contracts/table; a game plugs its own in (see replay.py). Times are seconds
since 1970, durations seconds, draws' targets block numbers, money wei.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from fogbound.errors import RecordInvalid
from fogbound.events import Event, EventTypes
from fogbound.game import NOBODY, Outcome, Phase
from fogbound.reasons import Reason, TableReason
from fogbound.steps import Due, End, Step
from fogbound.terms import Terms

MOST_SEATS = 4
DRAW_DELAY = 2  # blocks
OUT_OF_REACH = 256  # blocks; on some chains a hash is known longer
LARGEST_STAKE = 2**96 - 1


@dataclass(frozen=True)
class ProofClock:
    """The last second for a seat's proof, and whether it is still owed."""

    deadline: int
    owed: bool = True


@dataclass(frozen=True)
class Table:
    """One game's table: ITable.Turn and seatsOf, and what its end paid. Lists are by seat.

    `doubtful`: by how much `move_number` may be higher, where a contract made two moves in one
    transaction that look like one. `due`: what must come next, in the same transaction. `unpaid`: payments
    (account, wei) that this transaction makes, each of which may be credited instead.
    """

    id: int = 0
    phase: Phase = Phase.NONE
    outcome: Outcome = Outcome.NONE
    seats: int = 0
    control: int = 0
    stake: int = 0
    parameters: bytes = b""
    players: tuple[str | None, ...] = ()
    invited: str | None = None
    first_seat: int | None = None
    on_turn: int = 0
    consents: frozenset[int] = frozenset()
    keep_alives: tuple[int, ...] = ()
    winners: frozenset[int] = frozenset()
    void_announced: bool = False
    move_number: int = 0
    doubtful: int = 0
    deadline: int = 0
    mark: int = 0
    proofs: tuple[ProofClock | None, ...] = ()
    amounts: tuple[int, ...] = ()
    rake: int = 0
    credits: tuple[tuple[str, int], ...] = ()
    due: Due | None = None
    unpaid: tuple[tuple[str, int], ...] = ()

    @property
    def taken(self) -> frozenset[int]:
        """The seats that somebody sits on."""
        return frozenset(seat for seat, player in enumerate(self.players) if player is not None)

    def others(self, seat: int) -> frozenset[int]:
        """The taken seats but this one."""
        return self.taken - {seat}

    def require_turn(self, event: Event) -> None:
        """Raise RecordInvalid unless it is a move of the seat on turn."""
        self.require_phase(event, Phase.PLAYING)
        seat = event.arguments["seat"]
        _require(seat == self.on_turn, TableReason.NOT_ON_TURN, event=event.name, seat=seat)

    def require_phase(self, event: Event, *phases: Phase) -> None:
        """Raise RecordInvalid unless the table is in one of these phases."""
        found = self.phase.name.lower()
        _require(self.phase in phases, TableReason.WRONG_PHASE, event=event.name, phase=found)

    def owes(self, seat: int) -> bool:
        """Whether a seat still owes a proof."""
        clock = self.proofs[seat] if seat < len(self.proofs) else None
        return clock is not None and clock.owed


def take(table: Table, step: Step, time: int, terms: Terms) -> Table:
    """The table after a step of its game at `time`."""
    if step.turn is not None:
        table = _reach(_new_position(table, step.joined), time + terms.controls[table.control].move)
        table = replace(table, phase=Phase.PLAYING, on_turn=step.turn, void_announced=False)
    if step.wait:
        table = _new_position(table, step.joined)
        table = replace(table, phase=Phase.WAITING, mark=time, void_announced=False)
    if step.proved is not None:
        table = _close_proof(table, step.proved)
    return table if step.due is None else replace(table, due=step.due)


def _new_position(table: Table, joined: bool) -> Table:
    if joined:
        table = replace(table, doubtful=table.doubtful + 1)
    else:
        table = replace(table, move_number=table.move_number + 1)
    return replace(table, consents=frozenset())


def _reach(table: Table, deadline: int) -> Table:
    return replace(table, deadline=max(table.deadline, deadline))


def _close_proof(table: Table, seat: int) -> Table:
    _require(table.owes(seat), TableReason.PROOF_NOT_OWED, seat=seat)
    return _with_proof(table, seat, owed=False)


def _with_proof(table: Table, seat: int, deadline: int = 0, *, owed: bool) -> Table:
    known = table.proofs[seat]
    clock = ProofClock(known.deadline if known else deadline, owed)
    return replace(table, proofs=(*table.proofs[:seat], clock, *table.proofs[seat + 1 :]))


# ── before the game ──


def _opened(table: Table, event: Event, terms: Terms) -> Table:
    given = event.arguments
    seats, control, creator = given["seats"], given["control"], given["creator"]
    opponent = None if given["opponent"] == NOBODY else given["opponent"]
    _require(2 <= seats <= MOST_SEATS, TableReason.WRONG_SEATS, seats=seats)
    _require(control < len(terms.controls), TableReason.CONTROL_UNKNOWN, control=control)
    _require(given["stake"] <= LARGEST_STAKE, TableReason.STAKE_TOO_LARGE, stake=given["stake"])
    welcome = opponent is None or (seats == 2 and opponent != creator)
    _require(welcome, TableReason.OPPONENT_REFUSED, opponent=opponent)
    return replace(
        table,
        id=given["id"],
        phase=Phase.OPEN,
        seats=seats,
        control=control,
        stake=given["stake"],
        parameters=given["parameters"],
        players=(creator, *(None,) * (seats - 1)),
        invited=opponent,
        keep_alives=(0,) * seats,
        proofs=(None,) * seats,
    )


def _seated(table: Table, event: Event, terms: Terms) -> Table:
    del terms
    seat, player, target = (event.arguments[name] for name in ("seat", "player", "target"))
    free = table.players.index(None)
    welcome = player not in table.players and table.invited in (None, player)
    _require(seat == free and welcome, TableReason.SEAT_REFUSED, seat=seat, player=player)
    players = (*table.players[:seat], player, *table.players[seat + 1 :])
    full = None not in players
    expected = event.block + DRAW_DELAY if full else 0
    _require(target == expected, TableReason.WRONG_TARGET, target=target, expected=expected)
    phase = Phase.DRAWING if full else Phase.OPEN
    return replace(table, players=players, phase=phase, mark=target, invited=None)


def _left(table: Table, event: Event, terms: Terms) -> Table:
    del terms
    seat, player = event.arguments["seat"], event.arguments["player"]
    sits = seat < table.seats and table.players[seat] == player
    _require(sits and len(table.taken) > 1, TableReason.SEAT_NOT_TAKEN, seat=seat, player=player)
    players = (*table.players[:seat], None, *table.players[seat + 1 :])
    return replace(table, players=players, unpaid=_payments([(player, table.stake)]))


def _cancelled(table: Table, event: Event, terms: Terms) -> Table:
    del event, terms
    _require(0 in table.taken or len(table.taken) == 1, TableReason.CANCEL_REFUSED)
    stakes = [(player, table.stake) for player in table.players if player is not None]
    return replace(table, phase=Phase.CANCELLED, unpaid=_payments(stakes))


def _drawn(table: Table, event: Event, terms: Terms) -> Table:
    seat, deadline = event.arguments["seat"], event.arguments["deadline"]
    _require(event.block > table.mark, TableReason.DRAW_NOT_YET, target=table.mark)
    _require(seat == event.arguments["word"] % table.seats, TableReason.WRONG_FIRST_SEAT)
    _require_deadline(event, deadline, event.time + terms.controls[table.control].move)
    return replace(table, phase=Phase.PLAYING, first_seat=seat, on_turn=seat, deadline=deadline)


def _rescheduled(table: Table, event: Event, terms: Terms) -> Table:
    del terms
    target, expected = event.arguments["target"], event.block + DRAW_DELAY
    missed = event.block > table.mark + OUT_OF_REACH
    _require(missed, TableReason.DRAW_NOT_MISSED, target=table.mark)
    _require(target == expected, TableReason.WRONG_TARGET, target=target, expected=expected)
    return replace(table, mark=target)


# ── during the game ──


def _extended(table: Table, event: Event, terms: Terms) -> Table:
    table.require_turn(event)
    seat, control = table.on_turn, terms.controls[table.control]
    used = table.keep_alives[seat]
    _require(used < control.keep_alives, TableReason.NO_KEEP_ALIVE, seat=seat)
    deadline = max(table.deadline, event.time) + control.move
    _require_deadline(event, event.arguments["deadline"], deadline)
    keep_alives = (*table.keep_alives[:seat], used + 1, *table.keep_alives[seat + 1 :])
    return replace(table, keep_alives=keep_alives, deadline=deadline)


def _offered(table: Table, event: Event, terms: Terms) -> Table:
    del terms
    seat, number = _seat(table, event), event.arguments["moveNumber"]
    current = range(table.move_number, table.move_number + table.doubtful + 1)
    _require(number in current, TableReason.STALE_OFFER, given=number, current=table.move_number)
    _require(seat not in table.consents, TableReason.OFFERED_TWICE, seat=seat)
    consents = table.consents | {seat}
    due = End(Outcome.DRAWN) if consents == table.taken else None
    return replace(table, consents=consents, move_number=number, doubtful=0, due=due)


def _resigned(table: Table, event: Event, terms: Terms) -> Table:
    del terms
    seat = _seat(table, event)
    return replace(table, due=End(Outcome.RESIGNED, table.others(seat)))


def _timed_out(table: Table, event: Event, terms: Terms) -> Table:
    del terms
    table.require_turn(event)
    _require_passed(event, table.deadline)
    return replace(table, due=End(Outcome.TIMED_OUT, table.others(table.on_turn)))


# ── proving, waiting ──


def _asked(table: Table, event: Event, terms: Terms) -> Table:
    seat = _seat(table, event)
    _require(table.proofs[seat] is None, TableReason.PROOF_ASKED_TWICE, seat=seat)
    deadline = event.time + terms.clocks.proof
    _require_deadline(event, event.arguments["deadline"], deadline)
    table = _with_proof(table, seat, deadline, owed=True)
    return _reach(replace(table, phase=Phase.PROVING), deadline)


def _missed(table: Table, event: Event, terms: Terms) -> Table:
    del terms
    seat = _seat(table, event)
    table = _close_proof(table, seat)
    clock = table.proofs[seat]
    _require_passed(event, clock.deadline if clock else 0)
    return replace(table, due=End(Outcome.NULL))


def _announced(table: Table, event: Event, terms: Terms) -> Table:
    _require(not table.void_announced, TableReason.VOID_ANNOUNCED_TWICE)
    _require_from(event, table.mark + terms.clocks.wait)
    _require_deadline(event, event.arguments["voidTime"], event.time + terms.clocks.notice)
    return replace(table, void_announced=True, mark=event.time)


def _voided(table: Table, event: Event, terms: Terms) -> Table:
    _require(table.void_announced, TableReason.VOID_NOT_ANNOUNCED)
    _require_from(event, table.mark + terms.clocks.notice)
    return replace(table, due=End(Outcome.VOIDED))


# ── the end ──


def _ended(table: Table, end: End, event: Event, terms: Terms) -> Table:
    given = event.arguments
    names = {outcome.value: outcome.name.lower() for outcome in Outcome}
    found = names.get(given["outcome"], str(given["outcome"]))
    expected = names[end.outcome]
    _require(found == expected, TableReason.WRONG_ENDING, given=found, expected=expected)
    mask = sum(1 << seat for seat in end.winners)
    _require(given["winners"] == mask, TableReason.WRONG_WINNERS)
    amounts, pot = tuple(given["amounts"]), table.stake * table.seats
    _require(amounts == end.pays(table.stake, table.seats), TableReason.WRONG_PAYMENT)
    _require(sum(amounts) + given["rake"] == pot, TableReason.POT_NOT_PAID)
    if end.late_proof:
        table = _reach(table, event.time + terms.clocks.proof)
    return replace(
        table,
        phase=Phase.ENDED,
        outcome=end.outcome,
        winners=end.winners,
        amounts=amounts,
        rake=given["rake"],
        unpaid=_payments(zip(table.players, amounts, strict=True)),
    )


def _credited(table: Table, event: Event, terms: Terms) -> Table:
    """Payments go out in order of seats, so those before it were taken."""
    del terms
    credit = event.arguments["account"], event.arguments["amount"]
    account, amount = credit
    _require(credit in table.unpaid, TableReason.WRONG_CREDIT, account=account, amount=amount)
    rest = table.unpaid[table.unpaid.index(credit) + 1 :]
    return replace(table, credits=(*table.credits, credit), unpaid=rest)


def _payments(payments: Iterable[tuple[str | None, int]]) -> tuple[tuple[str, int], ...]:
    return tuple((account, amount) for account, amount in payments if account and amount)


# ── checks ──


def _require(condition: bool, reason: Reason, **parameters: object) -> None:
    if not condition:
        raise RecordInvalid(reason, **parameters)


def _seat(table: Table, event: Event) -> int:
    seat: int = event.arguments["seat"]
    _require(seat < table.seats, TableReason.UNKNOWN_SEAT, seat=seat)
    return seat


def _require_deadline(event: Event, given: int, expected: int) -> None:
    _require(
        given == expected,
        TableReason.WRONG_DEADLINE,
        event=event.name,
        given=given,
        expected=expected,
    )


def _require_passed(event: Event, deadline: int) -> None:
    if event.time <= deadline:
        raise RecordInvalid(
            TableReason.DEADLINE_NOT_PASSED, event=event.name, time=event.time, deadline=deadline
        )


def _require_from(event: Event, first: int) -> None:
    if event.time < first:
        raise RecordInvalid(
            TableReason.VOID_TOO_EARLY, event=event.name, time=event.time, first=first
        )


Transition = Callable[[Table, Event, Terms], Table]
_UNDER_WAY = (Phase.PLAYING, Phase.WAITING)
_TRANSITIONS: dict[str, tuple[tuple[Phase, ...], Transition]] = {
    "GameOpened": ((Phase.NONE,), _opened),
    "SeatTaken": ((Phase.OPEN,), _seated),
    "SeatLeft": ((Phase.OPEN,), _left),
    "GameCancelled": ((Phase.OPEN,), _cancelled),
    "FirstSeatDrawn": ((Phase.DRAWING,), _drawn),
    "DrawRescheduled": ((Phase.DRAWING,), _rescheduled),
    "ClockExtended": ((Phase.PLAYING,), _extended),
    "DrawOffered": (_UNDER_WAY, _offered),
    "Resigned": ((Phase.DRAWING, *_UNDER_WAY), _resigned),
    "TimedOut": ((Phase.PLAYING,), _timed_out),
    "ProofAsked": ((Phase.DRAWING, *_UNDER_WAY, Phase.PROVING), _asked),
    "ProofMissed": ((Phase.PROVING,), _missed),
    "VoidAnnounced": ((Phase.WAITING,), _announced),
    "GameVoided": ((Phase.WAITING,), _voided),
    "PaymentCredited": ((Phase.OPEN, Phase.ENDED, Phase.CANCELLED), _credited),
}
FOLLOWING = ("ProofAsked", "GameEnded")
"""The table's events that come only where something has led to them."""

EVENTS: EventTypes = {
    "GameOpened": {
        "id": "uint256",
        "creator": "address",
        "opponent": "address",
        "seats": "uint8",
        "control": "uint8",
        "stake": "uint256",
        "parameters": "bytes",
    },
    "SeatTaken": {"id": "uint256", "player": "address", "seat": "uint8", "target": "uint256"},
    "SeatLeft": {"id": "uint256", "player": "address", "seat": "uint8"},
    "GameCancelled": {"id": "uint256"},
    "FirstSeatDrawn": {"id": "uint256", "seat": "uint8", "word": "uint256", "deadline": "uint256"},
    "DrawRescheduled": {"id": "uint256", "target": "uint256"},
    "ClockExtended": {"id": "uint256", "seat": "uint8", "deadline": "uint256"},
    "DrawOffered": {"id": "uint256", "seat": "uint8", "moveNumber": "uint256"},
    "Resigned": {"id": "uint256", "seat": "uint8"},
    "TimedOut": {"id": "uint256", "seat": "uint8"},
    "ProofAsked": {"id": "uint256", "seat": "uint8", "deadline": "uint256"},
    "ProofMissed": {"id": "uint256", "seat": "uint8"},
    "VoidAnnounced": {"id": "uint256", "voidTime": "uint256"},
    "GameVoided": {"id": "uint256"},
    "GameEnded": {
        "id": "uint256",
        "outcome": "uint8",
        "winners": "uint8",
        "amounts": "uint256[]",
        "rake": "uint256",
    },
    "PaymentCredited": {"id": "uint256", "account": "address", "amount": "uint256"},
}


def transition(table: Table, event: Event, terms: Terms) -> Table:
    """The table after one of its own events, in order. Raises RecordInvalid."""
    due, unpaid = table.due, table.unpaid
    table = replace(table, due=None, unpaid=unpaid if event.name == "PaymentCredited" else ())
    if event.name == "GameEnded":
        assert isinstance(due, End), "require_due came before"
        return _ended(table, due, event, terms)
    phases, apply = _TRANSITIONS[event.name]
    table.require_phase(event, *phases)
    return apply(table, event, terms)
