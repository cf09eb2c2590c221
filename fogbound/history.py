"""A contract's events in order, as values: past ones by range, new ones as they come."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from eth_utils.abi import event_abi_to_log_topic
from web3 import Web3
from web3.contract import Contract
from web3.types import LogReceipt

from fogbound.chain import Chain
from fogbound.errors import ChainReset


@dataclass(frozen=True)
class Event:
    """One event; `name` and `arguments` are the Solidity event's, `index` its place in the block."""

    name: str
    arguments: Mapping[str, Any]
    block: int
    index: int
    transaction: str

    @property
    def game_id(self) -> int | None:
        """The game that it is of; None where it is of an account."""
        found: int | None = self.arguments.get("id")
        return found


@dataclass(frozen=True)
class Cursor:
    """Up to where a follower has read: `block`, whose hash was `hash`."""

    block: int
    hash: str


class History:
    """The events of one contract from `first_block` (its deployment) on."""

    def __init__(self, chain: Chain, contract: Contract, first_block: int = 0) -> None:
        self._chain = chain
        self.contract = contract
        self._first = first_block
        self._by_topic = {
            bytes(event_abi_to_log_topic(entry)): str(entry["name"])
            for entry in contract.abi
            if entry["type"] == "event"
        }
        self._games: dict[int, tuple[Cursor, list[Event]]] = {}

    def events(self, first: int | None = None, last: int | None = None) -> list[Event]:
        """All events in blocks first … last (default: all there are)."""
        return self._fetch(first, last, ())

    def of_game(self, game_id: int, last: int | None = None) -> list[Event]:
        """One game's events, in order; each block is read once, and again after a reorganisation."""
        head = self._cursor(self._chain.block_number)  # first: see new_events
        cursor, events = self._read_of_game(game_id)
        if head.block > cursor.block:
            found = self._fetch(cursor.block + 1, head.block, (None, f"0x{game_id:064x}"))
            events = events + [event for event in found if event.game_id == game_id]
            self._games[game_id] = head, events
        return [event for event in events if last is None or event.block <= last]

    def _read_of_game(self, game_id: int) -> tuple[Cursor, list[Event]]:
        """What is known of a game, as far as the chain still agrees."""
        cursor, events = self._games.get(game_id) or (self.start(), [])
        if self._chain.block_hash(cursor.block) != cursor.hash:
            return self.start(), []
        return cursor, events

    def start(self) -> Cursor:
        """The cursor of a follower that has read nothing yet."""
        return self._cursor(max(self._first - 1, 0))

    def new_events(self, after: Cursor) -> tuple[list[Event], Cursor]:
        """What came after a cursor, and the next cursor.

        Raises ChainReset where the cursor's block is not the chain's (reset, or a reorganisation).
        """
        last = self._chain.block_number
        # Taken before the events are read: if the chain changes meanwhile, the next call notices.
        cursor = after if last == after.block else self._cursor(last)
        if self._chain.block_hash(after.block) != after.hash:
            raise ChainReset(f"block {after.block} is not the one that was read")
        return ([] if cursor is after else self.events(after.block + 1, last)), cursor

    def follow(self, after: Cursor | None = None) -> Iterator[tuple[list[Event], Cursor]]:
        """Live: batches of events as they come, each with the cursor to go on from later.

        Never ends by itself. Raises ChainReset as `new_events` does.
        """
        cursor = after or self.start()
        while True:
            events, cursor = self.new_events(cursor)
            if events:
                yield events, cursor
            self._chain.idle()

    def _cursor(self, block: int) -> Cursor:
        known = self._chain.block_hash(block)
        if known is None:
            raise ChainReset(f"there is no block {block} any more")
        return Cursor(block, known)

    def _fetch(
        self, first: int | None, last: int | None, topics: tuple[str | None, ...]
    ) -> list[Event]:
        start = self._first if first is None else max(first, self._first)
        end = self._chain.block_number if last is None else last
        logs = self._chain.logs(self.contract.address, start, end, topics)
        return [event for log in logs if (event := self._decode(log))]

    def _decode(self, log: LogReceipt) -> Event | None:
        name = self._by_topic.get(bytes(log["topics"][0]) if log["topics"] else b"")
        if name is None:
            return None
        data = self.contract.events[name]().process_log(log)
        return Event(
            name=name,
            arguments=dict(data["args"]),
            block=int(log["blockNumber"]),
            index=int(log["logIndex"]),
            transaction=Web3.to_hex(log["transactionHash"]),
        )
