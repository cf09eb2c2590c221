"""Records with something changed in them, as a cheat would make them."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from fhevm.devchain import dev_accounts
from fogbound.clocks import TimeControl
from fogbound.events import Event
from fogbound.reasons import Reason, RecordReason, TableReason
from fogbound.records import Record
from fogbound.terms import Terms

OTHER, CHEAT = dev_accounts()[1:3]
JsonPath = tuple[Any, ...]
Forgery = Callable[[Record], Record]


def leaves(content: Any, here: JsonPath = ()) -> Iterator[JsonPath]:
    """Where each leaf of a JSON value is."""
    if isinstance(content, dict | list) and content:
        pairs = content.items() if isinstance(content, dict) else enumerate(content)
        for key, value in pairs:
            yield from leaves(value, (*here, key))
    else:
        yield here


def changed(value: Any) -> Any:
    """Another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return value[:-1] + ("0" if value[-1:] != "0" else "1")
    return [*value, 0] if isinstance(value, list) else "something"


def with_changed_leaf(text: str, leaf: JsonPath) -> str:
    """A JSON text with another value at that place."""
    content = json.loads(text)
    *parents, last = leaf
    inner = content
    for key in parents:
        inner = inner[key]
    inner[last] = changed(inner[last])
    return json.dumps(content)


def with_argument(record: Record, name: str, number: int = 0, **arguments: Any) -> Record:
    """The record with another argument in its n-th event of that name, signed anew by a cheat."""
    position = [i for i, event in enumerate(record.events) if event.name == name][number]
    event = record.events[position]
    forged = replace(event, arguments={**event.arguments, **arguments})
    events = (*record.events[:position], forged, *record.events[position + 1 :])
    return replace(record, events=events).signed(CHEAT)


def without(record: Record, name: str) -> Record:
    """The record without its events of that name, signed anew by a cheat."""
    events = tuple(event for event in record.events if event.name != name)
    return replace(record, events=events).signed(CHEAT)


def argument(record: Record, name: str, argument: str) -> Any:
    """That of the first event of that name."""
    return next(event.arguments[argument] for event in record.events if event.name == name)


OF_ANY_GAME: dict[str, tuple[Forgery, set[Reason]]] = {
    "another game": (lambda r: replace(r, game="chess").signed(CHEAT), {RecordReason.OTHER_GAME}),
    "no signature": (lambda r: replace(r, signature=b""), {RecordReason.SIGNATURE_WRONG}),
    "somebody else's signature": (
        lambda r: replace(r.signed(CHEAT), exporter=OTHER.address),
        {RecordReason.SIGNATURE_WRONG},
    ),
    "no events": (lambda r: replace(r, events=()).signed(CHEAT), {RecordReason.EMPTY}),
    "another game's events": (
        lambda r: replace(r, game_id=r.game_id + 1).signed(CHEAT),
        {TableReason.EVENT_OF_OTHER_GAME},
    ),
    "an event after the end": (
        lambda r: replace(r, events=(*r.events, _after(r.events[-1]))).signed(CHEAT),
        {TableReason.WRONG_PHASE},
    ),
    "a game's end that is not this contract's": (
        lambda r: replace(r, events=(*r.events, _after(r.events[-1], "GameWon"))).signed(CHEAT),
        {TableReason.EVENT_UNKNOWN},
    ),
    "clocks of another deployment": (
        lambda r: replace(r, terms=Terms(r.terms.clocks, [TimeControl(77)] * 4)).signed(CHEAT),
        {TableReason.WRONG_DEADLINE},
    ),
}
"""How a record of any game is forged, and what it is then refused for."""


def _after(last: Event, name: str = "Resigned") -> Event:
    place = {"block": last.block + 1, "transaction": "0x" + "77" * 32}
    return replace(last, name=name, arguments={"id": last.game_id, "seat": 0}, **place)
