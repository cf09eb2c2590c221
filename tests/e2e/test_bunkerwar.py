"""Bunker War Z in real browsers, on clear values."""

import json

from playwright.sync_api import expect

from bunkerwar.rules import Build, Cell, Outcome, outcome, view
from tests.e2e.pages.replay import replayed
from tests.e2e.people import ETHER
from tests.e2e.play import Battle, sit_down_to_bunkerwar
from tests.e2e.texts import text

SIZE = (2, 2)


def expect_result(battle, outcome):
    for seat, person in enumerate(battle.players):
        key = {Outcome.TIE: "drawn"}.get(outcome, "won" if outcome.winner == seat else "lost")
        expect(person.bunkerwar.result).to_contain_text(text(f"game.result.{key}"))


def test_a_whole_game_watched_and_replayed(host, guest, spectator, seed):
    """With browser keys."""
    battle = sit_down_to_bunkerwar(host, guest, seed)
    watched = spectator.bunkerwar.visit(battle.game_id)
    states = [battle.state]
    while not battle.state.finished:
        battle.step()
        states.append(battle.state)
        boards = view(battle.state, None).boards
        for grid, board in zip((0, 1), boards, strict=True):  # the host's is at the left
            watched.expect_board(watched.page.get_by_role("grid").nth(grid), board)
    expect_result(battle, outcome(states[-1]))
    expect_replayed(spectator, battle.game_id, states, None)
    expect_replayed(host, battle.game_id, states, 0)


def expect_replayed(person, game_id, states, seat):
    """At each move what the public, or that seat's player, knew then."""
    replay = person.replay.visit("bunkerwar", game_id)
    if seat is not None:
        replay.see_as(text("game.you"))
    events = replayed(person.stack.api(f"games/bunkerwar/{game_id}")["events"])
    played = 0
    for at in replay.steps(len(events)):
        moved = events[at]["name"] in {"BuildingPlaced", "MissileResolved"}
        played += moved
        if moved:
            boards = view(states[played], seat).boards
            for grid, board in enumerate(boards):
                shown = person.bunkerwar.board(person.page.get_by_role("grid").nth(grid), *SIZE)
                assert shown == board, (at, seat)
    assert played == len(states) - 1


def test_a_whole_game_with_wallets(host, guest, seed):
    for person in (host, guest):
        person.give_wallet()
        person.connect("bunkerwar")
    battle = sit_down_to_bunkerwar(host, guest, seed)
    host.page.reload()
    battle.expect_shown()
    asked = [len(person.wallet.asked) for person in (host, guest)]
    expect_result(battle, battle.play())
    for person, before in zip((host, guest), asked, strict=True):  # the session key has signed
        assert "eth_sendTransaction" not in person.wallet.asked[before:]


def test_a_whole_game_against_a_bot(host):
    choices = {"bunkerwar": {"lanes": 1, "depth": 2, "stacked": False}}  # the board played last
    host.context.add_init_script(f"localStorage['fogbound.choices'] = `{json.dumps(choices)}`")
    page, lobby = host.bunkerwar, host.lobby.open()
    lobby.play_bot("bunkerwar")
    for depth in range(2):
        page.expect_turn()
        page.act(Build(0, depth, Cell.BUNKER))
    expect(page.result).to_be_visible()
    game = host.stack.api(f"games/bunkerwar/{lobby.arrived('bunkerwar')}")
    assert game["phase"] == "ended"
    won = {0: "won", 1: "lost"}[game["winners"][0]] if game["winners"] else "drawn"
    expect(page.result).to_contain_text(text(f"game.result.{won}"))


def test_quick_match_and_a_draw_that_is_accepted(host, guest, seed):
    choices = {"size": SIZE, "stake": "0.5"}
    game_id = host.lobby.open().quick_match("bunkerwar", **choices)
    assert guest.lobby.open().quick_match("bunkerwar", **choices) == game_id
    battle = Battle((host, guest), SIZE, game_id, seed)
    battle.step()
    host.bunkerwar.action("offerDraw").click()
    guest.bunkerwar.action("acceptDraw").click()
    for person in (host, guest):
        expect(person.bunkerwar.result).to_contain_text(text("game.result.drawn"))
        expect(person.bunkerwar.result).to_contain_text("0.5 ETH")
        balance = person.stack.web3.eth.get_balance(person.bunkerwar.address())
        assert 4.98 * ETHER < balance < 5 * ETHER


def test_a_session_is_revoked_and_its_money_comes_back(host):
    wallet = host.give_wallet()
    host.connect("bunkerwar")
    web3, account = host.stack.web3, wallet.account.address
    lent = 10 * ETHER - web3.eth.get_balance(account)
    settings = host.settings.open()
    settings.revoke("bunkerwar")
    settings.send_back("bunkerwar")
    assert 10 * ETHER - web3.eth.get_balance(account) < lent / 2


def test_a_rematch_is_offered_and_taken(host, guest, seed):
    sit_down_to_bunkerwar(host, guest, seed)
    host.bunkerwar.resign()
    host.bunkerwar.button("game.rematch").click()
    guest.page.get_by_role("link", name=text("game.rematchTake"), exact=True).click()
    guest.bunkerwar.button("game.join").click()
    game_id = int(guest.page.url.rsplit("/", 1)[1])
    host.bunkerwar.visit(game_id)
    battle = Battle((host, guest), SIZE, game_id, seed)
    expect_result(battle, battle.play())


def test_who_is_invited_finds_the_game_in_their_list(host, guest, seed):
    """Also one that is not in the lobby."""
    guest_lobby, host_lobby = guest.lobby.open(), host.lobby.open()
    opponent = guest_lobby.enter()
    game_id = host_lobby.create("bunkerwar", size=SIZE, opponent=opponent, unlisted=True)
    guest_lobby.join("bunkerwar", game_id)
    battle = Battle((host, guest), SIZE, game_id, seed)
    expect_result(battle, battle.play())


def test_everything_is_killed_in_mid_game_and_started_again(host, guest, seed):
    """Pages that stay open go on by themselves."""
    battle = sit_down_to_bunkerwar(host, guest, seed)
    battle.step()
    battle.step()
    host.stack.kill()
    host.stack.start()
    host.page.reload()
    expect_result(battle, battle.play())
