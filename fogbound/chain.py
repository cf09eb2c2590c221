"""A connection to one EVM chain: reading and waiting (sending is in transactions.py).

Works on anvil and on any other node with JSON-RPC.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from eth_account.signers.local import LocalAccount
from web3 import Web3
from web3.contract import Contract
from web3.contract.contract import ContractFunction
from web3.exceptions import BlockNotFound
from web3.types import BlockData, FilterParams, LogReceipt, TxParams, TxReceipt

from fhevm.rpc import connect_rpc
from fogbound.errors import WaitTimeout, WrongChain
from fogbound.reverts import ErrorTable
from fogbound.transactions import Sender

POLL_SECONDS = 0.05
LOG_RANGE = 2_000  # blocks a request; public nodes refuse more


@dataclass(frozen=True)
class Block:
    """A block's name (`hash`: 0x…), and its time in seconds since 1970.

    `parent` is the hash of the block before; None where it is not known.
    """

    number: int
    hash: str
    timestamp: int
    parent: str | None = field(default=None, compare=False)


class Chain:
    """One chain. Safe for several threads; `idle` is called while something is waited for.

    On a chain of one's own `idle` may do what others do elsewhere: mine, compute, settle.
    """

    def __init__(self, web3: Web3, *, idle: Callable[[], None] | None = None) -> None:
        self.web3 = web3
        self.errors = ErrorTable(str(getattr(web3.provider, "endpoint_uri", "an unknown address")))
        self.idle = idle or (lambda: time.sleep(POLL_SECONDS))
        with self.errors.translated():
            self.chain_id = int(web3.eth.chain_id)
        self._sender = Sender(web3, self.chain_id, self.errors)

    @classmethod
    def connect(cls, url: str, *, expected: int | None = None, seconds: float = 30.0) -> "Chain":
        """Connect to a node. Raises ChainUnreachable, or WrongChain where `expected` differs."""
        chain = cls(connect_rpc(url, seconds))
        if expected is not None and chain.chain_id != expected:
            raise WrongChain(expected, chain.chain_id)
        return chain

    @property
    def block_number(self) -> int:
        """The newest block."""
        with self.errors.translated():
            return int(self.web3.eth.block_number)

    def newest(self) -> Block:
        """The newest block."""
        with self.errors.translated():
            return _parse(self.web3.eth.get_block("latest"))

    def now(self) -> int:
        """The time that the next block will have or pass, in seconds since 1970, as the node knows it.

        Where a node tells nothing of its next block, that of the newest.
        """
        with self.errors.translated():
            latest = self.web3.eth.get_block("latest")["timestamp"]
            try:
                return max(int(latest), int(self.web3.eth.get_block("pending")["timestamp"]))
            except BlockNotFound:
                return int(latest)

    def gas_spent(self, address: str) -> int:
        """The gas that an account's transactions have used, of those sent here."""
        return self._sender.gas_spent[address]

    def block(self, number: int) -> Block | None:
        """A block; None where the chain has no such block."""
        with self.errors.translated():
            try:
                return _parse(self.web3.eth.get_block(number))
            except BlockNotFound:
                return None

    def block_hash(self, number: int) -> str | None:
        """The hash of a block, 0x…; None where the chain has no such block."""
        found = self.block(number)
        return found.hash if found else None

    def balance(self, address: str) -> int:
        """An account's ether, in wei."""
        with self.errors.translated():
            return int(self.web3.eth.get_balance(Web3.to_checksum_address(address)))

    def has_code(self, address: str) -> bool:
        """Whether a contract is at `address`."""
        with self.errors.translated():
            return bool(self.web3.eth.get_code(Web3.to_checksum_address(address)))

    def contract(self, address: str, abi: Sequence[Any]) -> Contract:
        """A contract; its custom errors are decoded by name from then on."""
        self.errors.learn(abi)
        return self.web3.eth.contract(address=Web3.to_checksum_address(address), abi=abi)

    def read(
        self, call: ContractFunction, *, sender: str | None = None, block: int | None = None
    ) -> Any:
        """The result of a view, now or as of `block`. Raises ContractError where it reverts."""
        caller: TxParams = {"from": Web3.to_checksum_address(sender)} if sender else {}
        with self.errors.translated():
            return call.call(caller, "latest" if block is None else block)

    def logs(
        self, address: str, first: int, last: int, topics: Sequence[str | None] = ()
    ) -> Iterator[LogReceipt]:
        """Raw logs of a contract in blocks first … last, in order, fetched range by range."""
        for start in range(first, last + 1, LOG_RANGE):
            wanted: FilterParams = {
                "address": Web3.to_checksum_address(address),
                "fromBlock": Web3.to_hex(start),
                "toBlock": Web3.to_hex(min(start + LOG_RANGE - 1, last)),
                "topics": list(topics),
            }
            with self.errors.translated():
                found = [_log(each) for each in self.web3.eth.get_logs(wanted)]
            yield from found

    def transact(
        self,
        account: LocalAccount,
        call: ContractFunction,
        *,
        value: int = 0,
        gas: int | None = None,
    ) -> TxReceipt:
        """Send a contract call and wait until it is mined; `value` in wei, gas is estimated.

        Raises ContractError where it reverts, TransactionLost, ChainRefused, ChainUnreachable.
        """
        data = call._encode_transaction_data()
        return self._sender.send(account, {"to": call.address, "data": data}, value, gas)

    def transfer(self, account: LocalAccount, to: str, value: int) -> TxReceipt:
        """Send ether, in wei. Errors as in `transact`."""
        return self._sender.send(account, {"to": Web3.to_checksum_address(to)}, value, None)

    def deploy(
        self, account: LocalAccount, abi: Sequence[Any], bytecode: bytes, arguments: Sequence[Any]
    ) -> TxReceipt:
        """Create a contract; the receipt's `contractAddress` is its address."""
        self.errors.learn(abi)
        factory = self.web3.eth.contract(abi=abi, bytecode=bytecode)
        data = factory.constructor(*arguments).data_in_transaction
        return self._sender.send(account, {"data": data}, 0, None)

    def mine(self, blocks: int = 1) -> None:
        """Add empty blocks. Raises ChainRefused on a chain that is not a local one."""
        with self.errors.translated():
            for _ in range(blocks):
                answer = self.web3.provider.make_request("evm_mine", [])  # type: ignore[arg-type]
                if "error" in answer:
                    self.errors.refuse(answer["error"])

    def wait_for_block(self, number: int, *, seconds: float = 3600.0) -> int:
        """Wait until block `number` exists; the newest one. Raises WaitTimeout."""
        self.wait_until(lambda: self.block_number >= number, f"block {number}", seconds=seconds)
        return self.block_number

    def wait_until(self, done: Callable[[], bool], what: str, *, seconds: float) -> None:
        """Call `idle` until `done()`. Raises WaitTimeout, naming `what`, after `seconds`."""
        until = time.monotonic() + seconds
        while not done():
            if time.monotonic() > until:
                raise WaitTimeout(what, seconds)
            self.idle()


def _log(found: LogReceipt) -> LogReceipt:
    """As it is, where all is there that is read of one."""
    for words in (found["data"], *found["topics"], found["transactionHash"], found["blockHash"]):
        bytes(words)
    for number in (found["blockNumber"], found["logIndex"]):
        int(number)
    return found


def _parse(block: BlockData) -> Block:
    parent = bytes(block.get("parentHash") or b"")
    return Block(
        number=int(block["number"]),
        hash=Web3.to_hex(block["hash"]),
        timestamp=int(block["timestamp"]),
        parent=Web3.to_hex(parent) if len(parent) == 32 else None,
    )
