"""A contract's events in order, as values: past ones by range, new ones as they come."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from eth_utils.abi import event_abi_to_log_topic
from web3 import Web3
from web3.contract import Contract
from web3.types import LogReceipt

from fogbound.chain import Chain
from fogbound.decoding import EventType
from fogbound.errors import ChainReset
from fogbound.events import Event

__all__ = ["Cursor", "Event", "History"]


BLOCKS_KEPT = 1_024  # whose time is asked for once


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
            bytes(event_abi_to_log_topic(entry)): EventType(entry)
            for entry in contract.abi
            if entry["type"] == "event"
        }
        self._games: dict[int, tuple[Cursor, list[Event]]] = {}
        self._time_of = lru_cache(BLOCKS_KEPT)(self._read_time)

    def events(self, first: int | None = None, last: int | None = None) -> list[Event]:
        """All events in blocks first … last (default: all there are)."""
        return self._fetch(first, last, ())

    def of_game(self, game_id: int, last: int | None = None) -> list[Event]:
        """One game's events, in order; each block is read once, and again after a reorganisation."""
        try:
            return self._of_game(game_id, last)
        except ChainReset:  # while it was read
            return self._of_game(game_id, last)

    def _of_game(self, game_id: int, last: int | None) -> list[Event]:
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
        head = self._chain.newest()
        # Taken before the events are read: if the chain changes meanwhile, the next call notices.
        cursor = Cursor(head.number, head.hash)
        if cursor == after:
            return [], after
        if head.parent != after.hash and self._chain.block_hash(after.block) != after.hash:
            raise ChainReset(f"block {after.block} is not the one that was read")
        return self.events(after.block + 1, head.number), cursor

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
        with self._chain.errors.translated():
            return [event for log in logs if (event := self._decode(log))]

    def _decode(self, log: LogReceipt) -> Event | None:
        kind = self._by_topic.get(bytes(log["topics"][0]) if log["topics"] else b"")
        if kind is None:
            return None
        return Event(
            name=kind.name,
            arguments=kind.arguments(log),
            block=int(log["blockNumber"]),
            index=int(log["logIndex"]),
            transaction=Web3.to_hex(log["transactionHash"]),
            time=self._time(log),
        )

    def _time(self, log: LogReceipt) -> int:
        """Seconds; most nodes tell it with the log. Raises ChainReset."""
        told: Any = log.get("blockTimestamp")
        if told is None:
            return self._time_of(int(log["blockNumber"]), Web3.to_hex(log["blockHash"]))
        return int(told, 16) if isinstance(told, str) else int(told)

    def _read_time(self, number: int, hash: str) -> int:
        block = self._chain.block(number)
        if block is None or block.hash != hash:
            raise ChainReset(f"block {number} is not the one that was read")
        return block.timestamp
