"""A node that does not tell all events: the index notices where it can, and is read anew."""

import pytest

from frontend.app.errors import EventMissing
from frontend.app.index import queries
from frontend.app.index.follower import Follower
from frontend.app.index.queries import Wanted


def listed(database):
    with database.reading() as session:
        return {game.id for game in queries.games(session, Wanted(limit=10))}


def test_a_game_whose_opening_was_not_told(
    chain, reader, database, seats, host, guest, monkeypatch
):
    follower = Follower(reader, database)
    earlier = seats(host).open(b"", 2)
    follower.catch_up()
    with monkeypatch.context() as lying:
        lying.setattr(reader, "events", lambda *_: [])
        game = seats(host).open(b"", 2)
        follower.step()
    assert database.cursor().block == chain.block_number
    seats(guest).join(game)
    with pytest.raises(EventMissing, match=f"game {game} has a"):
        follower.catch_up()
    assert listed(database) == set()
    follower.catch_up()
    assert listed(database) == {earlier, game}
    assert database.cursor().block == chain.block_number
