"""What takes a while to read is read once for all who ask at the same time, in one thread."""

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Reading(Generic[T]):
    """Each gets what was read after they asked: the reading that is under way is too old for them."""

    def __init__(self, read: Callable[[], T]) -> None:
        self._read = read
        self._current: asyncio.Task[T] | None = None
        self._next: asyncio.Task[T] | None = None

    async def get(self) -> T:
        """What is read, or the exception that reading raises."""
        if self._next is None:
            self._next = asyncio.create_task(self._after(self._current))
        return await asyncio.shield(self._next)

    async def _after(self, before: asyncio.Task[T] | None) -> T:
        if before and not before.done():
            await asyncio.wait([before])
        self._current, self._next = self._next, None
        return await asyncio.to_thread(self._read)
