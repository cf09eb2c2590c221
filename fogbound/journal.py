"""The local chain's journal: each block is noted before it is mined.

anvil writes its state only when it ends in peace, and all of it each time. So a block's transactions and time
are noted first, then it is mined, then its hash is noted; after a kill, what is noted is mined on top of the
last state. anvil is deterministic: the blocks come out the same, to the hash (which draws of first seats, and
handles, depend on).
"""

import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from fogbound.anvilrpc import AnvilRpc
from fogbound.errors import ChainRefused


@dataclass(frozen=True)
class Block:
    """What it takes to mine a block; transactions are raw, in order. `hash` is None until it is known."""

    number: int
    timestamp: int
    transactions: tuple[str, ...] = ()
    hash: str | None = None


class Journal:
    """A file, one entry a line. An entry is there for good once the call returns: to the system, so that a
    kill loses nothing. A line that a kill cut off is ignored.

    It is not forced to the disk: two times 4 ms a block (see docs/benchmarks.md) against the newest blocks
    of a local chain after a power cut, which the coprocessor and the keeper take for a reorganisation.
    """

    def __init__(self, file: Path) -> None:
        self._file = file

    def intend(self, block: Block) -> None:
        """A block that is about to be mined."""
        self._append(asdict(block))

    def mined(self, number: int, block_hash: str) -> None:
        """It was mined."""
        self._append({"mined": number, "hash": block_hash})

    def refused(self, number: int) -> None:
        """It was not mined: its transaction was refused."""
        self._append({"refused": number})

    def read(self) -> tuple[Block, ...]:
        """All blocks noted since `clear`, in order; the last one may have no hash."""
        blocks: dict[int, Block] = {}
        for line in self._file.read_text().splitlines() if self._file.exists() else []:
            try:
                _take(blocks, json.loads(line))
            except (ValueError, TypeError, KeyError):
                continue
        return tuple(blocks.values())

    def clear(self) -> None:
        """Forget all: the state holds it."""
        self._file.unlink(missing_ok=True)

    def _append(self, entry: dict[str, Any]) -> None:
        """On a line of its own, whatever a kill has left before it."""
        with self._file.open("a") as stream:
            stream.write("\n" + json.dumps(entry) + "\n")


def _take(blocks: dict[int, Block], entry: dict[str, Any]) -> None:
    if "mined" in entry:
        blocks[entry["mined"]] = replace(blocks[entry["mined"]], hash=entry["hash"])
    elif "refused" in entry:
        del blocks[entry["refused"]]
    else:
        block = Block(**{**entry, "transactions": tuple(entry["transactions"])})
        blocks[block.number] = block


def mine(anvil: AnvilRpc, block: Block) -> str:
    """Mine a block on a chain that mines nothing by itself; its hash.

    Raises TransactionRefused before anything is mined, ChainRefused where number or hash are not as noted.
    """
    for raw in block.transactions:
        anvil.send(raw)
    (made,) = anvil.ask("evm_mine_detailed", {"timestamp": block.timestamp})
    if len(made["transactions"]) != len(block.transactions):
        anvil.ask("anvil_dropAllTransactions")  # what could not be mined must not come later
    number, found = int(made["number"], 16), str(made["hash"])
    if number != block.number:
        raise ChainRefused(f"block {number} was mined, not {block.number}")
    if block.hash not in (None, found):
        raise ChainRefused(f"block {block.number} came out as {found}, not {block.hash}")
    return found
