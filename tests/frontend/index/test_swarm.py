"""Somebody changes very many games at once: the index keeps up, and the games of others come first."""

from contextlib import contextmanager

import pytest
from sqlalchemy import event

from fhevm.compiler import compile_sources
from fogbound.artifacts import SETTINGS, SOLC_VERSION
from fogbound.game import NOBODY
from frontend.app.index import queries
from frontend.app.index.follower import SUMMARISED, Follower
from frontend.app.index.queries import Wanted
from frontend.app.index.reader import Reader
from frontend.app.index.writer import Writer
from tests.fogbound.sandbox import GAME

SWARM = """
pragma solidity ^0.8.28;
contract Swarm {
    function repeat(address target, bytes calldata data, uint256 times) external {
        for (uint256 i; i < times; i++) {
            (bool done, ) = target.call(data);
            require(done);
        }
    }
}
"""
GAMES = 2 * SUMMARISED + 1


@pytest.fixture
def open_many(chain, seats, outsider):
    """Open so many games in one transaction."""
    made = compile_sources({"Swarm.sol": SWARM}, version=SOLC_VERSION, settings=SETTINGS)["Swarm"]
    address = chain.deploy(outsider, made.abi, made.bytecode, ())["contractAddress"]
    swarm = chain.contract(address, made.abi)
    table = seats(outsider).contract
    data = table.functions.open(b"", 2, 0, NOBODY)._encode_transaction_data()
    return lambda times: chain.transact(
        outsider, swarm.functions.repeat(table.address, data, times), gas=29_000_000
    )


@pytest.fixture
def follower(reader, database):
    return Follower(reader, database)


@contextmanager
def statements(database):
    found = []
    listener = lambda *given: found.append(given[2])  # noqa: E731
    event.listen(database.engine, "before_cursor_execute", listener)
    yield found
    event.remove(database.engine, "before_cursor_execute", listener)


def listed(database):
    with database.reading() as session:
        return [game.id for game in queries.games(session, Wanted(limit=1000))]


def test_the_games_of_others_come_first(chain, follower, database, open_many, seats, host, guest):
    follower.catch_up()
    mine = seats(host).open(b"", 2)
    open_many(GAMES)
    seats(guest).join(mine)
    later = seats(guest).open(b"", 2)
    assert follower.step()
    assert database.cursor().block == chain.block_number
    assert {mine, later} < set(listed(database))
    assert len(listed(database)) == SUMMARISED
    follower.catch_up()
    assert listed(database) == list(range(later, 0, -1))
    assert not follower.step()


def test_a_step_takes_few_statements_however_many_games(follower, database, open_many, monkeypatch):
    follower.catch_up()
    counts = []
    apply = Writer.apply

    def counted(self, batch):
        with statements(database) as found:
            apply(self, batch)
        counts.append((len(batch.states), len(found)))

    monkeypatch.setattr(Writer, "apply", counted)
    for games in (1, SUMMARISED):
        open_many(games)
        follower.catch_up()
    (one, for_one), (many, for_many) = counts
    assert (one, many) == (1, SUMMARISED)
    assert for_many == for_one < 25


def test_a_block_is_not_asked_for_again_for_its_time(chain, follower, open_many, monkeypatch):
    follower.catch_up()
    open_many(1)
    asked, block = [], type(chain).block
    monkeypatch.setattr(
        type(chain), "block", lambda self, number: asked.append(number) or block(self, number)
    )
    follower.step()
    assert asked == [chain.block_number]  # whether it is still there, at the end


def test_what_is_stale_survives_a_restart(follower, connection, database, open_many):
    open_many(SUMMARISED + 3)
    follower.step()
    Follower(Reader(connection, [GAME]), database).catch_up()
    assert len(listed(database)) == SUMMARISED + 3
