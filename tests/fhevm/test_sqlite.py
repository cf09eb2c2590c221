"""Databases that several processes open at once."""

import sqlite3
from threading import Timer

import pytest

from fhevm import sqlite


@pytest.fixture
def file(tmp_path):
    return tmp_path / "base.sqlite"


@pytest.fixture
def writer(file):
    """Another process's connection, in the middle of writing to a file that is not in WAL mode yet."""
    connection = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    connection.execute("CREATE TABLE words (word)")
    connection.execute("BEGIN EXCLUSIVE")
    yield connection
    connection.close()


def test_who_is_told_that_the_file_is_locked_asks_again(file, writer):
    connection = sqlite3.connect(file, timeout=0)
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        connection.execute("PRAGMA journal_mode=WAL")
    Timer(0.3, writer.execute, ["COMMIT"]).start()
    sqlite.configure(connection)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_not_for_ever(file, writer, monkeypatch):
    monkeypatch.setattr(sqlite, "WAIT_SECONDS", 0)
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        sqlite.configure(sqlite3.connect(file, timeout=0))


def test_what_is_no_database_is_said_at_once(file):
    file.write_bytes(b"no database" * 1000)
    with pytest.raises(sqlite3.DatabaseError, match="not a database"):
        sqlite.configure(sqlite3.connect(file))
