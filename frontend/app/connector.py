"""The connection to the chain that is served: made when it is needed, and anew after a reset."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from threading import Lock

from fhevm.errors import FhevmError
from fogbound.connection import Connection
from fogbound.errors import FogboundError
from frontend.app.errors import UpstreamFailed
from frontend.app.network import Network

log = logging.getLogger(__name__)


@contextmanager
def reaching() -> Iterator[None]:
    """Raise UpstreamFailed for what chain or gateway raise. Their words may hold an address with a key."""
    try:
        yield
    except (FogboundError, FhevmError) as error:
        log.warning("chain or gateway: %s", type(error).__name__)
        raise UpstreamFailed("the chain or the gateway does not answer") from error


class Connector:
    """Hands out one connection to all who ask, from any thread."""

    def __init__(self, find: Callable[[], Network]) -> None:
        """`find`: says where the chain is now; asked again after `forget`."""
        self._find = find
        self._lock = Lock()
        self._network: Network | None = None
        self._connection: Connection | None = None

    def network(self) -> Network:
        """Where the chain is. Raises StackNotRunning, SettingsInvalid."""
        with self._lock:
            if self._network is None:
                self._network = self._find()
            return self._network

    def connection(self) -> Connection:
        """The chain with its games, and the fhEVM's client. Raises as `network` and Network.connect do."""
        network = self.network()
        with self._lock:
            if self._connection is None:
                self._connection = network.connect()
            return self._connection

    def reading(self) -> Connection:
        """A connection of one's own to the chain alone, for who needs no gateway."""
        return replace(self.network(), gateway=None).connect()

    def forget(self) -> None:
        """Connect anew at the next use: the chain is another, or elsewhere."""
        with self._lock:
            self._network = self._connection = None
