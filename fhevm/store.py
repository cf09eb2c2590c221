"""What the coprocessor keeps: what the chain said, and ciphertexts by handle.

Every method is one transaction, and every insertion may be repeated: a process that is killed at any
point goes on from what is stored.
"""

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import bindparam, create_engine, delete, event, exists, func, select, tuple_, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from fhevm.events import Entry, Permission
from fhevm.handles import Handle
from fhevm.operations import Operation
from fhevm.schema import (
    Base,
    BlobRow,
    BlockRow,
    Chain,
    CiphertextRow,
    FailureRow,
    InputRow,
    OperationRow,
    PermissionRow,
)
from fhevm.sqlite import configure
from fhevm.tasks import Task
from fhevm.types import FheType

PRUNED_AT_ONCE = 20_000

Place = tuple[int, int]  # of an operation: its block, and its index there


@dataclass(frozen=True)
class Block:
    """A block that was read."""

    number: int
    hash: bytes


@dataclass(frozen=True)
class Input:
    """The ciphertext of an attested input, the types of its values, and one value's place in it.

    Without a ciphertext it is one that was forgotten, since no block used it in time.
    """

    ciphertext: bytes
    types: tuple[FheType, ...]
    place: int


class Store:
    """The tables of `schema` behind a database URL of SQLAlchemy; safe to use from several threads."""

    def __init__(self, url: str) -> None:
        self._engine = create_engine(url)
        if self._engine.dialect.name == "sqlite":
            event.listen(self._engine, "connect", _configure_sqlite)
        Base.metadata.create_all(self._engine)

    @classmethod
    def in_folder(cls, folder: Path) -> "Store":
        """The SQLite file in `folder`, which is made where it is missing."""
        folder.mkdir(parents=True, exist_ok=True)
        return cls(f"sqlite:///{folder / 'coprocessor.sqlite'}")

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    # -- the chain -----------------------------------------------------------------------------------

    def chain(self) -> tuple[bytes, str] | None:
        """Genesis hash and host fingerprint of the chain that this store follows."""
        with Session(self._engine) as session:
            row = session.get(Chain, 1)
            return (row.genesis, row.host) if row else None

    def set_chain(self, genesis: bytes, host: str) -> None:
        """Say which chain this store follows."""
        with Session(self._engine) as session, session.begin():
            session.merge(Chain(id=1, genesis=genesis, host=host))

    def blocks(self) -> list[Block]:
        """The blocks that were read and kept, oldest first."""
        with Session(self._engine) as session:
            rows = session.scalars(select(BlockRow).order_by(BlockRow.number))
            return [Block(row.number, row.hash) for row in rows]

    def head(self) -> Block | None:
        """The newest block that was read."""
        with Session(self._engine) as session:
            row = session.scalar(select(BlockRow).order_by(BlockRow.number.desc()).limit(1))
            return Block(row.number, row.hash) if row else None

    def add_block(self, block: Block, entries: Sequence[Entry]) -> None:
        """Keep a block with its entries."""
        with Session(self._engine) as session, session.begin():
            self._insert(session, BlockRow, [{"number": block.number, "hash": block.hash}])
            self._insert(session, OperationRow, list(_operation_rows(entries)))
            self._insert(session, PermissionRow, list(_permission_rows(entries)))

    def rewind(self, number: int) -> None:
        """Forget every block after `number`, and the values that only these made."""
        with Session(self._engine) as session, session.begin():
            for table in (OperationRow, PermissionRow):
                session.execute(delete(table).where(table.block > number))
            session.execute(delete(BlockRow).where(BlockRow.number > number))
            for made in (CiphertextRow, FailureRow):
                known = exists().where(OperationRow.result == made.handle)
                session.execute(delete(made).where(~known))

    # -- operations ----------------------------------------------------------------------------------

    def permissions(self) -> list[Permission]:
        """The permissions on what is known, and neither done nor failed."""
        with Session(self._engine) as session:
            rows = session.execute(
                select(PermissionRow.handle, PermissionRow.public)
                .where(exists().where(OperationRow.result == PermissionRow.handle))
                .where(~exists().where(CiphertextRow.handle == PermissionRow.handle))
                .where(~exists().where(FailureRow.handle == PermissionRow.handle))
                .distinct()
            )
            return [Permission(Handle(raw), public) for raw, public in rows]

    def task(self, handle: Handle) -> Task | None:
        """The operation that makes `handle`, where it first stands."""
        with Session(self._engine) as session:
            row = session.scalar(
                select(OperationRow)
                .where(OperationRow.result == bytes(handle))
                .order_by(OperationRow.block, OperationRow.index)
                .limit(1)
            )
            return _task(row) if row else None

    def block_before_newest(self, most: int) -> int:
        """The newest block before the newest `most` (at least one) operations; -1 where there are no more."""
        with Session(self._engine) as session:
            block = session.scalar(
                select(OperationRow.block)
                .order_by(OperationRow.block.desc(), OperationRow.index.desc())
                .offset(most - 1)
                .limit(1)
            )
            return -1 if block is None else block - 1

    def unallowed(self, begin: Place, last: int) -> tuple[Place, dict[Place, bytes]]:
        """The operations from `begin` up to block `last` that nothing allows, with what they make.

        It looks at PRUNED_AT_ONCE operations, allowed or not; where to go on.
        """
        place = tuple_(OperationRow.block, OperationRow.index)
        from_begin = select(OperationRow.block, OperationRow.index, OperationRow.result).where(
            place >= begin, OperationRow.block <= last
        )
        with Session(self._engine) as session:
            ordered = from_begin.order_by(OperationRow.block, OperationRow.index)
            end: Place = (last + 1, 0)
            for block, index, _ in session.execute(ordered.offset(PRUNED_AT_ONCE - 1).limit(1)):
                end = (block, index + 1)
            rows = session.execute(from_begin.where(place < end).where(~_is_allowed()))
            return end, {(block, index): result for block, index, result in rows}

    def forget_operations(self, gone: Mapping[Place, bytes], blocks: range) -> None:
        """Forget operations, which make the handles given, with their values.

        Of these blocks and of `blocks`, those go that nothing is known of, but for every 1024th, to which
        a reorganisation may go back.
        """
        empty = (
            delete(BlockRow)
            .where(BlockRow.number % 1024 != 0)
            .where(~exists().where(OperationRow.block == BlockRow.number))
            .where(~exists().where(PermissionRow.block == BlockRow.number))
        )
        with Session(self._engine) as session, session.begin():
            self._delete_operations(session, gone)
            for made in (CiphertextRow, FailureRow):
                self._delete_made(session, made, set(gone.values()))
            session.execute(
                empty.where(BlockRow.number >= blocks.start, BlockRow.number < blocks.stop)
            )
            others = {block for block, _ in gone if block not in blocks}
            if others:
                one = empty.where(BlockRow.number == bindparam("gone"))
                session.connection().execute(one, [{"gone": block} for block in others])
        self._release()

    def _delete_operations(self, session: Session, places: Collection[Place]) -> None:
        if places:
            one = delete(OperationRow).where(
                OperationRow.block == bindparam("of_block"), OperationRow.index == bindparam("at")
            )
            rows = [{"of_block": block, "at": index} for block, index in places]
            session.connection().execute(one.where(~_is_allowed()), rows)

    def _delete_made(
        self, session: Session, made: type[CiphertextRow | FailureRow], handles: Collection[bytes]
    ) -> None:
        """Delete values that no operation makes any more."""
        ordered = list(handles)
        for start in range(0, len(ordered), 500):
            part = ordered[start : start + 500]
            known = exists().where(OperationRow.result == made.handle)
            session.execute(delete(made).where(made.handle.in_(part)).where(~known))

    def _release(self) -> None:
        """Give the room of what was deleted back to the disk, some of it at a time."""
        if self._engine.dialect.name == "sqlite":
            with closing(self._engine.raw_connection()) as connection:
                # a script goes on to the end of the statement, one call alone frees one page
                connection.cursor().executescript("PRAGMA incremental_vacuum(2000)")

    def add_results(
        self, done: Sequence[tuple[Handle, bytes]], failed: Sequence[tuple[Handle, str]] = ()
    ) -> None:
        """Keep computed ciphertexts, and errors of operations that failed."""
        with Session(self._engine) as session, session.begin():
            self._insert(
                session,
                CiphertextRow,
                [{"handle": bytes(handle), "data": data} for handle, data in done],
            )
            self._insert(
                session,
                FailureRow,
                [{"handle": bytes(handle), "error": error} for handle, error in failed],
            )

    def ciphertext(self, handle: Handle) -> bytes | None:
        """The dumped ciphertext, where it is computed."""
        with Session(self._engine) as session:
            row = session.get(CiphertextRow, bytes(handle))
            return row.data if row else None

    def has_ciphertext(self, handle: Handle) -> bool:
        """Whether it is computed."""
        with Session(self._engine) as session:
            statement = select(CiphertextRow.handle).where(CiphertextRow.handle == bytes(handle))
            return session.scalar(statement) is not None

    def failure(self, handle: Handle) -> str | None:
        """Why it failed, where it did."""
        with Session(self._engine) as session:
            row = session.get(FailureRow, bytes(handle))
            return row.error if row else None

    def counts(self) -> dict[str, int]:
        """Rows of each table."""
        with Session(self._engine) as session:
            return {
                name: session.scalar(select(func.count()).select_from(table)) or 0
                for name, table in Base.metadata.tables.items()
            }

    # -- inputs --------------------------------------------------------------------------------------

    def add_input(self, ciphertext: bytes, handles: Sequence[Handle]) -> bytes:
        """Keep an attested input, also where it was forgotten; its digest. `handles`: its values in order.

        The same ciphertext under other handles (sealed anew) is another input.
        """
        digest = hashlib.sha256(ciphertext + b"".join(map(bytes, handles))).digest()
        rows = [
            {"handle": bytes(handle), "blob": digest, "place": place}
            for place, handle in enumerate(handles)
        ]
        with Session(self._engine) as session, session.begin():
            self._insert(session, BlobRow, [{"digest": digest, "data": ciphertext}])
            self._insert(session, InputRow, rows)
            forgotten = BlobRow.digest == digest, func.length(BlobRow.data) == 0
            session.execute(update(BlobRow).where(*forgotten).values(data=ciphertext))
        return digest

    def input_digest(self, handle: Handle) -> bytes | None:
        """The digest of the input that `handle` is a value of."""
        with Session(self._engine) as session:
            row = session.get(InputRow, bytes(handle))
            return row.blob if row else None

    def unused_inputs(self) -> list[tuple[bytes, int]]:
        """Digest and size of each input that no block has used."""
        size = func.length(BlobRow.data)
        with Session(self._engine) as session:
            rows = session.execute(
                select(BlobRow.digest, size).where(size > 0).where(~_is_used()).distinct()
            )
            return [(digest, length) for digest, length in rows]

    def forget_inputs(self, digests: Collection[bytes]) -> None:
        """Drop the ciphertexts of inputs that no block has used; that they were there stays known."""
        with Session(self._engine) as session, session.begin():
            for digest in digests:
                wanted = update(BlobRow).where(BlobRow.digest == digest).where(~_is_used())
                session.execute(wanted.values(data=b""))
        self._release()

    def input(self, handle: Handle) -> Input | None:
        """The input that `handle` is a value of."""
        with Session(self._engine) as session:
            row = session.get(InputRow, bytes(handle))
            if row is None:
                return None
            siblings = session.scalars(
                select(InputRow.handle).where(InputRow.blob == row.blob).order_by(InputRow.place)
            )
            types = tuple(Handle(raw).type for raw in siblings)
            return Input(session.get_one(BlobRow, row.blob).data, types, row.place)

    def _insert(self, session: Session, table: type[Base], rows: list[dict[str, Any]]) -> None:
        """Insert what is not there yet."""
        if rows:
            dialect = postgresql if session.get_bind().dialect.name == "postgresql" else sqlite
            session.execute(dialect.insert(table).on_conflict_do_nothing(), rows)


