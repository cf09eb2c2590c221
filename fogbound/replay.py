"""One game from its events: the table's fold, with the game's own plugged in."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from fogbound import fold
from fogbound.errors import RecordInvalid
from fogbound.events import Event, EventTypes
from fogbound.fold import Table
from fogbound.reasons import TableReason
from fogbound.steps import STAY, End, Step
from fogbound.terms import Terms

G = TypeVar("G")


Transition = Callable[[G, Table, Event], tuple[G, Step]]


def _all_is_told(game: object, table: Table, event: Event) -> Step:
    del game, table, event
    return STAY


@dataclass(frozen=True)
class Rules(Generic[G]):
    """What a game adds to the table.

    `events`: its own; `acts`: what each of them makes of the game, and what the table (as it was before)
    does then; `following`: those that come only where something has led to them.
    `told`: what events of the table (which it has taken already) make of the game, and what they lead to
    where the table's own rule is not meant.
    `before`: what must have been done without an event of its own, if this next event is true.
    `errors`: what the game's rules raise. All else raises RecordInvalid where no game could have been so.
    """

    start: G
    seats: range
    events: EventTypes
    acts: Mapping[str, Transition[G]]
    told: Mapping[str, Transition[G]]
    following: frozenset[str] = frozenset()
    before: Callable[[G, Table, Event], Step] = _all_is_told
    errors: tuple[type[Exception], ...] = ()


@dataclass(frozen=True)
class Replayed(Generic[G]):
    """Where a game stands after `last`, its newest event."""

    table: Table
    game: G
    last: Event | None = None


def start(rules: Rules[G]) -> Replayed[G]:
    """Before the first event."""
    return Replayed(Table(), rules.start)


def after(played: Replayed[G], event: Event, rules: Rules[G], terms: Terms) -> Replayed[G]:
    """The game after one more event. Raises RecordInvalid where no game could have emitted it then."""
    table, game, last = played.table, played.game, played.last
    if last is not None:
        _check_order(last, event)
        if event.game_id != table.id:
            raise RecordInvalid(TableReason.EVENT_OF_OTHER_GAME, game_id=table.id)
    if event.name not in fold.EVENTS and event.name not in rules.events:
        raise RecordInvalid(TableReason.EVENT_UNKNOWN, event=event.name)
    if table.due is None:
        table = fold.take(table, rules.before(game, table, event), event.time, terms)
        last = event if table.due else last
    together = last is not None and last.transaction == event.transaction
    _require_due(table, event, rules, together=together)
    if event.name == "PaymentCredited" and not together:
        table = replace(table, unpaid=())
    return _taken(table, game, event, rules, terms)


def replay(events: Iterable[Event], rules: Rules[G], terms: Terms) -> Replayed[G]:
    """Fold whole transactions, from the first event on. Raises RecordInvalid."""
    played = start(rules)
    for event in events:
        played = after(played, event, rules, terms)
    if played.table.due is not None:
        raise RecordInvalid(TableReason.BROKEN_OFF, due=played.table.due.event)
    return played


def _taken(table: Table, game: G, event: Event, rules: Rules[G], terms: Terms) -> Replayed[G]:
    step = STAY
    if event.name in fold.EVENTS:
        table = fold.transition(table, event, terms)
        if event.name == "GameOpened" and table.seats not in rules.seats:
            raise RecordInvalid(TableReason.WRONG_SEATS, seats=table.seats)
        if event.name in rules.told:
            game, step = _by_the_rules(rules.told, game, table, event, rules)
    else:
        _require_seat(table, event)
        game, step = _by_the_rules(rules.acts, game, table, event, rules)
        table = replace(table, due=None, unpaid=())
    return Replayed(fold.take(table, step, event.time, terms), game, event)


def _by_the_rules(
    transitions: Mapping[str, Transition[G]], game: G, table: Table, event: Event, rules: Rules[G]
) -> tuple[G, Step]:
    try:
        return transitions[event.name](game, table, event)
    except rules.errors as error:
        raise RecordInvalid(
            TableReason.RULES_BROKEN, event=event.name, error=type(error).__name__, detail=error
        ) from None


def _require_seat(table: Table, event: Event) -> None:
    seat = event.arguments.get("seat", 0)
    if seat >= max(table.seats, 1):
        raise RecordInvalid(TableReason.UNKNOWN_SEAT, seat=seat)


def _check_order(last: Event, event: Event) -> None:
    same_block = event.block == last.block
    together = event.transaction == last.transaction
    if (event.block, event.index) <= (last.block, last.index) or (together and not same_block):
        raise RecordInvalid(TableReason.EVENTS_UNORDERED)
    if event.time < last.time or (same_block and event.time != last.time):
        raise RecordInvalid(TableReason.TIME_UNORDERED, event=event.name)


def _require_due(table: Table, event: Event, rules: Rules[G], *, together: bool) -> None:
    """`together`: in one transaction with the event before."""
    due = table.due
    if due is None:
        if event.name in fold.FOLLOWING or event.name in rules.following:
            raise RecordInvalid(TableReason.EVENT_UNCAUSED, event=event.name)
        return
    seat = None if isinstance(due, End) else due.seat
    fits = event.name == due.event and seat in (None, event.arguments.get("seat"))
    if not (together and fits):
        raise RecordInvalid(TableReason.EVENT_MISSING, event=event.name, due=due.event)
