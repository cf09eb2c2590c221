"""Opening the database; one state for all queries of a session; readers and writers side by side."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import func, inspect, select, text, update

from fogbound.chain import Block
from fogbound.errors import SettingsInvalid
from frontend.app.index.batch import Followed
from frontend.app.index.database import Database
from frontend.app.index.schema import VERSION, BlockRow, UnlistedRow, VersionRow

FOLLOWED = Followed(31337, "0xa1", {"sandbox": "0xb2"})
WORDS = "the index is of another version of this program: it is read anew from the chain"
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


def test_an_index_of_an_older_version_is_made_anew(database_url, caplog):
    old = Database(database_url)
    old.begin(FOLLOWED, START)
    add(old, 1)
    with old.writing() as session:
        session.add(UnlistedRow(kind="sandbox", game=1, creator="0xd4"))
        session.execute(text("DROP TABLE version"))  # as the first one had none
        session.execute(text("ALTER TABLE games DROP COLUMN rake"))
    old.close()
    assert not caplog.messages
    opened = Database(database_url)
    assert caplog.messages == [WORDS]
    assert opened.cursor() is None
    with opened.writing() as session:
        assert count(session) == 0
        assert [row.creator for row in session.scalars(select(UnlistedRow))] == ["0xd4"]
    columns = [column["name"] for column in inspect(opened.engine).get_columns("games")]
    assert "rake" in columns
    opened.close()
    Database(database_url).close()
    assert caplog.messages == [WORDS]


@pytest.mark.parametrize("number", [VERSION - 1, VERSION + 1])
def test_so_is_one_of_another_version(database, database_url, number):
    database.begin(FOLLOWED, START)
    with database.writing() as session:
        session.execute(update(VersionRow).values(number=number))
    again = Database(database_url)
    assert again.cursor() is None
    with again.reading() as session:
        assert session.scalar(select(VersionRow.number)) == VERSION
    again.close()


def test_one_of_this_version_is_kept(database, database_url):
    database.begin(FOLLOWED, START)
    again = Database(database_url)
    assert again.cursor().hash == START.hash
    again.close()
