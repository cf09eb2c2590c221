"""Writes tests/vectors/record-reasons.json: why a record may be refused, by code, with what each takes."""

import json
from pathlib import Path
from string import Formatter

from battleship.reasons import BattleshipReason
from bunkerwar.reasons import BunkerWarReason
from fogbound.reasons import Reason, RecordReason, TableReason

FILE = Path(__file__).parent.parent / "tests" / "vectors" / "record-reasons.json"
REASONS: tuple[Reason, ...] = (*RecordReason, *TableReason, *BattleshipReason, *BunkerWarReason)


def parameters(reason: Reason) -> list[str]:
    """What its English text takes, in order of appearance."""
    return [name for _, name, _, _ in Formatter().parse(reason) if name is not None]


def content() -> dict[str, list[str]]:
    """The parameters of each code."""
    return {reason.code: parameters(reason) for reason in REASONS}


def as_text() -> str:
    """As the file holds it."""
    return json.dumps(content(), indent=1) + "\n"


if __name__ == "__main__":
    FILE.write_text(as_text())