def _is_allowed() -> Any:
    """Whether somebody may use what the operation makes (for a statement on OperationRow)."""
    return exists().where(PermissionRow.handle == OperationRow.result)


def _is_used() -> Any:
    """Whether an operation takes a value of the input (for a statement on BlobRow)."""
    uses = select(InputRow.handle).join(OperationRow, OperationRow.result == InputRow.handle)
    return uses.where(InputRow.blob == BlobRow.digest).correlate(BlobRow).exists()


def _configure_sqlite(connection: Any, _record: object) -> None:
    configure(connection)
    connection.execute("PRAGMA foreign_keys=ON")


def _operation_rows(entries: Sequence[Entry]) -> Iterator[dict[str, Any]]:
    for entry in entries:
        if isinstance(entry.event, Operation):
            yield {
                "block": entry.block,
                "index": entry.index,
                "transaction": entry.transaction,
                "account": entry.account,
                "caller": entry.event.caller,
                "name": entry.event.name,
                "operands": json.dumps([_to_json(operand) for operand in entry.event.operands]),
                "result": bytes(entry.event.result),
            }


def _permission_rows(entries: Sequence[Entry]) -> Iterator[dict[str, Any]]:
    for entry in entries:
        if isinstance(entry.event, Permission):
            yield {
                "block": entry.block,
                "index": entry.index,
                "handle": bytes(entry.event.handle),
                "public": entry.event.public,
            }


def _task(row: OperationRow) -> Task:
    operands = tuple(_from_json(operand) for operand in json.loads(row.operands))
    operation = Operation(row.name, operands, Handle(row.result), row.caller)
    return Task(operation, row.block, row.account)


def _to_json(operand: Handle | int) -> str | int:
    return str(operand) if isinstance(operand, Handle) else operand


def _from_json(operand: str | int) -> Handle | int:
    return Handle.parse(operand) if isinstance(operand, str) else operand
