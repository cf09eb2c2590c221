"""Chains of both kinds, and accounts by role."""

from pathlib import Path

import pytest
from eth_account.signers.local import LocalAccount
from web3.contract import Contract

from fhevm.compiler import Artifact
from fhevm.devchain import dev_accounts, in_process_chain
from fogbound.artifacts import compile_contract
from fogbound.chain import Chain

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
