"""What the index asks the chain: the events of every deployed game, and how its games stand."""

from collections.abc import Iterable, Mapping

from fhevm.addresses import LOCAL_CHAIN_ID
from fhevm.devchain import dev_accounts
from fogbound.chain import Block
from fogbound.connection import Connection
from fogbound.contracts import check
from fogbound.errors import NotDeployed
from fogbound.game import Game
from fogbound.games import GameSpec
from fogbound.history import Event
from fogbound.table import TableClient
from frontend.app.errors import NotFound
from frontend.app.index.batch import Followed, Key

SAMPLE_BLOCKS = 100
LOCAL_SECONDS_PER_BLOCK = 1.0  # the keeper's heartbeat
NOBODY_IN_PARTICULAR = dev_accounts()[0]  # views need a caller


class Reader:
    """The games that are deployed on one chain. Every method raises what Chain's reading does."""

    def __init__(self, connection: Connection, games: Iterable[GameSpec]) -> None:
        """Raises NotDeployed where not one of the games is, ChainReset."""
        self.chain = connection.chain
        self.specs = {spec.name: spec for spec in games if connection.is_deployed(spec)}
        if not self.specs:
            raise NotDeployed("any game", self.chain.chain_id)
        self.deployments = {
            name: connection.registry.find(spec.contract, self.chain.chain_id)
            for name, spec in self.specs.items()
        }
        self._tables = {name: _table(connection, spec) for name, spec in self.specs.items()}
        self.clocks = {name: table.clocks() for name, table in self._tables.items()}
        self.seconds_per_block = self._seconds_per_block()
        self._histories = {name: connection.history(spec) for name, spec in self.specs.items()}

    @property
    def is_local(self) -> bool:
        """Whether the chain is one of this machine, whose keeper mines while a clock runs."""
        return self.chain.chain_id == LOCAL_CHAIN_ID

    def _seconds_per_block(self) -> float:
        head = self.chain.newest()
        before = self.chain.block(max(head.number - SAMPLE_BLOCKS, 0))
        if self.is_local or before is None or before.number == head.number:
            return LOCAL_SECONDS_PER_BLOCK
        return (head.timestamp - before.timestamp) / (head.number - before.number)

    def table(self, kind: str) -> TableClient:
        """The table of one kind of game, to look at. Raises NotFound where it is not on this chain."""
        if kind not in self._tables:
            raise NotFound(f"{kind} is not deployed on this chain")
        return self._tables[kind]

    def followed(self) -> Followed:
        """What names this chain and these contracts."""
        contracts = {name: each.address for name, each in self.deployments.items()}
        return Followed(self.chain.chain_id, self.chain.block_hash(0) or "", contracts)

    def start(self) -> Block:
        """The block before the first deployment."""
        first = min(each.block for each in self.deployments.values())
        return self.chain.block(max(first - 1, 0)) or self.chain.newest()

    def check(self) -> None:
        """Raise ChainReset where the contracts are no longer there."""
        for deployment in self.deployments.values():
            check(self.chain, deployment)

    def events(self, first: int, last: int) -> list[tuple[str, Event]]:
        """The kinds' events in blocks first … last, in the chain's order."""
        found = [
            (name, event)
            for name, history in self._histories.items()
            for event in history.events(first, last)
        ]
        return sorted(found, key=lambda each: (each[1].block, each[1].index))

    def states(self, keys: Iterable[Key], block: int) -> Mapping[Key, Game]:
        """How these games stood as of `block`."""
        return {(kind, game): self._tables[kind].game(game, block) for kind, game in sorted(keys)}


def _table(connection: Connection, spec: GameSpec) -> TableClient:
    contract = connection.registry.contract(connection.chain, spec.contract)
    return TableClient(connection.chain, contract, NOBODY_IN_PARTICULAR)
