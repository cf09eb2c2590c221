"""How long a connection may let the server wait for a request, and how many connections one client may hold.

Uvicorn waits for a request's head, and for the rest of a body that was answered already, for ever. A body's
own time and size are for limits.py, which can still answer.
"""

import asyncio
from collections import Counter
from collections.abc import Iterable
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from frontend.app.limits import client_of

ANSWER_SECONDS = 10.0  # beyond a body's time, so that whoever was too slow hears of it
HEAD, BODY = h11.IDLE, h11.SEND_BODY  # what a connection is at, as h11 names it


class Connections:
    """Counts those of each client. Whoever is in `proxies` holds those of others, hence any number."""

    def __init__(self, limit: int, seconds: float, proxies: Iterable[str] = ()) -> None:
        """`limit` for each client; `seconds` for a request's head, and again for its body."""
        self.patience = {HEAD: seconds, BODY: seconds + ANSWER_SECONDS}
        self._limit = limit
        self._proxies = [network for each in proxies for network in _networks(each)]
        self._held: Counter[str] = Counter()

    def enter(self, client: str) -> bool:
        """Count one more, where he may have one."""
        if self._held[client] >= self._limit and not self._is_proxy(client):
            return False
        self._held[client] += 1
        return True

    def leave(self, client: str) -> None:
        """Count one less."""
        self._held[client] -= 1
        if not self._held[client]:
            del self._held[client]

    def _is_proxy(self, client: str) -> bool:
        found = _networks(client)
        return any(one.overlaps(other) for one in found for other in self._proxies)


class BoundedProtocol(H11Protocol):
    """Uvicorn's protocol of one connection, within what `connections` allows: else it is closed."""

    def __init__(self, connections: Connections, **given: Any) -> None:
        super().__init__(**given)
        self._all = connections
        self._counted_as: str | None = None
        self._stage: object = None
        self._end: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin, unless this client holds enough of them."""
        super().connection_made(transport)
        client = client_of({"client": self.client})
        if self._all.enter(client):
            self._counted_as = client
            self._watch()
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        super().connection_lost(exc)
        self._wait(None)
        if self._counted_as is not None:
            self._all.leave(self._counted_as)

    def data_received(self, data: bytes) -> None:
        """Hand on what came."""
        super().data_received(data)
        self._watch()

    def _watch(self) -> None:
        """A head's and a body's time begin with their first byte, however many follow."""
        if self.conn.their_state is not self._stage:
            self._stage = self.conn.their_state
            self._wait(self._all.patience.get(self._stage))

    def _wait(self, seconds: float | None) -> None:
        if self._end:
            self._end.cancel()
        self._end = None if seconds is None else self.loop.call_later(seconds, self.transport.abort)


def _networks(text: str) -> list[IPv4Network | IPv6Network]:
    """An address or a network; none where it is a name."""
    try:
        return [ip_network(text, strict=False)]
    except ValueError:
        return []
