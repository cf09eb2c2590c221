"""Chains of both kinds, and accounts by role."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from eth_account.signers.local import LocalAccount
from web3.contract import Contract

from fhevm.compiler import Artifact
from fhevm.devchain import dev_accounts
from fhevm.freshchain import fresh_chain
from fogbound.artifacts import compile_contract
from fogbound.chain import Chain
from fogbound.contracts import Registry
from fogbound.games import TableTerms
from fogbound.table import Clocks, TimeControl
from tests.fogbound.sandbox import SandboxClient
from tests.fogbound.served import ServedChain
from tests.passing_time import pass_time

HERE = Path(__file__).parent


@pytest.fixture
def chain() -> Chain:
    """A chain in this process."""
    return Chain(fresh_chain())


@pytest.fixture
def served(tmp_path: Path) -> Iterator[ServedChain]:
    """The local chain's process, on a folder of the test's own."""
    served = ServedChain(tmp_path)
    served.start()
    yield served
    served.process.stop()


@pytest.fixture
def anvil_chain(served: ServedChain) -> Chain:
    """A client of it."""
    return Chain.connect(served.url)


@pytest.fixture
def deployer() -> LocalAccount:
    return dev_accounts()[0]


@pytest.fixture
def host() -> LocalAccount:
    return dev_accounts()[1]


@pytest.fixture
def guest() -> LocalAccount:
    return dev_accounts()[2]


@pytest.fixture
def outsider() -> LocalAccount:
    return dev_accounts()[3]


@pytest.fixture(scope="session")
def sample_artifact() -> Artifact:
    return compile_contract(HERE / "Sample.sol", HERE)


@pytest.fixture
def sample(chain: Chain, deployer: LocalAccount, sample_artifact: Artifact) -> Contract:
    receipt = chain.deploy(deployer, sample_artifact.abi, sample_artifact.bytecode, [])
    return chain.contract(receipt["contractAddress"], sample_artifact.abi)


@pytest.fixture
def registry(chain: Chain, deployer: LocalAccount) -> Registry:
    """The test game: 60 s or 300 s for a move, 600 s + 100 s to a void."""
    deployed = Registry()
    terms = TableTerms(
        deployer.address, Clocks(600, 100, 200), (TimeControl(60), TimeControl(300, 1))
    )
    deployed.deploy(chain, deployer, "Sandbox", terms.arguments)
    return deployed


@pytest.fixture
def seats(chain: Chain, registry: Registry) -> Callable[[LocalAccount], SandboxClient]:
    """A client of the test game for an account."""
    contract = registry.contract(chain, "Sandbox")
    return lambda account: SandboxClient(chain, contract, account)


@pytest.fixture
def open_game(
    seats: Callable[[LocalAccount], SandboxClient], host: LocalAccount, guest: LocalAccount
) -> Callable[..., int]:
    """Open a game for two and fill it; its id."""

    def open_and_join(stake: int = 0) -> int:
        game_id = seats(host).open(b"", 2, stake=stake)
        seats(guest).join(game_id)
        return game_id

    return open_and_join


@pytest.fixture
def travel(chain: Chain) -> Callable[[int], None]:
    """Let time pass: the next transaction is in second `to` + 1 or later."""
    return lambda to: pass_time(chain, to + 1)
