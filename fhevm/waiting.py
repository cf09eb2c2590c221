"""Where requests wait for values that are not computed yet, without a thread for each.

One thread asks for the values; it is there only while somebody waits. How many wait is bounded by who lets
them in (`jobs`); however many they are, looking takes a fifth of one core at most.
"""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from threading import Lock, Thread

from fhevm.errors import NotComputedYet, UnknownHandle
from fhevm.handles import Handle

_LOOK_SECONDS = 0.05
_REST = 4  # times as long as looking took


@dataclass
class _Waiting:
    """`missing`: the handles that are yet to come, the one waited for first."""

    missing: list[Handle]
    deadline: float
    future: "Future[None]" = field(default_factory=Future)


class WaitingRoom:
    """Waits for handles that `look` tells of.

    `look([handle])` returns at once where the value is there, and raises NotComputedYet, UnknownHandle (wait
    on), or what ends the waiting.
    """

    def __init__(self, look: Callable[[Sequence[Handle]], object], seconds: float) -> None:
        """`seconds`: how long anybody waits."""
        self._look = look
        self._seconds = seconds
        self._waiting: dict[Handle, list[_Waiting]] = {}
        self._lock = Lock()
        self._is_watched = False

    def park(self, handles: Sequence[Handle]) -> "Future[None]":
        """A future that is done when all `handles` are there; it fails as `look` did."""
        waiting = _Waiting(list(dict.fromkeys(handles)), time.monotonic() + self._seconds)
        self._enter(waiting)
        return waiting.future

    def _enter(self, waiting: _Waiting) -> None:
        with self._lock:
            self._waiting.setdefault(waiting.missing[0], []).append(waiting)
            if not self._is_watched:
                self._is_watched = True
                Thread(target=self._watch, name="waiting-room", daemon=True).start()

    def _watch(self) -> None:
        while handles := self._wanted():
            began = time.monotonic()
            came = [self._ask_for(handle) for handle in handles]
            if not any(came):
                time.sleep(max(_LOOK_SECONDS, _REST * (time.monotonic() - began)))

    def _wanted(self) -> list[Handle]:
        with self._lock:
            self._is_watched = bool(self._waiting)
            return list(self._waiting)

    def _ask_for(self, handle: Handle) -> bool:
        """Whether it is there."""
        try:
            self._look([handle])
        except (NotComputedYet, UnknownHandle) as error:
            now = time.monotonic()
            self._fail(self._take(handle, lambda each: each.deadline <= now), error)
        except Exception as error:  # noqa: BLE001 - whoever waits is told; the others wait on
            self._fail(self._take(handle), error)
        else:
            for each in self._take(handle):
                self._go_on(each)
            return True
        return False

    def _take(
        self, handle: Handle, wanted: Callable[[_Waiting], bool] = lambda _: True
    ) -> list[_Waiting]:
        with self._lock:
            there = self._waiting.pop(handle)
            if left := [each for each in there if not wanted(each)]:
                self._waiting[handle] = left
        return [each for each in there if wanted(each)]

    def _go_on(self, waiting: _Waiting) -> None:
        """One of its values is there: done, or it waits for the next."""
        del waiting.missing[0]
        if waiting.missing:
            self._enter(waiting)
        else:
            waiting.future.set_result(None)

    def _fail(self, those: list[_Waiting], error: Exception) -> None:
        for each in those:
            each.future.set_exception(error)
