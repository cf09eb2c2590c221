"""Lets players act side by side, and a reorganisation happen while nobody does."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Gate:
    """Many may pass it, or one may close it: who closes waits for those inside, and keeps others out."""

    def __init__(self) -> None:
        self._inside = 0
        self._changed = threading.Condition()
        self._closing = threading.Lock()

    @contextmanager
    def passing(self) -> Iterator[None]:
        with self._closing, self._changed:
            self._inside += 1
        try:
            yield
        finally:
            with self._changed:
                self._inside -= 1
                self._changed.notify_all()

    @contextmanager
    def closed(self) -> Iterator[None]:
        with self._closing:
            with self._changed:
                self._changed.wait_for(lambda: not self._inside)
            yield
