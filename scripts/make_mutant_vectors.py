"""Writes tests/vectors/event-mutants.json: for each game of the event vectors, what is found wrong (a code,
or null) when an event is left out, doubled, swapped with the next, or has one of its values changed.

Every implementation makes the same mutants in the same order (see `mutants`) and must find the same.
"""

import json
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from pydantic import ValidationError

from fogbound.errors import RecordInvalid
from fogbound.reasons import RecordReason
from fogbound.replay import replay
from scripts.event_files import FOLDER, RULES, events_of, terms_of, vectors

FILE = FOLDER / "event-mutants.json"
PLACE = ("block", "index", "transaction", "time")


def altered(value: Any) -> Any:
    """Another value of the same kind: the number after it, the opposite, another last digit."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, list):
        return [*value[:-1], altered(value[-1])]
    if not value.startswith("0x"):
        return str(int(value) + 1)
    return value.lower()[:-1] + ("1" if value[-1] == "0" else "0") if value != "0x" else "0x00"


def mutants(events: list[dict[str, Any]]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """What was done, and the events then."""
    for place, event in enumerate(events):
        before, rest = events[:place], events[place + 1 :]
        yield f"{event['name']} left out", [*before, *rest]
        yield f"{event['name']} twice", [*before, event, event, *rest]
        for name in event["arguments"]:
            arguments = {**event["arguments"], name: altered(event["arguments"][name])}
            yield f"{event['name']}.{name}", [*before, {**event, "arguments": arguments}, *rest]
        for name in PLACE:
            yield f"{event['name']}.{name}", [*before, {**event, name: altered(event[name])}, *rest]
    for place, (one, two) in enumerate(pairwise(events)):
        swapped = [{**two, **_place(one)}, {**one, **_place(two)}]
        yield f"{one['name']}, {two['name']}", [*events[:place], *swapped, *events[place + 2 :]]


def _place(event: dict[str, Any]) -> dict[str, Any]:
    return {name: event[name] for name in PLACE}


def code(vector: dict[str, Any], events: list[dict[str, Any]]) -> str | None:
    """What is wrong with these events of that game."""
    try:
        replay(events_of({**vector, "events": events}), RULES[vector["rules"]], terms_of(vector))
    except RecordInvalid as refusal:
        return refusal.reason.code
    except ValidationError:
        return RecordReason.MALFORMED.code
    return None


def content() -> dict[str, list[str | None]]:
    """The codes of each game's mutants, by its rules and name."""
    return {
        f"{game['rules']}: {game['name']}": [
            code(game, events) for _, events in mutants(game["events"])
        ]
        for game in vectors("games")
    }


def as_text() -> str:
    """As the file holds it: one game a line."""
    lines = [f"{json.dumps(name)}: {json.dumps(codes)}" for name, codes in content().items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    FILE.write_text(as_text())
