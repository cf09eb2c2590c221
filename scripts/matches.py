"""Games of the real contracts, played call by call on a fresh chain; the fold goes along."""

from functools import cache
from typing import Any, Self

from eth_account.signers.local import LocalAccount

from fhevm.compiler import Artifact, compile_sources
from fhevm.devchain import dev_accounts
from fhevm.freshchain import fresh_chain, travel
from fogbound.artifacts import SETTINGS, SOLC_VERSION, SOURCES
from fogbound.chain import Chain
from fogbound.clocks import Clocks, TimeControl
from fogbound.contracts import Registry
from fogbound.events import Event
from fogbound.fold import Table
from fogbound.game import Game
from fogbound.games import TableTerms
from fogbound.history import History
from fogbound.replay import Replayed, Rules, replay
from fogbound.table import TableClient

CLOCKS = Clocks(600, 100, 200)
CONTROLS = (TimeControl(60), TimeControl(300, 1))
DEPLOYER, *PEOPLE = dev_accounts()
TERMS = TableTerms(DEPLOYER.address, CLOCKS, CONTROLS)


class Hall:
    """One deployed contract, and people who sit down there."""

    def __init__(self, chain: Chain, client: TableClient, rules: Rules[Any]) -> None:
        self.chain, self.client, self.rules = chain, client, rules
        self.contract, self.terms = client.contract, client.terms

    @classmethod
    def deploy(cls, contract: str, rules: Rules[Any]) -> Self:
        """A contract of contracts/testing on a new chain."""
        chain, registry = Chain(fresh_chain()), Registry()
        block = registry.deploy(chain, DEPLOYER, contract, TERMS.arguments).block
        client = TableClient(chain, registry.contract(chain, contract), DEPLOYER)
        client.history = History(chain, client.contract, block)
        return cls(chain, client, rules)

    def newest(self) -> int:
        """The game that was opened last."""
        return int(self.chain.read(self.contract.functions.gameCount()))

    def call(self, who: LocalAccount, name: str, *arguments: Any, value: int = 0) -> None:
        """Raises ContractError."""
        self.chain.transact(who, self.contract.functions[name](*arguments), value=value)

    def through(self, puppet: Any, name: str, *arguments: Any, value: int = 0) -> None:
        """The same by a contract account."""
        data = self.contract.encode_abi(name, args=list(arguments))
        call = puppet.functions.act(self.contract.address, data)
        self.chain.transact(DEPLOYER, call, value=value, gas=2_000_000)

    def puppet(self, name: str) -> Any:
        """A contract account of contracts/testing/Puppets.sol."""
        made = _puppets()[name]
        receipt = self.chain.deploy(DEPLOYER, made.abi, made.bytecode, [])
        return self.chain.contract(receipt["contractAddress"], made.abi)

    def travel(self, to: int) -> None:
        """The next transaction is in second `to` + 1 or later."""
        travel(self.chain.web3, to + 1)

    def events(self, game_id: int) -> list[Event]:
        return self.client.history.of_game(game_id)

    def replay(self, game_id: int) -> Replayed[Any]:
        return replay(self.events(game_id), self.rules, self.terms)

    def check(self, game_id: int) -> Replayed[Any]:
        """The fold must say what the contract's views say."""
        played = self.replay(game_id)
        game = self.client.game(game_id)
        assert as_viewed(played.table) == game
        proofs = tuple(
            tuple(self.chain.read(self.contract.functions.proofClockOf(game_id, seat)))
            for seat in range(len(game.players))
        )
        assert proof_clocks(played.table) == proofs
        return played


def as_viewed(table: Table) -> Game:
    """What the views show of a folded table."""
    return Game(
        id=table.id,
        phase=table.phase,
        outcome=table.outcome,
        players=table.players,
        stake=table.stake,
        invited=table.invited,
        on_turn=table.on_turn,
        consents=table.consents,
        keep_alives=table.keep_alives,
        winners=table.winners,
        void_announced=table.void_announced,
        control=table.control,
        move_number=table.move_number,
        deadline=table.deadline,
        mark=table.mark,
    )


def proof_clocks(table: Table) -> tuple[tuple[int, bool], ...]:
    """As proofClockOf."""
    return tuple(
        (0, False) if each is None else (each.deadline, each.owed) for each in table.proofs
    )


@cache
def _puppets() -> dict[str, Artifact]:
    file = "Puppets.sol"
    text = (SOURCES / "testing" / file).read_text()
    return compile_sources({file: text}, version=SOLC_VERSION, settings=SETTINGS, wanted=[file])
