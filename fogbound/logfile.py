"""A log of bounded size, also where another process writes it, and however much that says."""

import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

BYTES = 4_000_000  # beyond it the newest so many go to an older log, of which there is one
LOOK_SECONDS = 1.0
TAIL_BYTES = 4_000


def bound_log(log: Path) -> None:
    """Begin anew where it is too long. Whoever writes it must append (O_APPEND), and may go on doing so.

    What is said in the moment between the copy and the cut is lost.
    """
    with suppress(OSError):  # a full disk: then nobody writes it either
        if log.stat().st_size > BYTES:
            older_log(log).write_bytes(_end_of(log, BYTES))
            os.truncate(log, 0)


def older_log(log: Path) -> Path:
    """Where the end of what a log said before is kept."""
    return log.with_name(f"{log.name}.1")


def keep_bounded(log: Path, is_written: Callable[[], bool]) -> None:
    """Bound a log, in a thread, as long as somebody writes it."""

    def run() -> None:
        while is_written():
            time.sleep(LOOK_SECONDS)
            bound_log(log)

    threading.Thread(target=run, name=f"log {log.name}", daemon=True).start()


def last_line(log: Path) -> str | None:
    """The last line that says something; None where there is none."""
    lines = _end_of(log, TAIL_BYTES).decode(errors="replace").split("\n")
    return next((line.strip() for line in reversed(lines) if line.strip()), None)


def _end_of(log: Path, size: int) -> bytes:
    with log.open("rb") as file:
        file.seek(-min(size, file.seek(0, os.SEEK_END)), os.SEEK_END)
        return file.read(size)
