"""Each answer names the change as of which it was read, so that whoever has two copies knows the newer."""

import pytest

from frontend.app.index.database import Database

ANSWERS = (
    "/api/config",
    "/api/games",
    "/api/games?status=live",
    "/api/games/sandbox/1",
    "/api/leaderboard?kind=sandbox",
    "/api/players/0x" + "11" * 20,
)


@pytest.fixture
def sequence_of(client, open_game, catch_up):
    open_game()
    catch_up()
    return lambda path: client.get(path).json()["sequence"]


@pytest.mark.parametrize("path", ANSWERS)
def test_it_grows_with_each_change_alone(path, sequence_of, seats, chain, catch_up, host):
    before = sequence_of(path)
    assert sequence_of(path) == before
    seats(host).resign(1)
    assert sequence_of(path) == before  # the index has not read it yet
    catch_up()
    assert sequence_of(path) > before


def test_all_answers_name_the_same(client, sequence_of, services):
    services_at = services.database.cursor().sequence
    assert {sequence_of(path) for path in ANSWERS} == {services_at}


def test_a_game_in_a_list_names_its_own_last_change(client, sequence_of, seats, catch_up, outsider):
    own = client.get("/api/games").json()["games"][0]["sequence"]
    seats(outsider).open(b"", 2)
    catch_up()
    newer, older = client.get("/api/games").json()["games"]
    assert older["sequence"] == own < newer["sequence"] <= sequence_of("/api/games")


def test_an_index_in_a_new_file_goes_on_from_a_later_number(services, catch_up, tmp_path):
    catch_up()
    old = services.database.cursor()
    fresh = Database.open(None, tmp_path / "another")
    begun = fresh.begin(services.indexing._follower._followed, services.indexing.reader.start())
    fresh.close()
    assert begun.sequence > old.sequence
