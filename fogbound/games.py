"""The games that are installed, found by entry points, so that nothing here names one."""

from collections.abc import Callable, Mapping
from dataclasses import astuple, dataclass, field
from importlib.metadata import entry_points
from typing import Any

from eth_account.signers.local import LocalAccount

from fhevm.eip712 import Domains
from fogbound.bots import MakeAct
from fogbound.clocks import CLOCKS, TIME_CONTROLS, Clocks, TimeControl
from fogbound.errors import GameNotInstalled, RecordInvalid
from fogbound.events import EventTypes
from fogbound.reasons import RecordReason
from fogbound.records import Record
from fogbound.table import TableClient

GROUP = "fogbound.games"


@dataclass(frozen=True)
class TableTerms:
    """What a deployment decides for every game: the pool's owner, the clocks, the time controls."""

    pool_owner: str
    clocks: Clocks = CLOCKS
    controls: tuple[TimeControl, ...] = TIME_CONTROLS

    @property
    def arguments(self) -> tuple[Any, ...]:
        """As every table's constructor takes them."""
        return (self.pool_owner, astuple(self.clocks), [astuple(each) for each in self.controls])


def no_duty(client: TableClient, game_id: int) -> bool:
    """The `tend` of a game that never waits for anybody."""
    del client, game_id
    return False


def no_parameters(data: bytes) -> dict[str, Any]:
    """The `parameters` of a game that is always opened alike."""
    del data
    return {}


def no_export(client: TableClient, game_id: int, exporter: LocalAccount) -> Record:
    """The `export` of a game that has no records."""
    del game_id, exporter
    raise RecordInvalid(RecordReason.NO_RECORDS, game=type(client).__name__)


def no_verify(record: Record, domains: Domains | None = None) -> None:
    """The `verify` of a game that has no records."""
    del domains
    raise RecordInvalid(RecordReason.NO_RECORDS, game=record.game)


@dataclass(frozen=True)
class GameSpec:
    """What the shared tools must know of a game. Each game has one, named by its entry point.

    `constructor` gives the contract's constructor arguments; `client` is made as
    `client(chain, contract, account, fhevm=…)`. `tend(client, game_id)` does at once what anybody
    may do for a game that waits (prove a decryption, settle a result) and says whether it did.
    `encrypted`: the contract needs the fhEVM's host contracts on its chain.
    `parameters(data)`: what a game was opened with (GameOpened's `parameters`), as JSON values.
    `events`: those that the contract adds to the table's. `export(client, game_id, exporter)`: the record
    of a game; `verify(record, domains)` raises RecordInvalid unless it holds what it claims, `domains`
    being those of the record's chain.
    `bots`: what makes them, by name; the first is the one to play against by default.
    """

    name: str
    contract: str
    client: type[TableClient]
    constructor: Callable[[TableTerms], tuple[Any, ...]]
    tend: Callable[[Any, int], bool] = no_duty
    encrypted: bool = False
    parameters: Callable[[bytes], dict[str, Any]] = no_parameters
    events: EventTypes = field(default_factory=dict)
    export: Callable[[Any, int, LocalAccount], Record] = no_export
    verify: Callable[[Record, Domains | None], object] = no_verify
    bots: Mapping[str, MakeAct] = field(default_factory=dict)


def installed_games() -> dict[str, GameSpec]:
    """Every installed game by name, in order of name."""
    found = sorted(entry_points(group=GROUP), key=lambda point: point.name)
    return {point.name: point.load() for point in found}


def installed_events() -> dict[str, EventTypes]:
    """The events of every installed game's own, by name: what a record may hold."""
    return {name: spec.events for name, spec in installed_games().items()}


def find_game(name: str) -> GameSpec:
    """One installed game. Raises GameNotInstalled."""
    for point in entry_points(group=GROUP, name=name):
        spec: GameSpec = point.load()
        return spec
    raise GameNotInstalled(name)
