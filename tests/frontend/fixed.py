"""A connector to a connection that is there already."""

from fogbound.connection import Connection
from frontend.app.connector import Connector
from frontend.app.network import Network


class FixedConnector(Connector):
    """Leads to one connection, also after `forget`."""

    def __init__(self, connection: Connection) -> None:
        chain_id = connection.chain.chain_id
        network = Network("http://127.0.0.1:1", None, chain_id, connection.registry)
        super().__init__(lambda: network)
        self._fixed = connection

    def connection(self) -> Connection:
        return self._fixed

    def reading(self) -> Connection:
        return self._fixed
