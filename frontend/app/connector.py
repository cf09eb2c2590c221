"""The connection to the chain that is served: made when it is needed, and anew after a reset."""

from collections.abc import Callable
from dataclasses import replace
from threading import Lock

from fogbound.connection import Connection
from frontend.app.network import Network


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
