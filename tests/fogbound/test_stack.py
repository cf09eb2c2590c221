"""The stack in one process."""

import pytest

from fhevm.devchain import dev_accounts
from fogbound.errors import ChainUnreachable, GameNotInstalled, StackNotRunning
from fogbound.game import Phase
from fogbound.stack import LocalStack, Stack
from tests.fogbound.sandbox import GAME


def play_a_little(stack):
    """Open, join, draw, wait, resolve, win; what there is to compare of it."""
    host, guest = (stack.client(GAME, account) for account in dev_accounts()[1:3])
    game_id = host.open(b"", 2, stake=10)
    guest.join(game_id)
    first = host.wait_for(game_id, lambda game: game.phase is Phase.PLAYING, seconds=10).on_turn
    mover = (host, guest)[first]
    mover.begin_wait(game_id)
    game = host.wait_for(game_id, lambda game: game.phase is Phase.PLAYING, seconds=10)
    (host, guest)[game.on_turn].win(game_id, game.on_turn)
    return [event.transaction for event in stack.history(GAME).of_game(game_id)]


@pytest.mark.parametrize("anvil", [True, False])
def test_one_thread_plays_all_seats(anvil):
    with LocalStack(games=[GAME], anvil=anvil) as stack:
        assert len(play_a_little(stack)) == 6


def test_a_seeded_run_repeats_itself():
    runs = []
    for _ in range(2):
        with LocalStack(games=[GAME], seed=bytes(31) + b"\7") as stack:
            runs.append((play_a_little(stack), stack.chain.block_hash(stack.chain.block_number)))
    assert runs[0] == runs[1]


def test_nothing_is_left_running():
    with LocalStack(games=[]) as stack:
        chain = stack.chain
    with pytest.raises(ChainUnreachable):
        _ = chain.block_number


def test_a_stack_that_does_not_run(tmp_path):
    with pytest.raises(StackNotRunning, match="fogbound up"):
        Stack.connect(tmp_path)


def test_a_game_that_is_not_installed():
    with LocalStack(games=[], anvil=False) as stack, pytest.raises(GameNotInstalled, match="chess"):
        stack.client("chess", dev_accounts()[1])
