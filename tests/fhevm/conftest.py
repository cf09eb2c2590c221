"""Chains, accounts and a local fhEVM for the tests of this package."""

import random

import pytest

from fhevm.devchain import dev_accounts
from fhevm.freshchain import end_chain, fresh_chain
from fhevm.local import LocalFhevm
from fhevm.rpc import connect_rpc
from fogbound.ports import free_port
from tests.fhevm.calls import Deployed

SEED = bytes(range(32))


@pytest.fixture
def alice():
    return dev_accounts()[1]


@pytest.fixture
def bob():
    return dev_accounts()[2]


@pytest.fixture
def chain():
    """A new chain."""
    return fresh_chain()


@pytest.fixture
def served_chain():
    """A new chain that other processes reach over HTTP."""
    w3 = fresh_chain(port=free_port())
    yield connect_rpc(w3.provider.endpoint_uri)
    end_chain(w3)


@pytest.fixture
def stack(chain):
    with LocalFhevm.create(chain, "clear", SEED) as local:
        yield local


@pytest.fixture
def operators(stack, alice):
    return Deployed(stack.w3, "Operators", alice)


@pytest.fixture
def randomness():
    seed = random.randrange(2**32)
    print("seed", seed)
    return random.Random(seed)
