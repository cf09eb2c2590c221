"""The keeper on the chain in process: draws, waits, blocks for clocks, restarts, abuse of its files."""

import threading

import pytest

from fogbound.bots import play
from fogbound.errors import ChainUnreachable, NotOnTurn
from fogbound.game import Phase
from fogbound.history import History
from fogbound.keeper import Keeper
from fogbound.watch import Watch
from tests.fogbound.sandbox import GAME


@pytest.fixture
def make_keeper(chain, registry, seats, outsider, tmp_path):
    """A keeper, as after a start; it forgets everything but its file."""

    def make(heartbeat=0.0):
        first_block = registry.find("Sandbox", chain.chain_id).block
        history = History(chain, seats(outsider).contract, first_block)
        watch = Watch(GAME, seats(outsider), history, tmp_path / "sandbox.json")
        return Keeper(chain, [watch], heartbeat=heartbeat, threads=False)

    return make


def test_a_draw_is_mined_for_and_settled(make_keeper, seats, open_game, host):
    keeper = make_keeper()
    game_id = open_game()
    keeper.tick()
    keeper.tick()
    assert seats(host).game(game_id).phase is Phase.PLAYING


def test_a_wait_is_resolved(chain, make_keeper, seats, open_game, host, guest):
    keeper = make_keeper()
    game_id = open_game()
    keeper.tick()
    keeper.tick()
    mover = (host, guest)[seats(host).game(game_id).on_turn]
    seats(mover).begin_wait(game_id)
    keeper.tick()
    assert seats(host).game(game_id).phase is Phase.PLAYING


def test_blocks_come_while_a_clock_runs_and_stop_after_the_deadline(
    chain, make_keeper, seats, open_game, host
):
    keeper = make_keeper()
    game_id = open_game()
    for _ in range(60):
        keeper.tick()
    assert seats(host).blocks_left(game_id) == -1
    rest = chain.block_number
    keeper.tick()
    assert chain.block_number == rest


def test_no_block_comes_for_games_that_wait_for_players(chain, make_keeper, seats, host):
    keeper = make_keeper()
    seats(host).open(b"", 2)
    rest = chain.block_number
    for _ in range(5):
        keeper.tick()
    assert chain.block_number == rest


def test_a_public_chain_is_not_mined(chain, make_keeper, open_game):
    keeper = make_keeper(heartbeat=None)
    open_game()
    rest = chain.block_number
    keeper.tick()
    assert chain.block_number == rest


@pytest.mark.parametrize("damage", [None, "", "[1]", '{"cursor": {"block": 3}}'])
def test_a_new_keeper_goes_on_whatever_its_file_says(
    make_keeper, seats, open_game, host, tmp_path, damage
):
    game_id = open_game()
    make_keeper().tick()
    if damage is not None:
        (tmp_path / "sandbox.json").write_text(damage)
    successor = make_keeper()
    successor.tick()
    successor.tick()
    assert seats(host).game(game_id).phase is Phase.PLAYING


def test_a_chain_that_was_rewound_is_read_anew(chain, make_keeper, seats, open_game, host):
    snapshot = chain.web3.provider.make_request("evm_snapshot", [])["result"]
    keeper = make_keeper()
    seats(host).open(b"", 3)
    keeper.tick()
    chain.web3.provider.make_request("evm_revert", [snapshot])
    chain.mine(2)
    game_id = open_game()
    keeper.tick()
    keeper.tick()
    assert seats(host).game(game_id).phase is Phase.PLAYING


def test_two_keepers_do_not_disturb_each_other(make_keeper, seats, open_game, host):
    one, two = make_keeper(), make_keeper()
    game_id = open_game()
    for _ in range(3):
        one.tick()
        two.tick()
    assert seats(host).game(game_id).phase is Phase.PLAYING


def test_running_survives_a_chain_that_is_away(make_keeper, monkeypatch):
    keeper = make_keeper()
    stop, ticks = threading.Event(), []

    def tick():
        ticks.append(1)
        if len(ticks) == 3:
            stop.set()
        raise ChainUnreachable("http://nowhere")

    monkeypatch.setattr("fogbound.keeper.RETRY_SECONDS", 0.01)
    monkeypatch.setattr(keeper, "tick", tick)
    keeper.run(stop)
    assert len(ticks) == 3


def test_bots_play_to_the_end(chain, make_keeper, seats, open_game, host, guest):
    keeper = make_keeper()
    chain.idle = keeper.tick
    game_id = open_game()

    def act(client):
        def move(game):
            if game.move_number < 6:
                client.hand_over(game_id, 1 - game.on_turn)
            else:
                client.win(game_id, game.on_turn)

        return move

    def guest_moves():
        """The guest's one move, whenever it is his turn; the host waits meanwhile."""
        keeper.tick()
        game = seats(guest).game(game_id)
        if game.is_turn_of(guest.address):
            act(seats(guest))(game)

    chain.idle = guest_moves
    game = play(seats(host), game_id, act(seats(host)))
    assert (game.phase, game.move_number >= 6) == (Phase.ENDED, True)


def test_a_bot_gives_up_when_its_move_is_refused_for_ever(
    chain, make_keeper, seats, open_game, host, guest
):
    chain.idle = make_keeper().tick
    game_id = open_game()
    chain.idle()
    chain.idle()
    mover = (host, guest)[seats(host).game(game_id).on_turn]
    refused = seats(guest if mover is host else host)
    with pytest.raises(NotOnTurn):
        play(seats(mover), game_id, lambda game: refused.win(game_id, 0), patience=0.0)


def test_a_duty_with_a_fault_is_told_and_tried_less_and_less(
    make_keeper, seats, open_game, host, guest, monkeypatch, caplog
):
    keeper = make_keeper()
    game_id = open_game()
    keeper.tick()
    keeper.tick()
    mover = (host, guest)[seats(host).game(game_id).on_turn]
    seats(mover).begin_wait(game_id)
    tries, now = [], [0.0]
    monkeypatch.setattr("fogbound.keeper.time.monotonic", lambda: now[0])

    def faulty(*_):
        tries.append(now[0])
        raise KeyError("a fault of the game's code")

    monkeypatch.setattr(Watch, "tend", faulty)
    for _ in range(20):
        keeper.tick()
        now[0] += 1.0
    assert tries == [0, 1, 3, 7, 15]
    assert "a fault of the game's code" in caplog.text
