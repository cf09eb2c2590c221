"""Who runs on a data folder."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fogbound.errors import StackRunning

DATA = Path(".fogbound")  # the data folder, where nobody says otherwise


@contextmanager
def exclusive(data: Path) -> Iterator[None]:
    """Hold a data folder; the lock goes with the process, however it ends. Raises StackRunning."""
    data.mkdir(parents=True, exist_ok=True)
    with (data / "stack.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StackRunning(data) from None
        yield


def is_running(data: Path) -> bool:
    """Whether a supervisor holds this data folder."""
    if not (data / "stack.lock").exists():
        return False
    try:
        with exclusive(data):
            return False
    except StackRunning:
        return True
