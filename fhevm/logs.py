"""What a background process says: on stderr, with the time of day, and nothing over and over."""

import logging
import sys
import time
from collections.abc import Callable

FORM = "%(asctime)s %(levelname)s %(name)s: %(message)s"
AT_ONCE, SECONDS = 20, 60.0  # so often may one place in the code say something in so many seconds
NO_DESCRIPTOR = "socket.accept() out of system resource"  # asyncio's words, with a traceback each


class Repeats(logging.Filter):
    """Leaves out what one place in the code says too often, and counts it: others may be why."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._said: dict[tuple[str, int, int], tuple[float, int]] = {}  # since when, how often

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to say it; what was left out before is told with the next."""
        most = _shortened(record)
        place, now = (record.pathname, record.lineno, most), self._clock()
        since, count = self._said.get(place, (now, 0))
        if now - since >= SECONDS:
            _tell_of_others(record, count - most)
            since, count = now, 0
        self._said[place] = since, count + 1
        return count < most


def _shortened(record: logging.LogRecord) -> int:
    """How often it may be said. That no connection can be accepted comes thousands of times a second."""
    if record.name != "asyncio" or NO_DESCRIPTOR not in str(record.msg):
        return AT_ONCE
    record.msg, record.args, record.exc_info = "no descriptor is free for a connection", (), None
    return 1


def _tell_of_others(record: logging.LogRecord, count: int) -> None:
    if count > 0:
        record.msg, record.args = f"{record.getMessage()} ({count} like this were left out)", ()


class _Stderr:
    """Whatever is stderr now: a spinner in the terminal takes its place for a time."""

    def write(self, text: str) -> None:
        sys.stderr.write(text)

    def flush(self) -> None:
        sys.stderr.flush()


def log_to_stderr() -> None:
    """Set up what this process logs."""
    handler = logging.StreamHandler(_Stderr())
    handler.addFilter(Repeats())
    logging.basicConfig(level=logging.INFO, format=FORM, handlers=[handler])
    logging.getLogger("httpx").setLevel(logging.WARNING)
