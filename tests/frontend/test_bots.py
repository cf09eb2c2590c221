"""Bots: asked into a game, they play it to its end; what they must not be talked into."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from eth_account.messages import encode_defunct
from fastapi.testclient import TestClient

from fogbound.game import Outcome, Phase
from frontend.app.bots import invitations
from frontend.app.bots.accounts import make_bots
from frontend.app.bots.invitations import statement
from frontend.app.bots.playing import Playing
from frontend.app.bots.purse import GIFTS_PER_HOUR, LOCAL_STAKE_LIMIT, Purse
from frontend.app.errors import BotUnwilling
from frontend.app.limits import Rate
from frontend.app.main import create_app
from frontend.app.settings import load_settings
from tests.fogbound.sandbox import GAME
from tests.frontend.bots import playing
from tests.frontend.fixed import FixedConnector

ETHER = 10**18


@pytest.fixture
def settings(settings):
    return settings.model_copy(update={"bots": True})


@pytest.fixture
def bot(services):
    (only,) = services.bots.offered()
    return only


@pytest.fixture
def open_for_bot(seats, host, bot):
    """Open a game that only the bot may join."""
    return lambda stake=0: seats(host).open(b"", 2, opponent=bot.address, stake=stake)


@pytest.fixture
def ask(client, catch_up, monkeypatch):
    catch_up()
    monkeypatch.setattr(Rate, "seconds", lambda *_: 0.0)

    def post(game_id, signature=None, kind="sandbox"):
        body = {"id": game_id} | ({"signature": signature} if signature else {})
        return client.post(f"/api/bots/{kind}", json=body)

    return post


@pytest.fixture
def begun(open_for_bot, ask, seats, host, chain, catch_up):
    """A game with the bot whose first seat is drawn."""

    def begin(stake=0):
        game_id = open_for_bot(stake)
        assert ask(game_id).status_code == 202
        chain.mine(3)
        seats(host).settle_draw(game_id)
        catch_up()
        return game_id

    return begin


def signed(account, table, game_id, kind="sandbox"):
    text = statement(kind, game_id, table.contract.address)
    return account.sign_message(encode_defunct(text=text)).signature.to_0x_hex()


def code_of(answered):
    return answered.json()["error"]["code"]


def host_moves(client, game_id):
    if client.game(game_id).is_turn_of(client.player):
        client.hand_over(game_id, 1 - client.game(game_id).on_turn)


# ── asking ──


def test_a_bot_joins_the_game_that_was_opened_for_it(ask, open_for_bot, seats, host, bot):
    game_id = open_for_bot(ETHER // 2)
    answered = ask(game_id)
    assert answered.status_code == 202
    assert answered.json() == {"kind": "sandbox", "address": bot.address, "name": "patient"}
    game = seats(host).game(game_id)
    assert (game.players, game.phase) == ((host.address, bot.address), Phase.DRAWING)


def test_asked_twice_it_joins_once(ask, open_for_bot, bot, connection):
    game_id = open_for_bot(ETHER // 2)
    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(ask, [game_id] * 4))
    assert [each.status_code for each in answers] == [202] * 4
    joined = [e for e in connection.history(GAME).of_game(game_id) if e.name == "SeatTaken"]
    assert [e.arguments["player"] for e in joined].count(bot.address) == 1


def test_who_opened_a_game_for_anybody_may_play_a_bot_instead(ask, seats, host, bot):
    game_id = seats(host).open(b"", 2)
    assert ask(game_id, signed(host, seats(host), game_id)).status_code == 202
    assert bot.address in seats(host).game(game_id).players


def test_so_may_his_session_key(ask, seats, host, guest, chain):
    seats(host).authorize(guest, chain.block_number + 1000)
    game_id = seats(host).open(b"", 2)
    assert ask(game_id, signed(guest, seats(host), game_id)).status_code == 202


def test_nobody_calls_a_bot_into_the_game_of_another(ask, seats, host, outsider):
    table = seats(host)
    game_id, other = table.open(b"", 2), table.open(b"", 2)
    for signature in (
        None,
        signed(outsider, table, game_id),
        signed(host, table, other),
        signed(host, table, game_id, "battleship"),
        "0x" + "00" * 65,
        "0x" + "ff" * 65,
    ):
        answered = ask(game_id, signature)
        assert (answered.status_code, code_of(answered)) == (403, "not_permitted")
    assert table.game(game_id).phase is Phase.OPEN


def test_a_seat_that_is_kept_for_somebody_else(ask, seats, host, guest):
    game_id = seats(host).open(b"", 2, opponent=guest.address)
    answered = ask(game_id, signed(host, seats(host), game_id))
    assert (answered.status_code, code_of(answered)) == (409, "bot_unwilling")


def test_a_game_that_is_full_or_over(ask, open_game, open_for_bot, seats, host):
    cancelled = open_for_bot()
    seats(host).cancel(cancelled)
    for game_id in (open_game(), cancelled):
        answered = ask(game_id)
        assert (answered.status_code, code_of(answered)) == (409, "bot_unwilling")


def test_what_there_is_not(ask):
    assert ask(99).status_code == 404
    assert ask(1, kind="chess").status_code == 404
    assert ask(0).status_code == ask("1; drop").status_code == 422
    assert ask(1, "0x12").status_code == 422


def test_stakes_beyond_the_limit(ask, open_for_bot, chain, bot):
    answered = ask(open_for_bot(LOCAL_STAKE_LIMIT + 1))
    assert (answered.status_code, code_of(answered)) == (409, "bot_unwilling")
    assert chain.balance(bot.address) == 0
    assert ask(open_for_bot(LOCAL_STAKE_LIMIT)).status_code == 202


def test_one_player_does_not_keep_all_bots_busy(ask, begun, open_for_bot, monkeypatch):
    monkeypatch.setattr(invitations, "GAMES_WITH_ONE", 2)
    games = [begun(), begun()]
    answered = ask(open_for_bot())
    assert (answered.status_code, code_of(answered)) == (409, "bot_unwilling")
    assert ask(games[0]).status_code == 202  # it is there already


def test_one_bot_does_not_play_without_end(ask, begun, open_for_bot, monkeypatch):
    monkeypatch.setattr(invitations, "GAMES_OF_A_BOT", 1)
    begun()
    assert code_of(ask(open_for_bot())) == "bot_unwilling"


def test_a_server_without_bots(connection, settings):
    quiet = settings.model_copy(update={"bots": False})
    app = create_app(quiet, connector=FixedConnector(connection), specs=[GAME])
    client = TestClient(app, base_url="http://127.0.0.1:8080")
    assert client.get("/api/bots").json() == {"bots": []}
    answered = client.post("/api/bots/sandbox", json={"id": 1})
    assert (answered.status_code, code_of(answered)) == (409, "not_offered")
    app.state.services.database.close()


# ── money ──


def test_on_a_public_chain_a_bot_has_what_it_was_given(connection, bot, host):
    purse = Purse(ETHER)
    with pytest.raises(BotUnwilling, match="cannot pay"):
        purse.provide(connection, bot, ETHER // 2, local=False)
    connection.chain.transfer(host, bot.address, ETHER)
    purse.provide(connection, bot, ETHER // 2, local=False)
    assert connection.chain.balance(bot.address) == ETHER


def test_on_a_public_chain_a_bot_stakes_nothing_unless_it_is_told(connection, bot, host):
    connection.chain.transfer(host, bot.address, ETHER)
    for purse in (Purse(None), Purse(0)):
        purse.provide(connection, bot, 0, local=False)
        with pytest.raises(BotUnwilling, match="stakes 0 wei"):
            purse.provide(connection, bot, 1, local=False)
    Purse(1).provide(connection, bot, 1, local=False)
    assert load_settings().bot_stake_limit is None


def test_what_bots_lose_in_an_hour_is_bounded(connection, bot, host):
    purse, chain = Purse(10**30), connection.chain
    given: list[int] = []

    def lose():
        purse.provide(connection, bot, 30 * ETHER, local=True)
        given.append(chain.balance(bot.address))
        chain.transfer(bot.account, host.address, given[-1] - ETHER // 10)

    def lose_all():
        for _ in range(100):
            lose()

    with pytest.raises(BotUnwilling, match="cannot pay"):
        lose_all()
    assert 30 * ETHER < sum(given) <= GIFTS_PER_HOUR * ETHER * 1.2


# ── playing ──


def test_it_plays_to_the_end(services, begun, seats, host, bot, catch_up):
    game_id, table, bots = begun(ETHER), seats(host), playing(services)
    for _ in range(6):
        bots.tick()
        host_moves(table, game_id)
        catch_up()
    game = table.game(game_id)
    assert (game.phase, game.outcome) == (Phase.ENDED, Outcome.WON)
    assert game.players[next(iter(game.winners))] == bot.address


def test_several_games_at_once_also_after_a_restart(services, begun, seats, host, catch_up):
    games, table = [begun() for _ in range(2)], seats(host)
    for _ in range(6):
        playing(services).tick()  # each time as after a start
        for game_id in games:
            host_moves(table, game_id)
        catch_up()
    assert {table.game(game_id).phase for game_id in games} == {Phase.ENDED}


def test_a_failure_in_one_game_stops_no_other(services, begun, seats, host, monkeypatch, catch_up):
    broken, sound = begun(), begun()
    table, bots = seats(host), playing(services)
    act = Playing._act

    def sometimes(self, seat):
        if seat.row.id == broken:
            raise RuntimeError("broken")
        act(self, seat)

    monkeypatch.setattr(Playing, "_act", sometimes)
    for _ in range(6):
        bots.tick()
        host_moves(table, sound)
        catch_up()
    assert table.game(sound).phase is Phase.ENDED
    assert table.game(broken).phase is Phase.PLAYING


def test_it_leaves_the_games_of_others_alone(services, open_game, seats, host, catch_up):
    game_id = open_game()
    catch_up()
    before = seats(host).game(game_id)
    playing(services).tick()
    assert seats(host).game(game_id) == before


@pytest.mark.parametrize(("patience", "phase"), [(0, Phase.ENDED), (900, Phase.PLAYING)])
def test_who_does_not_come_back_loses_once_patience_ends(
    services, begun, seats, host, bot, chain, catch_up, patience, phase
):
    game_id, table = begun(), seats(host)
    bots = playing(services, patience=patience)
    if table.game(game_id).is_turn_of(bot.address):
        bots.tick()
    chain.mine(30)
    catch_up()
    bots.tick()
    game = table.game(game_id)
    assert game.phase is phase
    assert (game.outcome is Outcome.TIMED_OUT) == (phase is Phase.ENDED)


# ── who they are ──


def test_a_bot_keeps_its_account(services, bot, tmp_path):
    again, other = (make_bots(folder, [GAME]) for folder in (services.settings.folder, tmp_path))
    assert [each.address for each in again] == [bot.address] != [other[0].address]
    assert (services.settings.folder / "bots.key").stat().st_mode & 0o077 == 0


def test_nothing_tells_its_key(client, bot, begun, services):
    begun()
    key = bot.secret.hex()
    root = (services.settings.folder / "bots.key").read_text()
    shown = repr(bot) + client.get("/api/bots").text + client.get("/api/config").text
    logs = (services.settings.data / "logs" / "access.log").read_text()
    assert bot.address in shown
    for text in (shown, logs):
        assert key not in text
        assert root not in text


def test_it_is_told_as_a_bot(client, bot, begun):
    begun()
    assert client.get("/api/config").json()["bots"] == client.get("/api/bots").json()["bots"]
    assert client.get(f"/api/players/{bot.address}").json()["bot"] is True


def test_the_other_way_round_a_person_is_none(client, host, begun):
    begun()
    assert client.get(f"/api/players/{host.address}").json()["bot"] is False
