"""Bots: asked into a game, they play it to its end; what they must not be talked into."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from eth_account.messages import encode_defunct
from fastapi.testclient import TestClient
from sqlalchemy import event

from fhevm.devchain import dev_accounts
from fogbound.errors import SettingsInvalid
from fogbound.game import Outcome, Phase
from frontend.app.bots import places
from frontend.app.bots.accounts import make_bots
from frontend.app.bots.invitations import statement
from frontend.app.bots.playing import Playing
from frontend.app.bots.purse import GIFTS_PER_HOUR, LOCAL_STAKE_LIMIT, Purse
from frontend.app.errors import BotUnwilling
from frontend.app.index.schema import GameRow
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
    seats(host).authorize(guest, chain.now() + 1000)
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


# ── places ──


@pytest.fixture
def room_for(monkeypatch):
    """Let a bot play so many games at once."""
    return lambda count: monkeypatch.setattr(places, "PLACES", count)


@pytest.fixture
def come_from(monkeypatch):
    """Let what follows come from this client."""
    return lambda client: monkeypatch.setattr("frontend.app.api.bots.client_of", lambda _: client)


def test_a_client_that_takes_all_places_gives_one_up_for_a_newcomer(
    ask, begun, open_for_bot, seats, outsider, host, bot, catch_up, room_for, come_from
):
    room_for(3)
    come_from("10.0.0.1")
    games = [begun() for _ in range(3)]
    come_from("10.0.0.2")
    newcomers = seats(outsider).open(b"", 2, opponent=bot.address)
    assert ask(newcomers).status_code == 202
    assert resigned(seats(host), games, bot) == games[:1]
    catch_up()
    come_from("10.0.0.1")
    assert ask(open_for_bot()).status_code == 202  # again at the cost of an own one
    assert resigned(seats(host), games, bot) == games[:2]
    assert bot.address in seats(outsider).game(newcomers).players
    assert ask(games[2]).status_code == 202  # it is there already


def test_many_accounts_of_one_client_are_one(ask, seats, bot, catch_up, room_for, come_from, host):
    room_for(4)
    come_from("10.0.0.9")
    honest = seats(host).open(b"", 2, opponent=bot.address)
    assert ask(honest).status_code == 202
    come_from("10.0.0.1")
    for account in dev_accounts()[2:8]:
        game_id = seats(account).open(b"", 2, opponent=bot.address)
        assert ask(game_id).status_code == 202
        catch_up()
    assert seats(host).game(honest).phase is Phase.DRAWING


def test_games_for_stakes_never_give_way_nor_fill_all_places(
    ask, open_for_bot, seats, host, bot, catch_up, room_for, come_from, monkeypatch
):
    monkeypatch.setattr(places, "STAKED", 3)
    monkeypatch.setattr(places, "STAKED_OF_ONE", 2)
    room_for(4)
    staked = []
    for client, answers in (("10.0.0.1", [202, 202, 409]), ("10.0.0.2", [202, 409])):
        come_from(client)
        for expected in answers:
            game_id = open_for_bot(ETHER // 100)
            assert ask(game_id).status_code == expected
            staked += [game_id] if expected == 202 else []
    for _ in range(4):
        catch_up()
        assert ask(open_for_bot()).status_code == 202
    assert resigned(seats(host), staked, bot) == []


def resigned(table, games, bot):
    """Those of these games that the bot has resigned."""
    found = []
    for game_id in games:
        game = table.game(game_id)
        if game.outcome is Outcome.RESIGNED:
            assert game.players[next(iter(game.winners))] != bot.address
            found.append(game_id)
    return found


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
    services, begun, seats, host, bot, chain, travel, catch_up, patience, phase
):
    game_id, table = begun(), seats(host)
    bots = playing(services, patience=patience, clock=chain.now)
    if table.game(game_id).is_turn_of(bot.address):
        bots.tick()
        catch_up()
    bots.tick()
    assert table.game(game_id).phase is Phase.PLAYING
    travel(table.game(game_id).deadline)
    chain.mine()
    catch_up()
    bots.tick()
    game = table.game(game_id)
    assert game.phase is phase
    assert (game.outcome is Outcome.TIMED_OUT) == (phase is Phase.ENDED)


def test_a_bot_that_is_short_of_time_extends_its_clock_first(
    services, begun, seats, host, bot, chain, travel, catch_up
):
    game_id, table = begun(), seats(host)
    host_moves(table, game_id)
    catch_up()
    late = table.game(game_id).deadline - 10
    travel(late)
    chain.mine()
    playing(services, clock=chain.now).tick()
    names = [event.name for event in table.history.of_game(game_id)]
    assert names[-2:] == ["ClockExtended", "Passed"]


def test_a_bot_in_time_keeps_what_may_extend_its_clock(
    services, begun, seats, host, catch_up, chain
):
    game_id, table = begun(), seats(host)
    host_moves(table, game_id)
    catch_up()
    playing(services, clock=chain.now).tick()
    assert table.game(game_id).keep_alives == (0, 0)


def test_the_games_of_strangers_cost_nothing(services, begun, seats, catch_up, host, guest):
    mine = begun()
    bots = playing(services)
    bots.tick()
    strangers = [seats(host).open(b"", 2) for _ in range(4)]
    for game_id in strangers:
        seats(guest).join(game_id)
    catch_up()
    loaded = []
    listener = lambda row, _: loaded.append(row.id)  # noqa: E731
    event.listen(GameRow, "load", listener)
    bots.tick()
    playing(services).tick()
    event.remove(GameRow, "load", listener)
    assert set(loaded) == {mine}


def test_it_is_woken_by_what_changes(chain, open_for_bot, ask, catch_up, seats, host, services):
    bots = playing(services)
    services.indexing.tell(bots.wake)
    bots.start(services.settings.folder)
    try:
        game_id = open_for_bot()
        assert ask(game_id).status_code == 202
        chain.mine(3)
        seats(host).settle_draw(game_id)
        host_moves(seats(host), game_id)
        catch_up()
        await_move(seats(host), game_id)
    finally:
        bots.stop()


def await_move(table, game_id):
    table.wait_for(
        game_id, lambda game: game.is_turn_of(table.player), "the bot's move", seconds=30
    )


# ── who they are ──


def test_a_bot_keeps_its_account(services, bot, tmp_path):
    again, other = (make_bots(folder, [GAME]) for folder in (services.settings.folder, tmp_path))
    assert [each.address for each in again] == [bot.address] != [other[0].address]
    assert (services.settings.folder / "bots.key").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("content", ["", "no key", "ab" * 31, "ab" * 33])
def test_a_damaged_key_file_is_named(tmp_path, content):
    (tmp_path / "bots.key").write_text(content)
    with pytest.raises(SettingsInvalid, match=r"bots\.key holds no key"):
        make_bots(tmp_path, [GAME])


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
