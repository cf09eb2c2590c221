"""The ACL contract as the KMS reads it: who may decrypt what, at one block.

All questions of a request are one call. That somebody is allowed is never taken back, except with the block
that said so: it is remembered as long as the block that it was read at is on the chain. A delegation ends, so
it is asked for each time.
"""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock

import requests
from web3 import Web3
from web3.exceptions import BlockNotFound, Web3Exception

from fhevm.errors import Unavailable
from fhevm.handles import Handle
from fhevm.host_contracts import host_contract

REMEMBERED = 100_000
# What reading an answer raises that is not as a node's are.
ODD_ANSWER = (LookupError, TypeError, ValueError)
_DELEGATED = "isHandleDelegatedForUserDecryption"


@dataclass(frozen=True)
class Moment:
    """A block and its time (seconds since 1970), the only clock of this package."""

    block: int
    timestamp: int
    hash: bytes = b""
    parent: bytes = b""


@dataclass(frozen=True)
class Question:
    """A view of the ACL that answers yes or no."""

    function: str
    arguments: tuple[str | bytes, ...]


def may_read(handle: Handle, account: str) -> Question:
    """Whether `account` is allowed on the handle for good (not only in a transaction)."""
    return Question("persistAllowed", (bytes(handle), account))


def is_public(handle: Handle) -> Question:
    """Whether anybody may decrypt the handle."""
    return Question("isAllowedForDecryption", (bytes(handle),))


def is_delegated(delegator: str, delegate: str, contract: str, handle: Handle) -> Question:
    """Whether `delegate` may read what the delegator and the contract may."""
    return Question(_DELEGATED, (delegator, delegate, contract, bytes(handle)))


class Acl:
    """Reads the ACL at `address`. Every method raises Unavailable where the chain does not answer."""

    def __init__(self, w3: Web3, address: str, remembered: int = REMEMBERED) -> None:
        """`remembered`: how many permissions at most."""
        self._w3 = w3
        self._contract = host_contract(w3, "ACL", address)
        self._most = remembered
        self._granted: OrderedDict[Question, None] = OrderedDict()
        self._seen: Moment | None = None  # the newest block that they were read at
        self._lock = Lock()

    def now(self) -> Moment:
        """The newest block."""
        with chain_answers():
            block = self._w3.eth.get_block("latest")
            parent = bytes(block.get("parentHash") or b"")
            return Moment(
                int(block["number"]),
                int(block["timestamp"]),
                _hash(block["hash"]),
                parent if len(parent) == 32 else b"",
            )

    def granted(self, questions: Sequence[Question], at: Moment) -> set[Question]:
        """Those that are answered yes."""
        wanted = dict.fromkeys(questions)
        with self._lock:
            self._go_on_to(at)
            found = {each for each in wanted if each in self._granted}
        asked = [each for each in wanted if each not in found]
        new = [each for each, yes in zip(asked, self._ask(asked, at), strict=True) if yes]
        self._remember(new, at)
        return found.union(new)

    def _ask(self, questions: Sequence[Question], at: Moment) -> list[bool]:
        """In one call, which the ACL makes to itself for each."""
        if not questions:
            return []
        calls = [self._contract.encode_abi(each.function, each.arguments) for each in questions]
        with chain_answers():
            multicall = self._contract.functions.multicall(calls)
            return [any(answer) for answer in multicall.call(block_identifier=at.block)]

    def _remember(self, questions: Sequence[Question], at: Moment) -> None:
        with self._lock:
            if at != self._seen:
                return
            for each in questions:
                if each.function != _DELEGATED:
                    self._granted[each] = None
            while len(self._granted) > self._most:
                self._granted.popitem(last=False)

    def _go_on_to(self, at: Moment) -> None:
        """Forget what was read on blocks that are gone."""
        if self._seen not in (None, at) and not self._follows(at):
            self._granted.clear()
        self._seen = at

    def _follows(self, at: Moment) -> bool:
        """Whether the block that was seen last is before this one."""
        seen = self._seen
        if seen is None or at.block <= seen.block:
            return False
        if at.parent == seen.hash:
            return True
        with chain_answers():
            try:
                return bytes(self._w3.eth.get_block(seen.block)["hash"]) == seen.hash
            except BlockNotFound:
                return False


@contextmanager
def chain_answers() -> Iterator[None]:
    """Whatever goes wrong on the way to the chain, or has no known form, is raised as Unavailable."""
    try:
        yield
    except (Web3Exception, requests.RequestException, OSError, *ODD_ANSWER) as error:
        raise Unavailable(f"the chain does not answer: {type(error).__name__}") from error


def _hash(value: object) -> bytes:
    if not isinstance(value, bytes) or len(value) != 32:
        raise TypeError("a hash is expected")
    return bytes(value)
