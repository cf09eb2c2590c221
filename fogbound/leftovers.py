"""The parts of a stack whose supervisor was killed: the system tells them to end, which takes seconds."""

import time
from pathlib import Path

from fogbound.errors import StackNotRunning
from fogbound.process import POLL_SECONDS, STOP_SECONDS
from fogbound.progress import Progress
from fogbound.stackinfo import StackInfo


def wait_for_leftovers(data: Path, progress: Progress) -> None:
    """Wait until no part of an earlier start works on this folder, or STOP_SECONDS have passed."""
    until = time.monotonic() + STOP_SECONDS
    told = False
    while _leftovers(data) and time.monotonic() < until:
        if not told:
            progress("waiting for an earlier start, which was killed, to end")
        told = True
        time.sleep(POLL_SECONDS)


def _leftovers(data: Path) -> list[int]:
    """Process ids; none where the last supervisor ended in order."""
    try:
        pids = StackInfo.read(data).processes.values()
    except StackNotRunning:
        return []
    return [pid for pid in pids if _works_on(data, pid)]


def _works_on(data: Path, pid: int) -> bool:
    """Whether a process is one of ours: ids are given again, and a dead one has no command any more."""
    try:
        return str(data).encode() in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:  # it is gone, or this system has no /proc
        return False
