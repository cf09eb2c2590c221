"""How much memory another process holds and may hold; elsewhere than on Linux nothing is known or limited."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

if sys.platform == "linux":
    import resource


def held_memory(pid: int) -> int:
    """The size of its address space in bytes; 0 where that is not known."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):  # it has ended
        return 0


def limit_memory(pid: int, most: int) -> None:
    """Its address space gets no larger than `most` bytes, and its end leaves no image on the disk."""
    if sys.platform == "linux":
        with suppress(ProcessLookupError):
            resource.prlimit(pid, resource.RLIMIT_AS, (most, most))
            resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0))


@contextmanager
def growth_limited(pid: int, most: int) -> Iterator[None]:
    """Meanwhile its address space grows by at most `most` bytes. Where it has ended, nothing is limited."""
    highest = _highest(pid)
    if highest is None:
        yield
        return
    grown = held_memory(pid) + most
    _limit(pid, grown if highest < 0 else min(grown, highest), highest)
    try:
        yield
    finally:
        _limit(pid, highest, highest)


def _highest(pid: int) -> int | None:
    """What it may limit itself to, in bytes; negative: to anything; None where that is not known."""
    if sys.platform == "linux":
        with suppress(ProcessLookupError):
            return resource.prlimit(pid, resource.RLIMIT_AS)[1]
    return None


def _limit(pid: int, now: int, highest: int) -> None:
    with suppress(ProcessLookupError):
        resource.prlimit(pid, resource.RLIMIT_AS, (now, highest))
