"""Results, ratings and the leaderboard, from games that were really played."""

import pytest
from eth_account import Account
from sqlalchemy import select

from frontend.app.index.ratings import LEAST_STAKE
from frontend.app.index.schema import LinkRow


def test_somebody_who_never_played(client, outsider):
    player = client.get(f"/api/players/{outsider.address.lower()}").json()
    nothing = {"rating": None, "played": 0, "won": 0, "lost": 0, "drawn": 0}
    assert player == {
        "address": outsider.address,
        "sequence": 0,
        "bot": False,
        "kinds": {"sandbox": nothing},
        "running": 0,
    }


def test_a_won_game_shows_in_the_player_and_on_the_leaderboard(
    client, seats, open_game, catch_up, host, guest
):
    seats(host).resign(open_game())
    open_game()
    catch_up()
    player = client.get(f"/api/players/{guest.address}").json()
    assert player["running"] == 1
    results = player["kinds"]["sandbox"]
    assert (results["played"], results["won"], results["rating"]["games"]) == (1, 1, 1)
    ranked = client.get("/api/leaderboard?kind=sandbox").json()["players"]
    assert [(each["rank"], each["address"]) for each in ranked] == [
        (1, guest.address),
        (2, host.address),
    ]
    assert ranked[0]["rating"] == results["rating"]["value"] > 1500 > ranked[1]["rating"]


@pytest.mark.parametrize("missing", [1, LEAST_STAKE])
def test_games_for_too_little_are_played_and_not_rated(
    client, seats, open_game, catch_up, host, guest, missing
):
    seats(host).resign(open_game(stake=LEAST_STAKE - missing))
    catch_up()
    results = client.get(f"/api/players/{guest.address}").json()["kinds"]["sandbox"]
    assert (results["played"], results["rating"]) == (1, None)
    assert client.get("/api/leaderboard?kind=sandbox").json()["players"] == []


def test_the_least_stake_is_rated_and_the_page_is_told_it(
    client, seats, open_game, catch_up, host, guest
):
    catch_up()
    least = int(client.get("/api/config").json()["leastRatedStake"])
    seats(host).resign(open_game(stake=least))
    catch_up()
    results = client.get(f"/api/players/{guest.address}").json()["kinds"]["sandbox"]
    assert results["rating"]["games"] == 1


def test_whose_key_served_the_other_gains_nothing_from_him(
    client, connection, seats, open_game, catch_up, host, guest, services
):
    """A key never plays at the contract where it is a key, so the link comes from the other contract."""
    key = Account.create()
    seats(host).authorize(key, connection.chain.now() + 100)
    catch_up()
    with services.database.reading() as session:
        (link,) = session.scalars(select(LinkRow))
    assert (link.one, link.other) == (host.address, key.address)
    with services.database.writing() as session:
        session.add(LinkRow(one=guest.address, other=host.address, place=0))
    seats(host).resign(open_game())
    catch_up()
    results = client.get(f"/api/players/{guest.address}").json()["kinds"]["sandbox"]
    assert (results["won"], results["rating"]) == (1, None)


def test_no_leaderboard_of_an_unknown_game(client):
    assert client.get("/api/leaderboard?kind=chess").status_code == 404
    assert client.get("/api/leaderboard").status_code == 422
