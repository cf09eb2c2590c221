"""How many connections one client may hold, beside what holds for all of them (see fhevm.listening)."""

from collections import Counter
from collections.abc import Iterable
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Any

from fhevm.listening import BoundedProtocol
from frontend.app.limits import client_of


class Clients:
    """Counts the connections of each. Whoever is in `proxies` holds those of others, hence any number."""

    def __init__(self, limit: int, proxies: Iterable[str] = ()) -> None:
        """`limit` for each client."""
        self._limit = limit
        self._proxies = [network for each in proxies for network in _networks(each)]
        self._held: Counter[str] = Counter()

    def enter(self, client: str) -> bool:
        """Count one more, where they may have one."""
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


class CountedProtocol(BoundedProtocol):
    """One connection of a client who has few enough of them: else it is closed."""

    def __init__(self, clients: Clients, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self._clients = clients
        self._counted_as: str | None = None

    def admits(self) -> bool:
        """Whether this client may have one more, which counts from now on."""
        client = client_of({"client": self.client})
        if self._clients.enter(client):
            self._counted_as = client
        return self._counted_as is not None

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        super().connection_lost(exc)
        if self._counted_as is not None:
            self._clients.leave(self._counted_as)


def _networks(text: str) -> list[IPv4Network | IPv6Network]:
    """An address or a network; none where it is a name."""
    try:
        return [ip_network(text, strict=False)]
    except ValueError:
        return []
