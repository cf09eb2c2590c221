"""Answers that nobody has read yet hold memory: how much of it, and for how long, on all connections."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

MOST_BYTES = 128 << 20
READ_SECONDS = 30.0  # in which some of what waits to be read must be read
LOOK_SECONDS = 1.0


@dataclass
class _Behind:
    """One connection: what waits at its transport, since when that grew no less; and what else is held."""

    size: int
    since: float
    held: int = 0


class Unread:
    """Who reads nothing for some time is cut off; beyond MOST_BYTES whoever is behind the longest."""

    def __init__(self, read_seconds: float | None = None) -> None:
        """`read_seconds`: by default READ_SECONDS."""
        self._read_seconds = READ_SECONDS if read_seconds is None else read_seconds
        self._behind: dict[asyncio.Transport, _Behind] = {}  # who fell behind first comes first
        self._looking: asyncio.TimerHandle | None = None

    def fell_behind(self, transport: asyncio.Transport) -> None:
        """Its transport has taken more than the system takes."""
        self._note(transport)

    def caught_up(self, transport: asyncio.Transport) -> None:
        """It has read what its transport had."""
        found = self._behind.get(transport)
        if found and not found.held:
            self.forget(transport)

    @contextmanager
    def holding(self, transport: asyncio.Transport, size: int) -> Iterator[None]:
        """Meanwhile an answer of `size` bytes waits to be handed to its transport."""
        found = self._note(transport, size)
        try:
            yield
        finally:
            found.held -= size

    def forget(self, transport: asyncio.Transport) -> None:
        """It has ended, or has read everything."""
        self._behind.pop(transport, None)

    def _note(self, transport: asyncio.Transport, held: int = 0) -> _Behind:
        now = asyncio.get_running_loop().time()
        fresh = _Behind(_size(transport), now)
        found = self._behind.setdefault(transport, fresh)
        found.held += held
        self._bound()
        self._look_again()
        return found

    def _bound(self) -> None:
        total = sum(_size(each) + behind.held for each, behind in self._behind.items())
        for transport, behind in list(self._behind.items()):
            if total <= MOST_BYTES:
                return
            total -= _size(transport) + behind.held
            self._cut_off(transport)

    def _look_again(self) -> None:
        if self._behind and self._looking is None:
            self._looking = asyncio.get_running_loop().call_later(LOOK_SECONDS, self._look)

    def _look(self) -> None:
        self._looking = None
        now = asyncio.get_running_loop().time()
        for transport, behind in list(self._behind.items()):
            size = _size(transport)
            if not size and not behind.held:
                self.forget(transport)
            elif not 0 < behind.size <= size:
                behind.since = now
            elif now - behind.since >= self._read_seconds:
                self._cut_off(transport)
            behind.size = size
        self._bound()
        self._look_again()

    def _cut_off(self, transport: asyncio.Transport) -> None:
        self.forget(transport)
        transport.abort()


def _size(transport: asyncio.Transport) -> int:
    return transport.get_write_buffer_size()
