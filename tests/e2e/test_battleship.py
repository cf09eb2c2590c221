"""Battleship in two real browsers."""

from playwright.sync_api import expect

from tests.e2e.play import Duel
from tests.e2e.texts import text

SIZE = 6
STAKE = "1"
ETHER = 10**18


def sit_down(host, guest, seed, **choices):
    """The host opens a game, the guest joins it from the lobby."""
    host.lobby.open()
    game_id = host.lobby.create("battleship", size=SIZE, **choices)
    lobby = guest.lobby.open()
    lobby.join("battleship", game_id, SIZE)
    fleets = (host.lobby.fleet, lobby.fleet)
    return Duel((host, guest), fleets, game_id, seed)


def test_a_whole_game_with_browser_keys(host, guest, seed):
    host_lobby, guest_lobby = host.lobby.open(), guest.lobby.open()
    game_id = host_lobby.create("battleship", size=SIZE)
    expect(guest_lobby.row("battleship", game_id)).to_be_visible()
    guest_lobby.join("battleship", game_id, SIZE)
    duel = Duel((host, guest), (host_lobby.fleet, guest_lobby.fleet), game_id, seed)
    winner = duel.play()
    for person in (host, guest):
        key = "game.result.won" if person is winner else "game.result.lost"
        expect(person.battleship.result).to_contain_text(text(key))
