"""How much may be spent in an hour."""

import time


class Budget:
    """An hour's amount, which may be spent at once and grows again second by second.

    A part is kept for what matters most: the rest of the work stops earlier.
    """

    RESERVED = 0.5

    def __init__(self, an_hour: float) -> None:
        """`an_hour`: in whatever is counted."""
        self._an_hour = an_hour
        self._left = an_hour
        self._counted = time.monotonic()

    def spend(self, amount: float) -> None:
        """Count what was spent; it may be more than was left."""
        self._left -= amount

    def allows(self, *, reserved: bool) -> bool:
        """Whether anything is left: of all of it, or (not `reserved`) of the part that is for everything."""
        self._grow()
        return self._left > (0 if reserved else self.RESERVED * self._an_hour)

    def _grow(self) -> None:
        now = time.monotonic()
        grown = self._left + max(now - self._counted, 0.0) * self._an_hour / 3600
        self._left, self._counted = min(grown, self._an_hour), now
