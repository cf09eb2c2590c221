"""Work that comes up again and again under a key: one at a time for each, failures tried again later."""

import logging
import threading
import time
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor

from fhevm.errors import FhevmError
from fogbound.errors import FogboundError

log = logging.getLogger(__name__)

RETRY_SECONDS, LONGEST_RETRY_SECONDS = 1.0, 30.0  # twice as long after each failure in a row
Key = tuple[str, int]  # a game's kind and id


class Tasks:
    """Runs work in `workers` threads; with 0, in the caller's, at once."""

    def __init__(
        self,
        name: str,
        workers: int,
        *,
        insists: bool = False,
        ended: Callable[[], object] = lambda: None,
    ) -> None:
        """`insists`: work that returns False has failed as well. `ended`: told when some work has ended."""
        self._insists = insists
        self._ended = ended
        self._pool = ThreadPoolExecutor(workers, name) if workers else None
        self._lock = threading.Lock()
        self._running: set[Key] = set()
        self._failures: dict[Key, tuple[int, float]] = {}  # in a row, and when to try again

    def offer(self, key: Key, work: Callable[[], object]) -> None:
        """Do this work, unless work of this key is under way or has just failed.

        It has failed where it raises (or as it `insists`): it is done later, then less and less often.
        """
        if not self._begin(key):
            return
        if self._pool:
            self._pool.submit(self._try, key, work)
        else:
            self._try(key, work)

    def forget(self, key: Key) -> None:
        """No more work of this key is to come."""
        with self._lock:
            self._failures.pop(key, None)

    def keep(self, keys: Collection[Key]) -> None:
        """No more work of other keys is to come."""
        with self._lock:
            for gone in self._failures.keys() - set(keys):
                del self._failures[gone]

    def seconds_until_retry(self) -> float | None:
        """Until what failed may be offered again; None where nothing has failed."""
        with self._lock:
            moments = [moment for _, moment in self._failures.values()]
        return max(min(moments) - time.monotonic(), 0.0) if moments else None

    def close(self) -> None:
        """Let what is under way end, and begin nothing more."""
        if self._pool:
            self._pool.shutdown(cancel_futures=True)

    def _begin(self, key: Key) -> bool:
        with self._lock:
            _, not_before = self._failures.get(key, (0, 0.0))
            if key in self._running or time.monotonic() < not_before:
                return False
            self._running.add(key)
            return True

    def _try(self, key: Key, work: Callable[[], object]) -> None:
        """Somebody may be faster, or a value not computed yet; and no game's fault may stop the others."""
        try:
            result = work()
            self._end(key, failed=self._insists and result is False)
        except Exception as error:
            known = isinstance(error, FogboundError | FhevmError)
            log.warning("%s game %d: %s", *key, error, exc_info=None if known else error)
            self._end(key, failed=True)

    def _end(self, key: Key, *, failed: bool) -> None:
        with self._lock:
            self._running.discard(key)
            count, _ = self._failures.pop(key, (0, 0.0))
            if failed:
                pause = min(RETRY_SECONDS * 2**count, LONGEST_RETRY_SECONDS)
                self._failures[key] = count + 1, time.monotonic() + pause
        self._ended()
