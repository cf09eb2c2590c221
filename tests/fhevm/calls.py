"""Contracts of `contracts/testing`, for the tests of this folder."""

from functools import cache
from pathlib import Path

from fhevm.compiler import compile_sources

CONTRACTS = Path(__file__).parents[2] / "contracts" / "testing"
SETTINGS = {
    "evmVersion": "cancun",
    "viaIR": True,
    "optimizer": {"enabled": True, "runs": 800},
}


@cache
def compiled(name):
    file = f"{name}.sol"
    sources = {file: (CONTRACTS / file).read_text()}
    return compile_sources(sources, version="0.8.37", settings=SETTINGS, wanted=[file])[name]


class Deployed:
    """A contract with calls by one account."""

    def __init__(self, w3, name, account):
        artifact = compiled(name)
        self.w3, self.account = w3, account
        factory = w3.eth.contract(abi=artifact.abi, bytecode=artifact.bytecode)
        address = self._mined(factory.constructor())["contractAddress"]
        self.contract = w3.eth.contract(address=address, abi=artifact.abi)

    @classmethod
    def at(cls, w3, name, account, address):
        made = cls.__new__(cls)
        made.w3, made.account = w3, account
        made.contract = w3.eth.contract(address=address, abi=compiled(name).abi)
        return made

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
                "gasPrice": 10**10,
                "chainId": 31337,
            }
        )
        signed = sender.sign_transaction(transaction)
        receipt = self.w3.eth.wait_for_transaction_receipt(
            self.w3.eth.send_raw_transaction(signed.raw_transaction), poll_latency=0.005
        )
        assert receipt["status"] == 1
        return receipt
