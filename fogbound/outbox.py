"""What one connection is still to be sent, and whether it reads at all."""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar

ROOM_BYTES = 8 << 20  # beyond it whoever does not read is cut off
MOST_BYTES = 256 << 20  # beyond it also whoever reads; blocks are shared with the other connections
LEAST_BYTES = 16 << 10  # what the smallest message counts for
SILENT_SECONDS = 3.0

T = TypeVar("T")


class Overfull(Exception):
    """Its owner reads nothing, or far too slowly."""


class Outbox(Generic[T]):
    """Messages in order, with their weights in bytes. A message is taken whole, however heavy it is."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._messages: deque[tuple[T, int]] = deque()
        self._weight = 0
        self._moved = 0.0
        self._is_filled = asyncio.Event()

    @property
    def has_room(self) -> bool:
        """Whether its owner is not far behind."""
        return self._weight <= ROOM_BYTES

    @property
    def is_silent(self) -> bool:
        """Whether there is something to read and its owner has read nothing for SILENT_SECONDS."""
        return bool(self._messages) and self._clock() - self._moved >= SILENT_SECONDS

    def put(self, message: T, weight: int) -> None:
        """Raises Overfull where there is no room and the owner is silent, or beyond MOST_BYTES."""
        if self._weight > MOST_BYTES or (self.is_silent and not self.has_room):
            raise Overfull
        if not self._messages:
            self.move()
        self._messages.append((message, max(weight, LEAST_BYTES)))
        self._weight += self._messages[-1][1]
        self._is_filled.set()

    async def first(self) -> T:
        """The oldest message, once there is one; it stays until `pop`."""
        await self._is_filled.wait()
        return self._messages[0][0]

    def move(self) -> None:
        """A part of the oldest message was sent, or passed over."""
        self._moved = self._clock()

    def pop(self) -> None:
        """All of the oldest message was sent."""
        self._weight -= self._messages.popleft()[1]
        if not self._messages:
            self._is_filled.clear()
