"""Chains, accounts and a local fhEVM for the tests of this package."""

import random
import socket
import subprocess
import time
from contextlib import contextmanager

import pytest
from web3 import Web3

from fhevm import toolchain
from fhevm.devchain import dev_accounts
from fhevm.local import LocalFhevm
from fhevm.pyevm import in_process_chain
from tests.fhevm.calls import Deployed

SEED = bytes(range(32))


@contextmanager
def running_anvil():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen([str(toolchain.anvil()), "--port", str(port), "--silent"])
    try:
        w3 = Web3(Web3.HTTPProvider(f"http://127.0.0.1:{port}"))
        give_up = time.monotonic() + 30
        while not w3.is_connected():
            assert process.poll() is None
            assert time.monotonic() < give_up
            time.sleep(0.02)
        yield w3
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def alice():
    return dev_accounts()[1]


@pytest.fixture
def bob():
    return dev_accounts()[2]


@pytest.fixture
def anvil():
    with running_anvil() as w3:
        yield w3


@pytest.fixture
def py_evm():
    return in_process_chain()


@pytest.fixture(params=["py-evm", "anvil"])
def chain(request):
    """A new chain of either kind."""
    return request.getfixturevalue(request.param.replace("-", "_"))


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
