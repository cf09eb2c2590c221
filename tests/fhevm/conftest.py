"""Contracts, accounts and a local fhEVM for the tests of this package."""

import random
from pathlib import Path

import pytest
from web3 import Web3

from fhevm.compiler import compile_sources
from fhevm.devchain import dev_accounts, in_process_chain
from fhevm.local import LocalFhevm

CONTRACTS = Path(__file__).parents[2] / "contracts" / "testing"
SEED = bytes(range(32))


class Deployed:
    """A contract of `contracts/testing` with calls by one account."""

    def __init__(self, w3, name, account):
        artifact = compiled(name)
        self.w3, self.account = w3, account
        factory = w3.eth.contract(abi=artifact.abi, bytecode=artifact.bytecode)
        self.contract = w3.eth.contract(
            address=self._mined(factory.constructor())["contractAddress"], abi=artifact.abi
        )

    def send(self, function, *arguments, account=None):
        return self._mined(self.contract.functions[function](*arguments), account)

    def call(self, function, *arguments):
        return self.contract.functions[function](*arguments).call()

    def results(self):
        return [self.call("results", index) for index in range(self.call("count"))]

    def _mined(self, call, account=None):
        sender = account or self.account
        transaction = call.build_transaction(
            {
                "from": sender.address,
                "nonce": self.w3.eth.get_transaction_count(sender.address),
                "gas": 15_000_000,
                "maxFeePerGas": 10**11,
                "maxPriorityFeePerGas": 1,
                "chainId": 31337,
            }
        )
        signed = sender.sign_transaction(transaction)
        receipt = self.w3.eth.wait_for_transaction_receipt(
            self.w3.eth.send_raw_transaction(signed.raw_transaction), poll_latency=0.005
        )
        assert receipt["status"] == 1
        return receipt


def compiled(name):
    settings = {
        "evmVersion": "cancun",
        "viaIR": True,
        "optimizer": {"enabled": True, "runs": 800},
    }
    sources = {f"{name}.sol": (CONTRACTS / f"{name}.sol").read_text()}
    return compile_sources(sources, version="0.8.37", settings=settings)[name]


def snapshot(w3: Web3):
    """Remember the chain's state; calling the result goes back to it."""
    request = w3.provider.make_request
    try:
        tester = w3.provider.ethereum_tester
    except AttributeError:
        number = request("evm_snapshot", [])["result"]
        return lambda: request("evm_revert", [number])
    number = tester.take_snapshot()
    return lambda: tester.revert_to_snapshot(number)


@pytest.fixture
def alice():
    return dev_accounts()[1]


@pytest.fixture
def bob():
    return dev_accounts()[2]


@pytest.fixture
def py_evm():
    return in_process_chain()


@pytest.fixture
def stack(py_evm):
    with LocalFhevm.create(py_evm, "clear", SEED) as fhevm:
        yield fhevm


@pytest.fixture
def operators(stack, alice):
    return Deployed(stack.w3, "Operators", alice)


@pytest.fixture
def randomness():
    seed = random.randrange(2**32)
    print("seed", seed)
    return random.Random(seed)
