"""What this project asks of an SQLite database that several processes share."""

import sqlite3
import time

WAIT_SECONDS = 30
RETRY_SECONDS = 0.02
WAL_BYTES = 64 << 20  # to which the log is cut once it is written back


def configure(connection: sqlite3.Connection) -> None:
    """Readers do not wait for the writer (WAL), and a killed process loses no committed transaction.

    Raises sqlite3.OperationalError where others hold the file for longer than WAIT_SECONDS.
    """
    connection.execute(f"PRAGMA busy_timeout={1000 * WAIT_SECONDS}")
    connection.execute("PRAGMA auto_vacuum=INCREMENTAL")  # means something to a new file only
    _use_wal(connection)
    connection.execute(f"PRAGMA journal_size_limit={WAL_BYTES}")
    connection.execute("PRAGMA synchronous=NORMAL")


def _use_wal(connection: sqlite3.Connection) -> None:
    """Of those who switch a new file at once, all but one are told that it is locked, and do not wait."""
    until = time.monotonic() + WAIT_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(RETRY_SECONDS)
        else:
            return
