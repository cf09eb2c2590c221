"""The connections of one listener: how many there are, and who gives way where places are wanted.

Whoever connects shares them, so what counts is what a connection is good for now: those whose last request
is the longest ago go first, those that are being answered last.
"""

import asyncio

from fhevm.descriptors import room_for_connections
from fhevm.unread import Unread


class Connections:
    """Of one event loop."""

    def __init__(self, most: int | None = None, read_seconds: float | None = None) -> None:
        """`most`: None: as many as this process may have; `read_seconds`: see Unread."""
        self.unread = Unread(read_seconds)
        self._most = room_for_connections() if most is None else most
        # Both in the order in which they came to be so.
        self._idle: dict[asyncio.Transport, None] = {}
        self._served: dict[asyncio.Transport, None] = {}
        self._kept: set[asyncio.Transport] = set()

    def enter(self, transport: asyncio.Transport) -> None:
        """One more has come; where all places are taken, another gives way."""
        if len(self._idle) + len(self._served) + len(self._kept) >= self._most:
            self._give_way()
        self._idle[transport] = None

    def serve(self, transport: asyncio.Transport) -> None:
        """The whole of a request is there."""
        if self._idle.pop(transport, self) is None:
            self._served[transport] = None

    def rest(self, transport: asyncio.Transport) -> None:
        """It was answered."""
        if self._served.pop(transport, self) is None:
            self._idle[transport] = None

    def keep(self, transport: asyncio.Transport) -> None:
        """It gives way to no other from now on: somebody else bounds those of its kind."""
        if self._idle.pop(transport, self) is None or self._served.pop(transport, self) is None:
            self._kept.add(transport)

    def leave(self, transport: asyncio.Transport) -> None:
        """It has ended."""
        self._idle.pop(transport, None)
        self._served.pop(transport, None)
        self._kept.discard(transport)
        self.unread.forget(transport)

    def _give_way(self) -> None:
        for each in (self._idle, self._served):
            if each:
                transport = next(iter(each))
                self.leave(transport)
                transport.abort()
                return
