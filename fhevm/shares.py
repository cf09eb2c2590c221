"""Who is next of many accounts that share something: start-time fair queueing (Goyal, Vin and Cheng, 1996).

Each account has a clock of what it was served, which runs as it is served. Whoever comes anew starts at the
time of whoever was started last: nobody saves up, and nobody pays for the past. Next is the task that would
end first by its account's clock. So a task waits for as much work of each other account as it takes itself.
"""

from collections.abc import Set


class Shares:
    """The clocks of one queue, in whatever its work is measured in."""

    def __init__(self) -> None:
        self._clocks: dict[str, int] = {}
        self._now = 0

    def __len__(self) -> int:
        """How many accounts are known."""
        return len(self._clocks)

    def meet(self, there: Set[str]) -> None:
        """`there`: all accounts with work that waits or runs. To be told before `end` is asked."""
        if not there:
            self._clocks.clear()
            self._now = 0
        gone = [each for each, clock in self._clocks.items() if clock <= self._now]
        for account in gone:
            if account not in there:
                del self._clocks[account]
        for account in there:
            self._clocks.setdefault(account, self._now)

    def end(self, account: str, cost: int) -> int:
        """When a task of an account would end if it started now."""
        return self._clocks.get(account, self._now) + cost

    def start(self, account: str) -> None:
        """A task of that account starts."""
        self._now = max(self._now, self._clocks.get(account, 0))

    def serve(self, account: str) -> None:
        """A unit of work was done for an account."""
        self._clocks[account] = self._clocks.get(account, self._now) + 1
