"""How long a table gives for everything, in seconds; a deployment decides it once for all its games."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import typer

from fogbound.errors import SettingsInvalid

LEAST_SECONDS = 30
"""For a move, and for a proof."""

USUAL_MOVE = 300
"""Seconds for a move in a game whose opener does not choose."""


@dataclass(frozen=True)
class Clocks:
    """ITable.Clocks, in seconds: for a decryption, from a void's notice to the void, for a proof."""

    wait: int = 86_400
    notice: int = 3_600
    proof: int = 3_600


@dataclass(frozen=True)
class TimeControl:
    """ITable.TimeControl: seconds for a move, and how often a player may add as many in a game."""

    move: int
    keep_alives: int = 3


TIME_CONTROLS = tuple(TimeControl(move) for move in (60, USUAL_MOVE, 3_600, 86_400))
"""Fast, normal, slow, by correspondence."""

CLOCKS = Clocks()

CLOCKS_TEXT, CONTROLS_TEXT = "86400,3600,3600", "60:3,300:3,3600:3,86400:3"
"""The defaults, as options and settings give them."""

ClocksOption = Annotated[
    str,
    typer.Option(
        metavar="WAIT,NOTICE,PROOF",
        help="Seconds for a decryption, from a void's notice to the void, and for a proof; "
        "for games that are not deployed yet.",
    ),
]
ControlsOption = Annotated[
    str,
    typer.Option(
        metavar="MOVE[:KEEPALIVES],…",
        help="One to four time controls: seconds for a move (30 at least), and how often a player may "
        "add as many (3 at most and by default); for games that are not deployed yet.",
    ),
]
ControlOption = Annotated[
    int | None,
    typer.Option(
        min=0, max=3, help="A new game's time control, from 0; default: about 5 min a move."
    ),
]


def parse_clocks(text: str) -> Clocks:
    """Clocks as an option or a setting gives them: "86400,3600,3600". Raises SettingsInvalid."""
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 3 or not all(re.fullmatch(r"[0-9]{1,9}", part) for part in parts):
        raise SettingsInvalid(f"clocks {text!r}: give seconds, like {CLOCKS_TEXT}")
    clocks = Clocks(*map(int, parts))
    if clocks.wait < 1 or clocks.notice < 1 or clocks.proof < LEAST_SECONDS:
        raise SettingsInvalid(f"clocks {text!r}: 1 s at least, {LEAST_SECONDS} s for a proof")
    return clocks


def parse_controls(text: str) -> tuple[TimeControl, ...]:
    """Time controls as an option or a setting gives them: "60:3,300". Raises SettingsInvalid."""
    controls = tuple(_control(part.strip(), text) for part in text.split(","))
    if len(controls) > 4:
        raise SettingsInvalid(f"time controls {text!r}: four at most")
    return controls


def usual_control(controls: Sequence[TimeControl]) -> int:
    """The number of the control that is nearest to USUAL_MOVE seconds a move."""
    return min(range(len(controls)), key=lambda number: abs(controls[number].move - USUAL_MOVE))


def duration(seconds: int) -> str:
    """A time as people say it: 45 s, 4 min 5 s, 3 h 20 min, 2 d 1 h."""
    for unit, length, part, smaller in (
        ("d", 86_400, "h", 3_600),
        ("h", 3_600, "min", 60),
        ("min", 60, "s", 1),
    ):
        if seconds >= length:
            rest = seconds % length // smaller
            return f"{seconds // length} {unit}" + (f" {rest} {part}" if rest else "")
    return f"{max(seconds, 0)} s"


def time_left(seconds: int) -> str:
    """What a clock shows."""
    return f"{duration(seconds)} left" if seconds > 0 else "the time is over"


def _control(part: str, whole: str) -> TimeControl:
    found = re.fullmatch(r"([0-9]{1,9})(?::([0-3]))?", part)
    if found is None or int(found[1]) < LEAST_SECONDS:
        wanted = "seconds for a move (30 at least), or these and keep-alives, like 300:3"
        raise SettingsInvalid(f"time controls {whole!r}: {part!r} is not {wanted}")
    return TimeControl(int(found[1]), 3 if found[2] is None else int(found[2]))
