"""The index's database: one engine, opened by its URL."""

import logging
import time
from collections.abc import Container, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection as SqlConnection
from sqlalchemy import Engine, create_engine, delete, event, func, insert, inspect, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from fhevm.sqlite import configure
from fogbound.chain import Block
from fogbound.errors import SettingsInvalid
from frontend.app.index.batch import Followed
from frontend.app.index.schema import VERSION, Base, CursorRow, UnlistedRow, VersionRow

log = logging.getLogger(__name__)

ONLY = 1  # the cursor's id
LOCK = 0x466F67626F756E64  # which of PostgreSQL's advisory locks is the index's: "Fogbound"
ALWAYS = (CursorRow.__tablename__, VersionRow.__tablename__)
FORGOTTEN: dict[str, str] = {}  # the cursor's contracts while the index is to be made anew


class Database:
    """The tables of `schema`; safe to use from several threads, and from several processes."""

    def __init__(self, url: str) -> None:
        """Raises SettingsInvalid, without the URL, which may hold a password."""
        try:
            self.engine = create_engine(url)
            self._reading, self._writing = _modes(self.engine)
            with self._writing.begin() as connection:
                _enter_alone(connection)
                _make_tables(connection)
        except (SQLAlchemyError, ImportError) as error:
            reason = type(error).__name__
            raise SettingsInvalid(f"the index's database cannot be opened: {reason}") from None

    @classmethod
    def open(cls, url: str | None, folder: Path) -> "Database":
        """The database at `url`; by default the SQLite file in `folder`, made where it is missing."""
        folder.mkdir(parents=True, exist_ok=True)
        return cls(url or f"sqlite:///{folder / 'index.sqlite'}")

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session that sees one state of the index."""
        with Session(self._reading, expire_on_commit=False) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A session that is committed at its end, or not at all."""
        with Session(self._writing, expire_on_commit=False) as session, session.begin():
            yield session

    def cursor(self) -> CursorRow | None:
        """Which chain is followed, and how far; None where nothing was read yet."""
        with self.reading() as session:
            return session.get(CursorRow, ONLY)

    def begin(self, followed: Followed, start: Block) -> CursorRow:
        """Follow this chain, from `start` on unless the index does so already; the cursor.

        An index of another chain, or of contracts at other addresses, is emptied.
        """
        with self.writing() as session:
            _enter_alone(session.connection())
            cursor = session.get(CursorRow, ONLY, with_for_update=True)
            if cursor is None or _followed(cursor) != followed:
                made_anew = cursor is not None and cursor.contracts == FORGOTTEN
                empty(session, unlisted=not made_anew)
                cursor = _restart(session, cursor, followed, start)
            return cursor

    def forget(self) -> None:
        """Empty the index, so that it is read anew; what creators keep unlisted stays so."""
        with self.writing() as session:
            cursor = session.get(CursorRow, ONLY, with_for_update=True)
            empty(session, unlisted=False)
            if cursor:
                cursor.contracts = FORGOTTEN


def _make_tables(connection: SqlConnection) -> None:
    """Make what is missing; tables of another version anew, but for what creators keep unlisted."""
    known = {VersionRow.__tablename__, CursorRow.__tablename__} & set(
        inspect(connection).get_table_names()
    )
    if known and _version(connection, known) != VERSION:
        log.warning(
            "the index is of another version of this program: it is read anew from the chain"
        )
        kept = UnlistedRow.__table__
        old = [table for table in Base.metadata.sorted_tables if table is not kept]
        Base.metadata.drop_all(connection, old)
    Base.metadata.create_all(connection)
    if _version(connection, {VersionRow.__tablename__}) is None:
        connection.execute(insert(VersionRow).values(number=VERSION))


def _version(connection: SqlConnection, tables: Container[str]) -> int | None:
    if VersionRow.__tablename__ not in tables:
        return None
    return connection.scalar(select(VersionRow.number))


def empty(session: Session, *, unlisted: bool) -> None:
    """Delete every row but the cursor and the version."""
    for table in reversed(Base.metadata.sorted_tables):
        keeps = table.name == UnlistedRow.__tablename__ and not unlisted
        if table.name not in ALWAYS and not keeps:
            session.execute(delete(table))


def _restart(
    session: Session, old: CursorRow | None, followed: Followed, start: Block
) -> CursorRow:
    """An index begins to count with the milliseconds since 1970, so that one in a new file is later too."""
    sequence = max(old.sequence + 1 if old else 0, time.time_ns() // 1_000_000)
    cursor = CursorRow(
        id=ONLY,
        chain_id=followed.chain_id,
        genesis=followed.genesis,
        contracts=dict(followed.contracts),
        block=start.number,
        hash=start.hash,
        timestamp=start.timestamp,
        sequence=sequence,
        reset=sequence,
        rated=0,
    )
    return session.merge(cursor)


def _followed(cursor: CursorRow) -> Followed:
    return Followed(cursor.chain_id, cursor.genesis, cursor.contracts)


def _modes(engine: Engine) -> tuple[Engine, Engine]:
    """The engine for reading, in which several queries see one state, and the engine for writing."""
    if engine.dialect.name != "sqlite":
        return engine.execution_options(isolation_level="REPEATABLE READ"), engine
    event.listen(engine, "connect", _configure_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine, engine.execution_options(sqlite_begin="BEGIN IMMEDIATE")


def _enter_alone(connection: SqlConnection) -> None:
    """Wait for whoever makes what is not there yet, hence cannot be locked. In SQLite all writers wait."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(LOCK)))


def _begin_sqlite(connection: SqlConnection) -> None:
    """Python's driver begins no transaction to read; who will write must say so at once, to be waited for."""
    connection.exec_driver_sql(connection.get_execution_options().get("sqlite_begin", "BEGIN"))


def _configure_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # transactions begin by _begin_sqlite
    configure(connection)
