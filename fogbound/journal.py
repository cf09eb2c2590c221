"""The local chain's journal: what must be done again after a kill, written before anybody is told.

anvil writes its state only when it ends in peace, and all of it each time. So transactions are noted before
they are sent, and blocks, with their time, before the sender learns of them; after a kill they are put on
top of the last state. anvil is deterministic: the blocks come out the same, to the hash (which draws of
first seats, and handles, depend on).
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from web3 import Web3
from web3.types import RPCEndpoint

from fogbound.errors import ChainRefused


@dataclass(frozen=True)
class MinedBlock:
    """What it takes to mine a block again; transactions are raw, in order."""

    number: int
    timestamp: int
    hash: str
    transactions: tuple[str, ...]


@dataclass(frozen=True)
class Entries:
    """A journal's content: blocks in order, and transactions that were sent but are in no block."""

    blocks: tuple[MinedBlock, ...]
    unmined: tuple[str, ...]


class Journal:
    """A file, one entry a line. An entry is there for good once the call returns (to the system:
    power cuts are not guarded); a line that a kill cut off is ignored.
    """

    def __init__(self, file: Path) -> None:
        self._file = file

    def add_sent(self, raw: str) -> None:
        """A transaction that is about to be sent."""
        self._append({"sent": raw})

    def add_block(self, block: MinedBlock) -> None:
        """A block that was mined. One of a number that was there replaces it (a rewind)."""
        self._append(asdict(block))

    def read(self) -> Entries:
        """All that was added since `clear`."""
        blocks: dict[int, MinedBlock] = {}
        sent: dict[str, None] = {}
        for line in self._file.read_text().splitlines() if self._file.exists() else []:
            entry = _parse(line)
            if isinstance(entry, MinedBlock):
                blocks = {n: each for n, each in blocks.items() if n < entry.number}
                blocks[entry.number] = entry
                sent = {raw: None for raw in sent if raw not in entry.transactions}
            elif entry is not None:
                sent[entry] = None
        return Entries(tuple(blocks.values()), tuple(sent))

    def clear(self) -> None:
        """Forget all: the state holds it."""
        self._file.unlink(missing_ok=True)

    def _append(self, entry: dict[str, Any]) -> None:
        with self._file.open("a") as stream:
            stream.write(json.dumps(entry) + "\n")


def _parse(line: str) -> MinedBlock | str | None:
    try:
        content = json.loads(line)
        if "sent" in content:
            return str(content["sent"])
        return MinedBlock(**{**content, "transactions": tuple(content["transactions"])})
    except (ValueError, TypeError, KeyError):
        return None


def mine_again(web3: Web3, entries: Entries) -> None:
    """Put what is missing on top of a chain that nobody else uses.

    Raises ChainRefused where a block does not come out as it was.
    """
    ask(web3, "evm_setAutomine", False)
    head = int(web3.eth.block_number)
    for block in entries.blocks:
        if block.number > head:
            _mine(web3, block)
    ask(web3, "evm_setAutomine", True)
    for raw in entries.unmined:
        web3.provider.make_request(RPCEndpoint("eth_sendRawTransaction"), [raw])  # may be refused


def _mine(web3: Web3, block: MinedBlock) -> None:
    for transaction in block.transactions:
        ask(web3, "eth_sendRawTransaction", transaction)
    ask(web3, "evm_setNextBlockTimestamp", block.timestamp)
    ask(web3, "evm_mine")
    found = Web3.to_hex(web3.eth.get_block("latest")["hash"])
    if found != block.hash:
        raise ChainRefused(f"block {block.number} came out as {found}, not {block.hash}")


def ask(web3: Web3, method: str, *parameters: Any) -> Any:
    """One JSON-RPC call. Raises ChainRefused with the node's answer."""
    answer = web3.provider.make_request(RPCEndpoint(method), list(parameters))
    if "error" in answer:
        raise ChainRefused(f"{method}: {answer['error']}")
    return answer["result"]
