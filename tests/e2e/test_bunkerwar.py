"""Bunker War Z in two real browsers, on clear values."""

from playwright.sync_api import expect

from bunkerwar.rules import Outcome
from tests.e2e.play import Battle
from tests.e2e.texts import text

SIZE = (2, 2)


def sit_down(host, guest, seed, size=SIZE, **choices):
    """The host opens a game, the guest joins it from the lobby."""
    game_id = host.lobby.open().create("bunkerwar", size=size, **choices)
    guest.lobby.open().join("bunkerwar", game_id, stake=choices.get("stake"))
    return Battle((host, guest), size, game_id, seed)


def expect_result(battle, outcome):
    for seat, person in enumerate(battle.players):
        key = {Outcome.TIE: "drawn"}.get(outcome, "won" if outcome.winner == seat else "lost")
        expect(person.bunkerwar.result).to_contain_text(text(f"game.result.{key}"))


def test_a_whole_game_with_browser_keys(host, guest, seed):
    battle = sit_down(host, guest, seed)
    expect_result(battle, battle.play())
