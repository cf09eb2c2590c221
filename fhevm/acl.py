"""The ACL contract as the KMS reads it: who may decrypt what, at one block."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import requests
from web3 import Web3
from web3.exceptions import Web3Exception

from fhevm.errors import Unavailable
from fhevm.handles import Handle
from fhevm.host_contracts import host_contract


@dataclass(frozen=True)
class Moment:
    """A block and its time (seconds since 1970), the only clock of this package."""

    block: int
    timestamp: int


class Acl:
    """Reads the ACL at `address`. Every method raises Unavailable where the chain does not answer."""

    def __init__(self, w3: Web3, address: str) -> None:
        self._w3 = w3
        self._functions = host_contract(w3, "ACL", address).functions

    def now(self) -> Moment:
        """The newest block."""
        with chain_answers():
            block = self._w3.eth.get_block("latest")
            return Moment(block["number"], block["timestamp"])

    def may_read(self, handle: Handle, account: str, at: Moment) -> bool:
        """Whether `account` is allowed on the handle for good (not only in a transaction)."""
        return self._call("persistAllowed", at, bytes(handle), account)

    def is_public(self, handle: Handle, at: Moment) -> bool:
        """Whether anybody may decrypt the handle."""
        return self._call("isAllowedForDecryption", at, bytes(handle))

    def is_delegated(
        self, delegator: str, delegate: str, contract: str, handle: Handle, at: Moment
    ) -> bool:
        """Whether `delegate` may read what the delegator and the contract may."""
        return self._call(
            "isHandleDelegatedForUserDecryption", at, delegator, delegate, contract, bytes(handle)
        )

    def _call(self, function: str, at: Moment, *arguments: object) -> bool:
        with chain_answers():
            call = self._functions[function](*arguments)
            return bool(call.call(block_identifier=at.block))


@contextmanager
def chain_answers() -> Iterator[None]:
    """Whatever goes wrong on the way to the chain is raised as Unavailable."""
    try:
        yield
    except (Web3Exception, requests.RequestException, OSError) as error:
        raise Unavailable(f"the chain does not answer: {type(error).__name__}") from error
