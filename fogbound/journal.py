"""The local chain's journal: every block as it is mined, so that a killed anvil loses none.

anvil writes its state only when it ends in peace, and all of it each time. So each new block's transactions
and time are appended to a file; after a kill they are put on top of the last state. anvil is deterministic:
the blocks come out the same, to the hash (which draws of first seats, and handles, depend on).
"""

import json
import logging
import threading
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from web3 import Web3
from web3.types import RPCEndpoint
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from fogbound.errors import ChainRefused

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class MinedBlock:
    """What it takes to mine a block again; transactions are raw, in order."""

    number: int
    timestamp: int
    hash: str
    transactions: tuple[str, ...]


class Journal:
    """A file of blocks, one a line; a line cut off by a kill is ignored."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def blocks(self) -> Iterator[MinedBlock]:
        """All blocks; of those that were mined again after a rewind, the later ones."""
        kept: dict[int, MinedBlock] = {}
        for line in self._file.read_text().splitlines() if self._file.exists() else []:
            try:
                content = json.loads(line)
                block = MinedBlock(**{**content, "transactions": tuple(content["transactions"])})
            except (ValueError, TypeError, KeyError):
                continue
            kept[block.number] = block
        yield from (kept[number] for number in sorted(kept))

    def append(self, block: MinedBlock) -> None:
        """Add a block, for good once this returns (to the system: power cuts are not guarded)."""
        with self._file.open("a") as stream:
            stream.write(json.dumps(asdict(block)) + "\n")

    def clear(self) -> None:
        """Forget all: the state holds them."""
        self._file.unlink(missing_ok=True)


class Follower(threading.Thread):
    """Appends every block that an anvil mines to a journal, as soon as it is told of it."""

    def __init__(self, port: int, journal: Journal) -> None:
        super().__init__(name="journal", daemon=True)
        self._url = f"127.0.0.1:{port}"
        self._journal = journal
        self._web3 = Web3(Web3.HTTPProvider(f"http://{self._url}"))
        self._next = int(self._web3.eth.block_number) + 1
        self.following = threading.Event()

    def run(self) -> None:
        """Follow until anvil ends."""
        try:
            with connect(f"ws://{self._url}") as socket:
                socket.send(json.dumps(_call("eth_subscribe", ["newHeads"])))
                socket.recv()
                self.catch_up()
                self.following.set()
                for message in socket:
                    head = json.loads(message)["params"]["result"]
                    self._record_up_to(int(head["number"], 16))
        except (WebSocketException, OSError):
            log.info("the chain at %s has ended", self._url)

    def catch_up(self) -> None:
        """Record what was mined before the subscription."""
        self._record_up_to(int(self._web3.eth.block_number))

    def _record_up_to(self, number: int) -> None:
        if number < self._next - 1:  # a snapshot was reverted
            self._next = number
        for each in range(self._next, number + 1):
            self._journal.append(read_block(self._web3, each))
        self._next = max(self._next, number + 1)


def read_block(web3: Web3, number: int) -> MinedBlock:
    """A block of the chain, as the journal keeps it."""
    block = web3.eth.get_block(number)
    raw = (web3.eth.get_raw_transaction(each) for each in block["transactions"])  # type: ignore[arg-type]
    return MinedBlock(
        number=number,
        timestamp=int(block["timestamp"]),
        hash=Web3.to_hex(block["hash"]),
        transactions=tuple(Web3.to_hex(each) for each in raw),
    )


def mine_again(web3: Web3, blocks: Iterator[MinedBlock]) -> int:
    """Put the blocks that are missing on top of a chain that nobody else uses; how many they were.

    Raises ChainRefused where a block does not come out as it was.
    """
    _ask(web3, "evm_setAutomine", [False])
    head, done = int(web3.eth.block_number), 0
    for block in blocks:
        if block.number <= head:
            continue
        _mine(web3, block)
        found = Web3.to_hex(web3.eth.get_block("latest")["hash"])
        if found != block.hash:
            raise ChainRefused(f"block {block.number} came out as {found}, not {block.hash}")
        done += 1
    _ask(web3, "evm_setAutomine", [True])
    return done


def _mine(web3: Web3, block: MinedBlock) -> None:
    for transaction in block.transactions:
        _ask(web3, "eth_sendRawTransaction", [transaction])
    _ask(web3, "evm_setNextBlockTimestamp", [block.timestamp])
    _ask(web3, "evm_mine", [])


def _ask(web3: Web3, method: str, parameters: list[Any]) -> Any:
    answer = web3.provider.make_request(RPCEndpoint(method), parameters)
    if "error" in answer:
        raise ChainRefused(f"{method}: {answer['error']}")
    return answer["result"]


def _call(method: str, parameters: list[Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}
