"""The lobby and single games, as the API tells them."""

import pytest


def test_an_open_game_is_in_the_lobby(client, seats, catch_up, host, guest):
    seats(host).open(b"", 2, opponent=guest.address, stake=5)
    catch_up()
    (game,) = client.get("/api/games").json()["games"]
    assert game["players"] == [host.address, None]
    assert (game["phase"], game["stake"], game["invited"]) == ("open", "5", guest.address)
    assert (game["kind"], game["id"], game["listed"], game["onTurn"]) == ("sandbox", 1, True, None)
    assert (game["control"], game["deadline"]) == (1, None)


def test_a_finished_game_tells_who_was_paid(client, seats, open_game, catch_up, host, guest):
    game_id = open_game()
    seats(host).resign(game_id)
    catch_up()
    game = client.get(f"/api/games/sandbox/{game_id}").json()
    assert (game["phase"], game["outcome"], game["winners"]) == ("ended", "resigned", [1])
    assert sum(map(int, game["amounts"])) + int(game["rake"]) == 2 * int(game["stake"])
    names = [event["name"] for event in game["events"]]
    assert names == ["GameOpened", "SeatTaken", "FirstSeatDrawn", "Resigned", "GameEnded"]
    assert game["endedAt"] == game["events"][-1]["time"]
    assert game["events"][0]["arguments"]["stake"] == game["stake"]


def test_what_the_table_says_is_what_the_api_says(client, seats, open_game, catch_up, host):
    game_id = open_game()
    seen = seats(host).game(game_id)
    catch_up()
    told = client.get(f"/api/games/sandbox/{game_id}").json()
    assert told["onTurn"] == seen.on_turn
    assert (told["deadline"], told["mark"]) == (seen.deadline, seen.mark)
    assert told["control"] == seen.control == 1
    assert told["moveNumber"] == seen.move_number
    assert told["keepAlives"] == list(seen.keep_alives)


@pytest.mark.parametrize(
    "path", ["/api/games/sandbox/9", "/api/games/chess/1", "/api/games?kind=x"]
)
def test_what_is_not_there(client, catch_up, path):
    catch_up()
    answer = client.get(path)
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "not_found"


def test_the_page_learns_where_the_games_are(client, catch_up, connection):
    assert client.get("/api/config").status_code == 502
    catch_up()
    config = client.get("/api/config").json()
    deployed = connection.registry.find("Sandbox", 31337)
    assert config["chainId"] == 31337
    assert config["games"]["sandbox"]["contract"] == deployed.address
    sandbox = config["games"]["sandbox"]
    assert sandbox["clocks"] == {"wait": 600, "notice": 100, "proof": 200}
    assert sandbox["controls"] == [{"move": 60, "keepAlives": 3}, {"move": 300, "keepAlives": 3}]
    assert "secondsPerBlock" not in config
    assert config["block"]["number"] == connection.chain.block_number
