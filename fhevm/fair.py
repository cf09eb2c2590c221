"""A queue that is fair between clients by what their items cost: pure, and the same for the same calls.

Each client has a queue of its own, first come first served. Next is whoever was served least by cost. Who
comes anew starts level with who is served now: nobody saves up, and nobody pays for the past for ever. So a
client's first item waits for one item of each other client at most, and the next ones for as much work of
each other client as its own items before cost.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Item = TypeVar("Item")


@dataclass
class _Client(Generic[Item]):
    served: float
    items: deque[tuple[float, int, Item]] = field(default_factory=deque)  # cost, number, item


class FairQueue(Generic[Item]):
    """Items of clients. Not safe between threads."""

    def __init__(self) -> None:
        self._clients: dict[str, _Client[Item]] = {}
        self._level = 0.0  # how much whoever was taken last had been served
        self._count = 0

    def __len__(self) -> int:
        return sum(len(client.items) for client in self._clients.values())

    def put(self, client: str, cost: float, item: Item) -> None:
        """Add an item that costs at least something."""
        known = self._clients.setdefault(client, _Client(self._level))
        if not known.items:
            known.served = max(known.served, self._level)
        self._count += 1
        known.items.append((cost, self._count, item))

    def take(self, may: Callable[[str], bool] = lambda _: True) -> tuple[str, Item] | None:
        """The next client with its item, of those that `may` have one; None where there is none."""
        waiting = [name for name, each in self._clients.items() if each.items and may(name)]
        if not waiting:
            return None
        name = min(waiting, key=self._rank)
        client = self._clients[name]
        self._level = max(self._level, client.served)
        cost, _, item = client.items.popleft()
        client.served += cost
        self._forget()
        return name, item

    def _rank(self, name: str) -> tuple[float, int]:
        client = self._clients[name]
        return client.served, client.items[0][1]

    def _forget(self) -> None:
        """Whoever waits for nothing, and was served no more than others, would begin at the same level again.

        Where nobody waits, nobody was served at another's cost.
        """
        if not len(self):
            self._clients.clear()
            self._level = 0.0
            return
        idle = [
            name
            for name, each in self._clients.items()
            if not each.items and each.served <= self._level
        ]
        for name in idle:
            del self._clients[name]
