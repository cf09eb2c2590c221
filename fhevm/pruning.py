"""When operations that nothing allows are forgotten.

What is not allowed by the end of its transaction can never be used or allowed later: the chain's contracts
see to that. It is kept for whoever debugs: for AGE_SECONDS after it was read (counted anew by a restart), and
no longer than it is among the newest MOST_OPERATIONS of all. What the coprocessor still holds is passed over;
it is looked at again, and alone, until it is let go.
"""

import time
from collections import deque
from collections.abc import Callable, Collection
from itertools import islice

from fhevm.handles import Handle
from fhevm.store import PRUNED_AT_ONCE, Place, Store

AGE_SECONDS = 3600.0
MOST_OPERATIONS = 100_000
EVERY_SECONDS = 5.0
_SAMPLE_SECONDS = 60.0
_HURRY = 0.2  # of the usual time, while more is left to forget


class Pruning:
    """Prunes `store` a part at a time."""

    def __init__(
        self,
        store: Store,
        *,
        age_seconds: float = AGE_SECONDS,
        most_operations: int = MOST_OPERATIONS,
        every_seconds: float = EVERY_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._age = age_seconds
        self._most = most_operations
        self._every = every_seconds
        self._clock = clock
        self._heads: deque[tuple[float, int]] = deque()  # when which block was the newest
        self._done: Place = (0, 0)  # all before it was looked at
        self._passed: dict[Place, bytes] = {}  # what was held when it was looked at
        self._next = clock() + every_seconds

    def rewind(self, number: int) -> None:
        """The chain went back to a block."""
        self._done = min(self._done, (number + 1, 0))
        self._passed = {place: made for place, made in self._passed.items() if place[0] <= number}
        self._heads = deque(each for each in self._heads if each[1] <= number)

    def run(self, head: int, held: Callable[[], Collection[Handle]]) -> None:
        """Forget what is due, where it is time; `held`: what is still to be made or read."""
        now = self._clock()
        if now < self._next:
            return
        last = max(self._older_than_age(now, head), self._store.block_before_newest(self._most))
        more = (last >= self._done[0] or bool(self._passed)) and self._forget(last, held())
        self._next = now + (_HURRY * self._every if more else self._every)

    def _forget(self, last: int, held: Collection[Handle]) -> bool:
        """Forget a part of what is due and not held; whether more may be."""
        end = self._done
        if last >= end[0]:
            end, found = self._store.unallowed(end, last)
            self._passed |= found
        held_bytes = {bytes(handle) for handle in held}
        due = ((place, made) for place, made in self._passed.items() if made not in held_bytes)
        gone = dict(islice(due, PRUNED_AT_ONCE))
        self._store.forget_operations(gone, range(self._done[0], end[0]))
        for place in gone:
            del self._passed[place]
        self._done = end
        return end[0] <= last or len(gone) == PRUNED_AT_ONCE

    def _older_than_age(self, now: float, head: int) -> int:
        """The newest block that was read so long ago."""
        if not self._heads or now >= self._heads[-1][0] + min(_SAMPLE_SECONDS, self._age):
            self._heads.append((now, head))
        while len(self._heads) > 1 and self._heads[1][0] <= now - self._age:
            self._heads.popleft()
        then, block = self._heads[0]
        return block if then <= now - self._age else -1
