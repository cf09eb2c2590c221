"""EncryptedBox on a chain, and its players, for the tests that go through a contract."""

from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
from web3.exceptions import ContractCustomError, ContractLogicError

from fhevm.compiler import compile_sources
from fhevm.reverts import decode_revert

SOURCE = Path(__file__).parents[2] / "contracts" / "testing" / "EncryptedBox.sol"
SETTINGS = {
    "evmVersion": "cancun",
    "viaIR": True,
    "optimizer": {"enabled": True, "runs": 800},
}


@cache
def artifact():
    name = "contracts/testing/EncryptedBox.sol"
    sources = {name: SOURCE.read_text()}
    compiled = compile_sources(sources, version="0.8.37", settings=SETTINGS, wanted=[name])
    return compiled["EncryptedBox"]


class Box:
    """One deployed EncryptedBox; `account`s sign for themselves."""

    def __init__(self, w3, deployer):
        self.w3 = w3
        compiled = artifact()
        factory = w3.eth.contract(abi=compiled.abi, bytecode=compiled.bytecode)
        receipt = self._send(deployer, factory.constructor())
        self.contract = w3.eth.contract(receipt["contractAddress"], abi=compiled.abi)
        self.address = receipt["contractAddress"]

    def send(self, account, function, *arguments):
        return self._send(account, self.contract.functions[function](*arguments))

    def total(self):
        return self.contract.functions.total().call()

    def flag(self):
        return self.contract.functions.flag().call()

    def half_allowed(self):
        return self.contract.functions.halfAllowed().call()

    def opened(self):
        functions = self.contract.functions
        return functions.opened().call(), functions.openedFlag().call()

    def add(self, client, account, number, mark):
        encrypted = (
            client.encrypt(self.address, account.address).add_uint8(number).add_bool(mark).encrypt()
        )
        return self.send(account, "add", *encrypted.handles, encrypted.proof)

    def _send(self, account, call):
        transaction = call.build_transaction(
            {
                "from": account.address,
                "nonce": self.w3.eth.get_transaction_count(account.address),
                "gas": 5_000_000,
                "gasPrice": 10**10,
            }
        )
        signed = account.sign_transaction(transaction)
        sent = self.w3.eth.send_raw_transaction(signed.raw_transaction)
        receipt = self.w3.eth.wait_for_transaction_receipt(sent, poll_latency=0.01)
        if receipt["status"] != 1:
            call.call({"from": account.address})  # reverts again, now with its data
            raise AssertionError("reverted when mined, but not when called")
        return receipt


@contextmanager
def reverts(name):
    """The call reverts with this custom error, of the contract or of Zama's."""
    with pytest.raises((ContractCustomError, ContractLogicError)) as caught:
        yield
    data = caught.value.data
    error = decode_revert(bytes.fromhex(str(data).removeprefix("0x")), artifact().abi)
    assert error.name == name, error
