"""Writes tests/vectors/events-*.json: whole games as the real contracts tell them, with the state after
each event, and one refused sequence for each reason. Python's fold and the page's must agree on all.

Events are as the web API gives them. A state holds what has changed since the event before.
"""

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from fogbound.events import Event, to_json
from fogbound.fold import Table
from fogbound.replay import after, start
from fogbound.steps import End
from fogbound.terms import Terms
from scripts import event_refusals, playing
from scripts.matches import Hall

FOLDER = Path(__file__).parent.parent / "tests" / "vectors"
NAMES = ("table", "bunkerwar", "battleship")


def state(table: Table) -> dict[str, Any]:
    """A folded table in JSON; money in decimal, `proofs` as pairs of deadline and owed."""
    return {
        "phase": table.phase.name.lower(),
        "outcome": table.outcome.name.lower(),
        "control": table.control,
        "stake": str(table.stake),
        "players": list(table.players),
        "invited": table.invited,
        "firstSeat": table.first_seat,
        "onTurn": table.on_turn,
        "consents": sorted(table.consents),
        "keepAlives": list(table.keep_alives),
        "winners": sorted(table.winners),
        "voidAnnounced": table.void_announced,
        "moveNumber": table.move_number,
        "doubtful": table.doubtful,
        "deadline": table.deadline,
        "mark": table.mark,
        "proofs": [each and [each.deadline, each.owed] for each in table.proofs],
        "amounts": [str(amount) for amount in table.amounts],
        "rake": str(table.rake),
        "credits": [[account, str(amount)] for account, amount in table.credits],
        "due": table.due
        and [table.due.event, None if isinstance(table.due, End) else table.due.seat],
    }


def event_vector(event: Event) -> dict[str, Any]:
    """An event in JSON."""
    return {**asdict(event), "arguments": to_json(event.arguments)}


def game_vector(name: str, rules: str, hall: Hall, game_id: int) -> dict[str, Any]:
    """A whole game, which the contract's views have confirmed."""
    hall.check(game_id)
    events = hall.events(game_id)
    states = list(_changes(events, hall))
    return {
        "name": name,
        "rules": rules,
        "events": list(map(event_vector, events)),
        "states": states,
    }


def _changes(events: list[Event], hall: Hall) -> Iterator[dict[str, Any]]:
    played, before = start(hall.rules), state(Table())
    for event in events:
        played = after(played, event, hall.rules, hall.terms)
        now = state(played.table)
        yield {name: value for name, value in now.items() if value != before[name]}
        before = now


def terms_vector(terms: Terms) -> dict[str, Any]:
    """The clocks and controls of all games of one file."""
    controls = [{"move": each.move, "keepAlives": each.keep_alives} for each in terms.controls]
    return {"clocks": asdict(terms.clocks), "controls": controls}


def content(name: str) -> dict[str, Any]:
    """One whole file."""
    games, halls = [], {}
    for title, rules, hall, game_id in playing.PLAYED[name]():
        games.append(game_vector(title, rules, hall, game_id))
        halls[title] = (rules, hall.events(game_id))
        terms = hall.terms
    refused = [
        {"code": reason.code, "rules": rules, "events": list(map(event_vector, events))}
        for reason, rules, events in event_refusals.REFUSED[name](halls)
    ]
    return {"terms": terms_vector(terms), "games": games, "refused": refused}


def as_text(whole: dict[str, Any]) -> str:
    """One game a line."""
    lines = [f'"terms": {json.dumps(whole["terms"])}']
    for part in ("games", "refused"):
        lines.append(f'"{part}": [\n' + ",\n".join(map(json.dumps, whole[part])) + "\n]")
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    for name in sys.argv[1:] or NAMES:
        (FOLDER / f"events-{name}.json").write_text(as_text(content(name)))
