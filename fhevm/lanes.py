"""Threads that work for many clients, none of which gets all of them."""

from collections import Counter
from collections.abc import Callable
from threading import Condition, Thread

from fhevm.fair import FairQueue

Work = Callable[[], None]


class Lane:
    """`threads` that run what is put here, in the order of a FairQueue; one client has all but one at most.

    They are daemons: whoever stops the process does not wait for them.
    """

    def __init__(self, name: str, threads: int) -> None:
        self._most = max(1, threads - 1)
        self._queue: FairQueue[Work] = FairQueue()
        self._running: Counter[str] = Counter()
        self._changed = Condition()
        self._is_open = True
        for number in range(threads):
            Thread(target=self._work, name=f"gateway-{name}-{number}", daemon=True).start()

    def put(self, client: str, cost: float, work: Work) -> None:
        """Have `work`, which raises nothing, run in its turn."""
        with self._changed:
            self._queue.put(client, cost, work)
            self._changed.notify()

    def close(self) -> None:
        """Start nothing more."""
        with self._changed:
            self._is_open = False
            self._changed.notify_all()

    def _work(self) -> None:
        while (taken := self._take()) is not None:
            client, work = taken
            try:
                work()
            finally:
                self._leave(client)

    def _take(self) -> tuple[str, Work] | None:
        with self._changed:
            while self._is_open:
                taken = self._queue.take(lambda client: self._running[client] < self._most)
                if taken is not None:
                    self._running[taken[0]] += 1
                    return taken
                self._changed.wait()
            return None

    def _leave(self, client: str) -> None:
        with self._changed:
            self._running[client] -= 1
            if not self._running[client]:
                del self._running[client]
            self._changed.notify()
