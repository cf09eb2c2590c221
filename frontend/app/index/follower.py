"""Follows the chain into the index, step by step."""

from bisect import bisect_left
from collections.abc import Iterable

from sqlalchemy import select

from fogbound.chain import LOG_RANGE, Block
from frontend.app.errors import EventMissing
from frontend.app.index.batch import Batch, Found, Key
from frontend.app.index.database import Database
from frontend.app.index.reader import Reader
from frontend.app.index.schema import BlockRow, CursorRow
from frontend.app.index.writer import Writer

SUMMARISED = 16  # games a step: whoever opens a thousand lets others wait for so many


class Follower:
    """One chain into one index. Several may follow into the same index; the chain decides what is in it."""

    def __init__(self, reader: Reader, database: Database) -> None:
        self._reader = reader
        self._chain = reader.chain
        self._database = database
        parameters = {name: spec.parameters for name, spec in reader.specs.items()}
        self._writer = Writer(database, parameters)
        self._followed = reader.followed()

    def catch_up(self) -> None:
        """Step until there is nothing new. Raises as `step` does."""
        while self.step():
            pass

    def step(self) -> bool:
        """Bring the index nearer to the chain's head; False where it is there, with nothing stale.

        Raises Overtaken where another process was faster, EventMissing where all is to be read anew,
        ChainReset, ChainUnreachable, ChainRefused.
        """
        head = self._chain.newest()
        after = self._after()
        if after == head and not self._writer.is_behind():
            return False
        common = after if head.parent == after.hash else self._common(after)
        upto = self._upto(common, head)
        batch = self._read(after, common, upto, to_head=upto == head)
        if self._are_linked(common, upto):  # else it has changed while it was read
            self._apply(batch)
        return True

    def _apply(self, batch: Batch) -> None:
        try:
            self._writer.apply(batch)
        except EventMissing:  # a node's fault; what was read before may lack others
            self._database.forget()
            raise

    def _after(self) -> Block:
        cursor = self._database.cursor()
        if cursor is None or not self._is_ours(cursor):
            cursor = self._database.begin(self._followed, self._reader.start())
        return Block(cursor.block, cursor.hash, cursor.timestamp)

    def _is_ours(self, cursor: CursorRow) -> bool:
        names = (cursor.chain_id, cursor.genesis, cursor.contracts)
        ours = self._followed
        return names == (ours.chain_id, ours.genesis, ours.contracts)

    def _upto(self, common: Block, head: Block) -> Block:
        if head.number - common.number <= LOG_RANGE:
            return head
        return self._chain.block(common.number + LOG_RANGE) or head

    def _read(self, after: Block, common: Block, upto: Block, *, to_head: bool) -> Batch:
        events = self._reader.events(common.number + 1, upto.number)
        blocks = self._blocks((event.block for _, event in events), upto)
        found = tuple(
            Found(kind, event, blocks[event.block].timestamp)
            for kind, event in events
            if event.block in blocks
        )
        chosen = _first(found, self._writer.stale(common.number)) if to_head else []
        states = self._reader.states(chosen, upto.number)
        return Batch(after, common.number, upto, found, tuple(blocks.values()), states)

    def _blocks(self, numbers: Iterable[int], known: Block) -> dict[int, Block]:
        """By number; `known` is not asked for again."""
        wanted = sorted(set(numbers))
        found = (known if each == known.number else self._chain.block(each) for each in wanted)
        return {block.number: block for block in found if block}

    def _are_linked(self, common: Block, upto: Block) -> bool:
        """Whether the chain has both."""
        return self._has(upto) and (upto.parent == common.hash or self._has(common))

    def _has(self, block: Block) -> bool:
        return self._chain.block_hash(block.number) == block.hash

    def _common(self, after: Block) -> Block:
        """The last block that we know of and the chain still has."""
        if self._has(after):
            return after
        self._reader.check()
        known = self._known(after)
        position = bisect_left(known, True, key=self._differs) - 1
        if position < 0:
            return self._reader.start()
        return Block(*known[position], timestamp=0)  # its time is not needed

    def _known(self, after: Block) -> list[tuple[int, str]]:
        with self._database.reading() as session:
            below = BlockRow.number < after.number
            columns = select(BlockRow.number, BlockRow.hash)
            rows = session.execute(columns.where(below).order_by(BlockRow.number))
            return [(number, known) for number, known in rows]

    def _differs(self, known: tuple[int, str]) -> bool:
        number, expected = known
        return self._chain.block_hash(number) != expected


def _first(found: Iterable[Found], stale: Iterable[Key]) -> list[Key]:
    """The games to summarise now: first those that were touched alone, not with hundreds of others in one
    transaction, then what was left from before.
    """
    touched: dict[str, set[Key]] = {}
    for each in found:
        if each.key:
            touched.setdefault(each.event.transaction, set()).add(each.key)
    fewest = sorted(touched.values(), key=len)
    in_order = dict.fromkeys(key for keys in (*fewest, sorted(stale)) for key in keys)
    return list(in_order)[:SUMMARISED]
