"""The shared event vectors: whole games of the real contracts, and what no contract can have told."""

import json
from pathlib import Path
from typing import Any

from battleship.replay import RULES as BATTLESHIP
from bunkerwar.replay import RULES as BUNKERWAR
from fogbound import fold
from fogbound.clocks import Clocks, TimeControl
from fogbound.events import Event, parse_arguments
from fogbound.replay import Rules
from fogbound.terms import Terms
from scripts.testing_rules import RACE, SANDBOX

FOLDER = Path(__file__).parents[1] / "tests" / "vectors"
RULES: dict[str, Rules[Any]] = {
    "sandbox": SANDBOX,
    "race": RACE,
    "bunkerwar": BUNKERWAR,
    "battleship": BATTLESHIP,
}
FILES = {
    name: json.loads((FOLDER / f"events-{name}.json").read_text())
    for name in ("table", "bunkerwar", "battleship")
}


def vectors(part: str) -> list[Any]:
    """The vectors of all files, each with its terms."""
    return [({"terms": whole["terms"], **each}) for whole in FILES.values() for each in whole[part]]


def terms_of(vector: Any) -> Terms:
    controls = [
        TimeControl(each["move"], each["keepAlives"]) for each in vector["terms"]["controls"]
    ]
    return Terms(Clocks(**vector["terms"]["clocks"]), controls)


def events_of(vector: Any) -> list[Event]:
    types = {**fold.EVENTS, **RULES[vector["rules"]].events}
    return [
        Event(**{**each, "arguments": _arguments(types.get(each["name"]), each["arguments"])})
        for each in vector["events"]
    ]


def _arguments(types: Any, content: Any) -> Any:
    """Of an event that the game does not know: as they are."""
    if types is None:
        return {**content, "id": int(content["id"])}
    return parse_arguments(types, content)
