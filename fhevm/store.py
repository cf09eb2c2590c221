"""What the coprocessor keeps: what the chain said, and ciphertexts by handle.

Every method is one transaction, and every insertion may be repeated: a process that is killed at any
point goes on from what is stored.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, delete, event, exists, func, select
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


@dataclass(frozen=True)
class Block:
    """A block that was read."""

    number: int
    hash: bytes


@dataclass(frozen=True)
class Input:
    """The ciphertext of an attested input, the types of its values, and one value's place in it."""

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

    def pending(self) -> list[Task]:
        """The operations that are neither done nor failed, in the order of the chain."""
        with Session(self._engine) as session:
            rows = session.scalars(
                select(OperationRow)
                .where(~exists().where(CiphertextRow.handle == OperationRow.result))
                .where(~exists().where(FailureRow.handle == OperationRow.result))
                .order_by(OperationRow.block, OperationRow.index)
            )
            return [_task(row) for row in rows]

    def permissions(self) -> list[Permission]:
        """The permissions on what is known and not done."""
        with Session(self._engine) as session:
            rows = session.execute(
                select(PermissionRow.handle, PermissionRow.public)
                .where(exists().where(OperationRow.result == PermissionRow.handle))
                .where(~exists().where(CiphertextRow.handle == PermissionRow.handle))
                .distinct()
            )
            return [Permission(Handle(raw), public) for raw, public in rows]

    def operation(self, handle: Handle) -> Operation | None:
        """The operation that makes `handle`."""
        with Session(self._engine) as session:
            row = session.scalar(
                select(OperationRow).where(OperationRow.result == bytes(handle)).limit(1)
            )
            return _task(row).operation if row else None

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

    def add_input(self, ciphertext: bytes, handles: Sequence[Handle]) -> None:
        """Keep an attested input; `handles` name its values in order.

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
