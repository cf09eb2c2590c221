"""Where requests wait for values that are not computed yet, without a thread for each.

One thread asks for the values; it is there only while somebody waits. What waits is bounded for each value,
so that many requests for one slow value keep out only their like.
"""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from threading import Lock, Thread

from fhevm.errors import NotComputedYet, TooManyRequests, UnknownHandle
from fhevm.handles import Handle

PER_HANDLE = 64
_LOOK_SECONDS = 0.05


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

    def __init__(
        self,
        look: Callable[[Sequence[Handle]], object],
        seconds: float,
        per_handle: int = PER_HANDLE,
    ) -> None:
        """`seconds`: how long anybody waits; `per_handle`: how many wait for one value."""
        self._look = look
        self._seconds = seconds
        self._per_handle = per_handle
        self._waiting: dict[Handle, list[_Waiting]] = {}
        self._lock = Lock()
        self._is_watched = False

    def admit(self, handles: Sequence[Handle]) -> None:
        """Raises TooManyRequests where nobody more may wait for one of `handles`."""
        with self._lock:
            for handle in handles:
                self._check_room(handle)

    def park(self, handles: Sequence[Handle]) -> "Future[None]":
        """A future that is done when all `handles` are there; it fails as `look` did.

        Raises TooManyRequests.
        """
        waiting = _Waiting(list(dict.fromkeys(handles)), time.monotonic() + self._seconds)
        self._enter(waiting)
        return waiting.future

    def _enter(self, waiting: _Waiting) -> None:
        handle = waiting.missing[0]
        with self._lock:
            self._check_room(handle)
            self._waiting.setdefault(handle, []).append(waiting)
            if not self._is_watched:
                self._is_watched = True
                Thread(target=self._watch, name="waiting-room", daemon=True).start()

    def _check_room(self, handle: Handle) -> None:
        if len(self._waiting.get(handle, ())) >= self._per_handle:
            raise TooManyRequests(f"{handle}: too many wait for it")

    def _watch(self) -> None:
        while handles := self._wanted():
            came = [self._ask_for(handle) for handle in handles]
            if not any(came):
                time.sleep(_LOOK_SECONDS)

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
        if not waiting.missing:
            waiting.future.set_result(None)
            return
        try:
            self._enter(waiting)
        except TooManyRequests as error:
            waiting.future.set_exception(error)

    def _fail(self, those: list[_Waiting], error: Exception) -> None:
        for each in those:
            each.future.set_exception(error)
