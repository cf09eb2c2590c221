"""Which games a list holds, page by page; and which the lobby leaves out."""

import pytest
from eth_account import Account
from eth_account.messages import encode_defunct

from frontend.app.api.unlisted import statement


def ids(answer):
    assert answer.status_code == 200, answer.text
    return [game["id"] for game in answer.json()["games"]]


@pytest.fixture
def lobby(seats, open_game, catch_up, host, guest, outsider):
    """Game 1 is finished, 2 live, 3 and 4 open, 5 cancelled."""
    seats(host).resign(open_game())
    open_game()
    for account in (guest, outsider, outsider):
        last = seats(account).open(b"", 2)
    seats(outsider).cancel(last)
    catch_up()


@pytest.mark.usefixtures("lobby")
def test_lists_by_status_kind_and_player(client, host, guest, outsider):
    assert ids(client.get("/api/games")) == [5, 4, 3, 2, 1]
    assert ids(client.get("/api/games?status=open")) == [4, 3]
    assert ids(client.get("/api/games?status=live&kind=sandbox")) == [2]
    assert ids(client.get("/api/games?status=finished")) == [1]
    assert ids(client.get(f"/api/games?player={guest.address.lower()}")) == [3, 2, 1]
    assert ids(client.get(f"/api/games?player={host.address}&status=open")) == []


def test_who_is_invited_finds_the_game_until_he_sits_in_it(
    client, seats, catch_up, ask, host, guest, outsider
):
    opened = [seats(host).open(b"", 2, opponent=guest.address) for _ in range(2)]
    seats(host).open(b"", 2)
    seats(host).open(b"", 2, opponent=outsider.address)
    catch_up()
    assert ask(opened[0], host).status_code == 200  # unlisted: who is invited is told all the same
    challenges = f"/api/games?status=open&invited={guest.address.lower()}"
    assert ids(client.get(challenges)) == [2, 1]
    assert ids(client.get(f"{challenges}&limit=1")) == [2]
    assert ids(client.get(f"{challenges}&player={host.address}")) == [2, 1]
    assert ids(client.get(f"{challenges}&player={outsider.address}")) == []
    assert ids(client.get(f"/api/games?player={guest.address}")) == []
    seats(guest).join(opened[0])
    seats(host).cancel(opened[1])
    catch_up()
    assert ids(client.get(challenges)) == []
    assert ids(client.get(f"/api/games?player={guest.address}")) == [1]
    assert ids(client.get(f"/api/games?invited={guest.address}")) == [2]


@pytest.mark.usefixtures("lobby")
def test_page_by_page(client):
    first = client.get("/api/games?limit=2")
    assert ids(first) == [5, 4]
    second = client.get(f"/api/games?limit=2&before={first.json()['next']}")
    assert ids(second) == [3, 2]
    last = client.get(f"/api/games?limit=2&before={second.json()['next']}")
    assert ids(last) == [1]
    assert last.json()["next"] is None


@pytest.mark.parametrize(
    "query",
    ["limit=0", "limit=201", "before=-1", "before=x", "player=0x12", "invited=me", "status=over"],
)
def test_malformed_queries(client, query):
    answer = client.get(f"/api/games?{query}")
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "malformed"


@pytest.fixture
def ask(client, seats):
    """Ask that a game be unlisted, by an account's signature of `text` (default: the right one)."""

    def post(game_id, account, text=None):
        contract = seats(account).contract.address
        message = encode_defunct(text=text or statement("sandbox", game_id, contract))
        signature = "0x" + account.sign_message(message).signature.hex().removeprefix("0x")
        return client.post(f"/api/unlisted/sandbox/{game_id}", json={"signature": signature})

    return post


@pytest.mark.usefixtures("lobby")
def test_its_creator_takes_a_game_out_of_the_lobby(client, ask, guest, outsider):
    answer = ask(3, guest)
    assert (answer.status_code, answer.json()["listed"]) == (200, False)
    assert ids(client.get("/api/games?status=open")) == [4]
    assert ids(client.get(f"/api/games?status=open&player={guest.address}")) == [3]
    assert client.get("/api/games/sandbox/3").json()["listed"] is False
    assert ask(3, guest).status_code == 200


@pytest.mark.usefixtures("lobby")
def test_once_begun_it_is_seen_again(client, seats, ask, catch_up, guest, host):
    ask(3, guest)
    seats(host).join(3)
    catch_up()
    assert 3 in ids(client.get("/api/games?status=live"))


@pytest.mark.usefixtures("lobby")
def test_his_session_key_may_do_it(chain, client, seats, ask, travel, guest):
    key = Account.create()
    assert ask(3, key).status_code == 403
    until = chain.now() + 100
    seats(guest).authorize(key, until)
    assert ask(3, key).status_code == 200
    travel(until)
    chain.mine()
    assert ask(3, key).status_code == 403


@pytest.mark.usefixtures("lobby")
def test_nobody_else_may(client, ask, guest, outsider):
    assert ask(3, outsider).json()["error"]["code"] == "not_permitted"
    assert ask(3, guest, "Fogbound: keep sandbox game 4 unlisted").status_code == 403
    no_signature = {"signature": "0x" + "ff" * 65}
    assert client.post("/api/unlisted/sandbox/3", json=no_signature).status_code == 403
    assert ids(client.get("/api/games?status=open")) == [4, 3]


@pytest.mark.usefixtures("lobby")
def test_only_open_games_that_exist(ask, host, guest):
    assert ask(2, host).status_code == 409
    assert ask(99, host).status_code == 404
