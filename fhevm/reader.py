"""Follows a chain into the store: block by block, and back where the chain went back.

A reorganisation, a reverted snapshot and a node that restarted from an older state are the same to it:
the newest block that was read is not on the chain any more. It then rewinds to the newest one that is
(all that were read are kept, so no depth is too deep) and reads on from there.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from web3 import Web3
from web3.exceptions import BlockNotFound
from web3.types import BlockData, LogReceipt

from fhevm.acl import chain_answers
from fhevm.addresses import HostAddresses
from fhevm.errors import ChainWasReset
from fhevm.events import Entry, decode_logs
from fhevm.host_contracts import host_contract
from fhevm.store import Block, Store

RANGE = 1000  # blocks a request


@dataclass(frozen=True)
class Progress:
    """What one reading brought: whether blocks were dropped, what new ones hold, whether there are more."""

    rewound: bool = False
    entries: Sequence[Entry] = ()
    more: bool = False


class Reader:
    """Brings `store` up to the chain behind `w3`."""

    def __init__(self, w3: Web3, host: HostAddresses, store: Store) -> None:
        """Raises Unavailable, and ChainWasReset where the store holds another chain's values."""
        self._w3 = w3
        self._host = host
        self._store = store
        with chain_answers():
            self._check_chain()
            self._head = store.head() or self._start()

    @property
    def head(self) -> Block:
        """The newest block that was read."""
        return self._head

    def read(self) -> Progress:
        """Read on, at most RANGE blocks; or where the chain went back, go back with it.

        Raises Unavailable, and ChainWasReset where nothing that was read is on the chain, or other host
        contracts are.
        """
        with chain_answers():
            latest = self._w3.eth.get_block("latest")
            if _block(latest) == self._head:
                return Progress()
            if not self._is_parent_of(latest) and not self._is_on_chain(self._head):
                self._rewind()
                return Progress(rewound=True, more=True)
            return Progress(
                entries=self._advance(latest), more=self._head.number < latest["number"]
            )

    def _rewind(self) -> None:
        ancestor = self._common_ancestor()
        self._check_chain()
        self._store.rewind(ancestor.number)
        self._head = ancestor

    def _advance(self, latest: BlockData) -> list[Entry]:
        first, last = self._head.number + 1, min(self._head.number + RANGE, latest["number"])
        end = latest if last == latest["number"] else self._w3.eth.get_block(last)
        blocks = self._read_blocks(first, last)
        if not self._is_on_chain(_block(end)):
            return []  # the chain moved while it was read; the next call sees to it
        if not self._is_parent_of(end) and not self._is_on_chain(self._head):
            return []
        blocks.setdefault(_block(end), [])
        for block, entries in blocks.items():
            self._store.add_block(block, entries)
            self._head = block
        return [entry for entries in blocks.values() for entry in entries]

    def _read_blocks(self, first: int, last: int) -> dict[Block, list[Entry]]:
        """The blocks with entries, in order."""
        logs: dict[Block, list[LogReceipt]] = {}
        for log in self._logs(first, last):
            logs.setdefault(Block(log["blockNumber"], bytes(log["blockHash"])), []).append(log)
        return {block: decode_logs(logs[block], self._senders(block)) for block in logs}

    def _senders(self, block: Block) -> dict[bytes, str]:
        data = self._w3.eth.get_block(block.number, full_transactions=True)
        return {bytes(sent["hash"]): sent["from"] for sent in data["transactions"]}  # type: ignore[call-overload]

    def _logs(self, first: int, last: int) -> list[LogReceipt]:
        addresses = [
            Web3.to_checksum_address(each) for each in (self._host.acl, self._host.executor)
        ]
        logs: Iterable[LogReceipt] = self._w3.eth.get_logs(
            {"fromBlock": first, "toBlock": last, "address": addresses}
        )
        return sorted(logs, key=lambda log: (log["blockNumber"], log["logIndex"]))

    # -- which chain ---------------------------------------------------------------------------------

    def _start(self) -> Block:
        genesis = _block(self._w3.eth.get_block(0))
        self._store.add_block(genesis, [])
        return genesis

    def _check_chain(self) -> None:
        found = bytes(self._w3.eth.get_block(0)["hash"]), self._fingerprint()
        known = self._store.chain()
        if known is None:
            self._store.set_chain(*found)
        elif known[0] != found[0]:
            raise ChainWasReset(f"its genesis is 0x{found[0].hex()}, not 0x{known[0].hex()}")
        elif known[1] != found[1]:
            raise ChainWasReset(f"its host contracts are {found[1]}, not {known[1]}")

    def _fingerprint(self) -> str:
        """Where the executor is and whose attestations its inputs need."""
        executor = Web3.to_checksum_address(self._host.executor)
        if not self._w3.eth.get_code(executor):
            return "missing"
        verifier = host_contract(self._w3, "InputVerifier", self._host.input_verifier)
        return " ".join([executor, *verifier.functions.getCoprocessorSigners().call()])

    def _is_parent_of(self, data: BlockData) -> bool:
        return bytes(data["parentHash"]) == self._head.hash

    def _common_ancestor(self) -> Block:
        """The newest block read that is on the chain: all before such a block are, too."""
        blocks = self._store.blocks()
        low, high = 0, len(blocks)  # blocks[:low] are on the chain, blocks[high:] are not
        while low < high:
            middle = (low + high) // 2
            if self._is_on_chain(blocks[middle]):
                low = middle + 1
            else:
                high = middle
        if low == 0:
            raise ChainWasReset("not even its genesis is the same")
        return blocks[low - 1]

    def _is_on_chain(self, block: Block) -> bool:
        try:
            return _block(self._w3.eth.get_block(block.number)) == block
        except BlockNotFound:
            return False


def _block(data: BlockData) -> Block:
    return Block(data["number"], bytes(data["hash"]))
