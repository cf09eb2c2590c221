"""What a client must withstand: a chain that goes back, and opponents who say what they like."""

import io
import re

import pytest
from rich.console import Console

from battleship.board_keys import BoardKeys
from battleship.bots import BOTS
from battleship.fleets import Kind
from battleship.rules import Attack
from battleship.terminal import Terminal
from fhevm.freshchain import snapshot
from fogbound.game import Phase
from tests.battleship.conftest import FLEETS, GUEST, HOST


@pytest.fixture
def fork(stack):
    """Factory: call it for a place to go back to; what it gives goes back there."""
    return lambda: snapshot(stack.chain.web3)


def names(client, game_id):
    """The game's events."""
    return [event.name for event in client.history.of_game(game_id)]


def test_after_a_reorganisation_a_game_is_answered_with_its_own_board(client, fork):
    """The attack on oneself: another tab's game gets the id that this tab knows another board by."""
    host, tab, guest = client(HOST), client(HOST), client(GUEST)
    go_back = fork()
    game_id = host.open(6, FLEETS[0])
    assert host.commitment(game_id).fleet == FLEETS[0]
    go_back()
    assert tab.open(6, FLEETS[1]) == game_id
    guest.join(game_id, FLEETS[1])
    host.wait_for(game_id, lambda game: game.phase is Phase.PLAYING)
    if host.game(game_id).on_turn == 0:
        tab.fire(game_id, Attack(0, 0))
    guest.fire(game_id, Attack(0, 0))
    assert host.serve(game_id)
    assert names(host, game_id)[-1] == "ShotAnswered"
    guest.resign(game_id)
    assert host.serve(game_id)
    assert host.replay(game_id).revealed[0].honest


def test_a_player_is_told_when_his_game_cannot_be_answered(open_game, client):
    """A wallet that gave its board keys once only, in another session: they would lose on time unawares."""
    host, guest, game_id = open_game()
    lost = client(HOST)
    lost.keys = BoardKeys(bytes(32), recoverable=False)
    if host.game(game_id).on_turn == 0:
        host.fire(game_id, Attack(0, 0))
    guest.fire(game_id, Attack(0, 0))
    screen = Console(record=True, width=200, file=io.StringIO())

    def ask(_):
        lost.chain.wait_until(lambda: "still" in screen.export_text(clear=False), "it", seconds=30)
        raise EOFError

    Terminal(lost, screen, ask, pause=0.01).play()
    assert "keep this program open" in screen.export_text(clear=False)
    assert "was not made with these board keys" in screen.export_text()


def test_a_player_is_told_of_every_game_that_needs_him(client):
    """Opened from another window: unawares, they would lose it on time."""
    host, screen = client(HOST), Console(record=True, width=200, file=io.StringIO())
    first, second = host.open(6, FLEETS[0]), host.open(8, FLEETS[0])
    lines = iter([f"join {first}", "resign"])

    def ask(_):
        if line := next(lines, None):
            return line
        raise EOFError

    Terminal(client(HOST), screen, ask, pause=0.01).play()
    shown = screen.export_text()
    assert f"Game {second} goes on" in shown
    assert re.search(rf"Not over either: .*\b{first}\b", shown)
    assert host.game(first).phase is Phase.CANCELLED
    assert host.game(second).phase is Phase.OPEN


def test_a_shot_that_a_reorganisation_took_back_is_not_answered(open_game, fork):
    players = open_game()
    game_id = players[2]
    shooter = players[players[0].game(game_id).on_turn]
    defender = players[1 - players[0].game(game_id).on_turn]
    go_back = fork()
    shooter.fire(game_id, Attack(1, 1))
    assert defender.target(game_id) == 7
    go_back()
    assert not defender.serve(game_id)
    shooter.fire(game_id, Attack(4, 4))
    assert defender.serve(game_id)
    assert defender.replay(game_id).openings[0][1] == 28


@pytest.mark.parametrize("claim", [Kind.SUPER_CARRIER, Kind.DESTROYER])
def test_whatever_an_opponent_says_is_sunk_the_game_goes_on(open_game, claim):
    """They lose by it, once they must prove; until then every bot and both boards must bear it."""
    host, guest, game_id = open_game()
    if host.game(game_id).on_turn == 1:
        guest.fire(game_id, Attack(0, 5))
    for number, ship in enumerate([Attack(3, 5), Attack(4, 5), Attack(5, 5)]):
        host.fire(game_id, ship)
        *arguments, _ = guest._answer(game_id, guest.replay(game_id))
        guest._send("answerAndFire", *arguments, claim, number)
        view = host.view(game_id)
        assert view.boards[1].sunk == (claim,) * (number + 1)
        for bot in BOTS.values():
            assert bot(1).choose(view).cell(6) not in view.boards[1].fired
    host.resign(game_id)
    guest.reveal(game_id)
    assert not host.replay(game_id).revealed[1].honest
    assert host.serve(game_id)
    assert host.game(game_id).winners == {0}
