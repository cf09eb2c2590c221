"""How much is compared: enough for every change in `make test`, all of it in `make test-full`."""

import os
from typing import TypeVar

FULL = os.environ.get("FOGBOUND_FULL") == "1"

T = TypeVar("T")


def enough(few: T, full: T) -> T:
    """What this run takes."""
    return full if FULL else few
