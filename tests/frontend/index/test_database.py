"""Opening the database; one state for all queries of a session; readers and writers side by side."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import func, select

from fogbound.chain import Block
from fogbound.errors import SettingsInvalid
from frontend.app.index.batch import Followed
from frontend.app.index.database import Database
from frontend.app.index.schema import BlockRow

FOLLOWED = Followed(31337, "0xa1", {"sandbox": "0xb2"})
START = Block(7, "0xc3", 1_700_000_000)


@pytest.fixture
def database(database_url):
    opened = Database(database_url)
    yield opened
    opened.close()


def add(database: Database, number: int) -> None:
    with database.writing() as session:
        session.add(BlockRow(number=number, hash="0x"))


def count(session) -> int:
    return session.scalar(select(func.count()).select_from(BlockRow))


@pytest.mark.parametrize(
    "url",
    [
        "nonsense",
        "nosuchdriver://user:hunter2@host/base",
        "sqlite:////nowhere/at/all.sqlite",
        "postgresql+psycopg://user:hunter2@127.0.0.1:1/base",
    ],
)
def test_a_database_that_cannot_be_opened_is_a_clear_error_without_its_url(url):
    with pytest.raises(SettingsInvalid) as raised:
        Database(url)
    assert "hunter2" not in str(raised.value)
    assert raised.value.__suppress_context__


def test_a_session_sees_one_state_while_another_writes(database):
    with database.reading() as session:
        assert count(session) == 0
        add(database, 1)
        assert count(session) == 0
    with database.reading() as session:
        assert count(session) == 1


def test_what_fails_leaves_nothing(database):
    def fail() -> None:
        with database.writing() as session:
            session.add(BlockRow(number=1, hash="0x"))
            session.flush()
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    with database.reading() as session:
        assert count(session) == 0


def test_writers_wait_for_each_other(database_url, database):
    other = Database(database_url)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: add((database, other)[number % 2], number), range(40)))
    with other.reading() as session:
        assert count(session) == 40
    other.close()


def test_processes_that_start_at_once_share_a_new_index(database_url):
    def start(_number: int) -> str:
        opened = Database(database_url)
        cursor = opened.begin(FOLLOWED, START)
        opened.close()
        return cursor.hash

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(start, range(8))) == [START.hash] * 8
