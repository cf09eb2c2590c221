"""Attested inputs that no block has used: who had them attested, and which have to go.

An input is forgotten when it is a day old; sooner where its client holds more than their share, or all hold
too much: then the oldest of the heaviest client goes.
"""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

SECONDS = 86_400.0
CLIENT_BYTES = 64 << 20
ALL_BYTES = 1 << 30


@dataclass
class _Client:
    size: int = 0
    inputs: OrderedDict[bytes, tuple[float, int]] = field(default_factory=OrderedDict)


class Unused:
    """Knows inputs by their digests. Not safe between threads. The client "" has no share of its own."""

    def __init__(
        self,
        seconds: float = SECONDS,
        client_bytes: int = CLIENT_BYTES,
        all_bytes: int = ALL_BYTES,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._seconds = seconds
        self._client_bytes = client_bytes
        self._all_bytes = all_bytes
        self._clock = clock
        self._clients: dict[str, _Client] = {}
        self._owner: dict[bytes, str] = {}

    def __len__(self) -> int:
        return len(self._owner)

    def add(self, digest: bytes, size: int, client: str = "") -> list[bytes]:
        """Note an input; which others have to go for it."""
        self.use(digest)
        owner = self._clients.setdefault(client, _Client())
        owner.inputs[digest] = self._clock(), size
        owner.size += size
        self._owner[digest] = client
        gone = []
        while client and owner.size > self._client_bytes:
            gone.append(self._drop_oldest(client))
        while sum(each.size for each in self._clients.values()) > self._all_bytes:
            gone.append(self._drop_oldest(max(self._clients, key=lambda c: self._clients[c].size)))
        return gone

    def use(self, digest: bytes) -> None:
        """A block has used it: it stays."""
        client = self._owner.pop(digest, None)
        if client is not None:
            owner = self._clients[client]
            owner.size -= owner.inputs.pop(digest)[1]
            if not owner.inputs:
                del self._clients[client]

    def take_old(self) -> list[bytes]:
        """Those whose time is over."""
        before, gone = self._clock() - self._seconds, []
        for client in list(self._clients):
            while client in self._clients and self._oldest(client)[1] <= before:
                gone.append(self._drop_oldest(client))
        return gone

    def _oldest(self, client: str) -> tuple[bytes, float]:
        digest, (born, _) = next(iter(self._clients[client].inputs.items()))
        return digest, born

    def _drop_oldest(self, client: str) -> bytes:
        digest, _ = self._oldest(client)
        self.use(digest)
        return digest
