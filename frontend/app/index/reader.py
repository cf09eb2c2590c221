"""What the index asks the chain: the events of every deployed game, and how its games stand."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from web3.contract import Contract

from fhevm.addresses import LOCAL_CHAIN_ID
from fhevm.devchain import dev_accounts
from fogbound.chain import Block, Chain
from fogbound.connection import Connection
from fogbound.contracts import check
from fogbound.errors import NotDeployed
from fogbound.game import Game
from fogbound.games import GameSpec
from fogbound.history import Event
from fogbound.table import TableClient
from fogbound.views import View
from frontend.app.errors import NotFound
from frontend.app.index.batch import Followed, Key

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
        self.controls = {name: table.time_controls() for name, table in self._tables.items()}
        self._views = {
            name: _Views(self.chain, table.contract) for name, table in self._tables.items()
        }
        self._histories = {name: connection.history(spec) for name, spec in self.specs.items()}

    @property
    def is_local(self) -> bool:
        """Whether the chain is one of this machine, whose money is worth nothing."""
        return self.chain.chain_id == LOCAL_CHAIN_ID

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
        by_kind: dict[str, list[int]] = {}
        for kind, game_id in sorted(keys):
            by_kind.setdefault(kind, []).append(game_id)
        return {
            (kind, game.id): game
            for kind, ids in by_kind.items()
            for game in self._views[kind].games(ids, block)
        }


class _Views:
    """How a table's games stand, many at once."""

    def __init__(self, chain: Chain, contract: Contract) -> None:
        self._turns = View(chain, contract, "turnOf")
        self._seats = View(chain, contract, "seatsOf")

    def games(self, ids: Sequence[int], block: int) -> Iterator[Game]:
        """In the order of `ids`."""
        turns, seats = self._turns.of(ids, block), self._seats.of(ids, block)
        return map(Game.parse, ids, turns, seats)


def _table(connection: Connection, spec: GameSpec) -> TableClient:
    contract = connection.registry.contract(connection.chain, spec.contract)
    return TableClient(connection.chain, contract, NOBODY_IN_PARTICULAR)
