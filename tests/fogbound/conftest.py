"""Chains of both kinds, and accounts by role."""

from collections.abc import Callable
from pathlib import Path

import pytest
from eth_account.signers.local import LocalAccount
from web3.contract import Contract

from fhevm.compiler import Artifact
from fhevm.devchain import dev_accounts
from fhevm.pyevm import in_process_chain
from fogbound.artifacts import compile_contract
from fogbound.chain import Chain
from fogbound.contracts import Registry
from tests.fogbound.sandbox import SandboxClient

HERE = Path(__file__).parent


@pytest.fixture
def chain() -> Chain:
    """A chain in this process."""
    return Chain(in_process_chain())


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
    """The test game, deployed with a short clock: 20 blocks for a move, 30 + 10 to a void."""
    deployed = Registry()
    deployed.deploy(chain, deployer, "Sandbox", (deployer.address, (20, 30, 10)))
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
