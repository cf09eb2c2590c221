"""The stack of processes: started, asked, stopped, started again. The test game is a plug-in."""

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from fhevm.devchain import dev_accounts
from fogbound.anvil import start_anvil
from fogbound.cli import app
from fogbound.errors import ChainUnreachable
from fogbound.game import Phase
from fogbound.ports import free_port
from fogbound.process import is_listening
from fogbound.stack import Stack
from fogbound.stackinfo import StackInfo
from tests.fogbound.sandbox import GAME
from tests.fogbound.up import Up

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def up(tmp_path_factory):
    up = Up(tmp_path_factory.mktemp("up"))
    up.start()
    yield up
    if up.process.poll() is None:
        up.stop()


def open_game(stack):
    host, guest = (stack.client(GAME, account) for account in dev_accounts()[1:3])
    game_id = host.open(b"", 2, stake=10**18)
    guest.join(game_id)
    return game_id, (host, guest)


def test_a_second_up_says_that_it_runs_already(up):
    again = up.run("up")
    assert again.returncode == 0
    assert f"already (process {up.process.pid})" in again.stdout


def test_status_says_what_runs_where(up):
    found = json.loads(up.run("status", "--json").stdout)
    assert found["running"]
    assert set(found["processes"]) == {"chain", "kms", "coprocessor", "keeper"}
    assert {"sandbox", "bunkerwar"} <= set(found["games"])


def test_a_running_stack_is_not_wiped(up):
    refused = up.run("reset", "--yes")
    assert (refused.returncode, len(refused.stderr.splitlines())) == (1, 1)
    assert is_listening(up.port)


def test_stopped_and_started_again_it_goes_on_with_the_same_games(up):
    stack = Stack.connect(up.data)
    game_id, clients = open_game(stack)
    before, block = clients[0].game(game_id).players, stack.chain.block_number
    pids = [*StackInfo.read(up.data).processes.values(), up.pid_of("anvil")]
    up.stop()
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)
    with pytest.raises(ChainUnreachable):
        _ = stack.chain.block_number
    assert up.run("status").returncode == 3
    up.start()
    stack = Stack.connect(up.data)
    assert stack.client(GAME, dev_accounts()[1]).game(game_id).players == before
    assert stack.chain.block_number >= block


def test_a_chain_that_was_wiped_is_recognised(up):
    """Only the chain's folder is gone: whoever comes next says so, in one line, and what to do."""
    up.stop()
    (up.data / "chain").rename(up.folder / "chain")
    refused = up.run("up", "--port", str(up.port))
    assert refused.returncode == 1
    assert refused.stderr.splitlines()[-1] == (
        "fogbound: the chain was reset: it has another first block; deploy again, or `fogbound reset`"
    )
    shutil.rmtree(up.data / "chain")
    (up.folder / "chain").rename(up.data / "chain")
    up.start()


def test_a_port_in_use_is_said(up, tmp_path):
    other = Up(tmp_path)
    refused = other.run("up", "--port", str(up.port))
    told = f"fogbound: port {up.port} is in use (choose others with --port)\n"
    assert (refused.returncode, refused.stderr) == (1, told)


def test_beside_a_chain_that_somebody_else_runs(tmp_path):
    port = free_port()
    anvil = start_anvil(port, tmp_path / "anvil.log", genesis_time=1_700_000_000, options=[])
    up = Up(tmp_path, "clear", "--rpc", f"http://127.0.0.1:{port}")
    up.start()
    assert set(StackInfo.read(up.data).processes) == {"kms", "coprocessor", "keeper"}
    game_id, clients = open_game(Stack.connect(up.data))
    clients[0].wait_for(game_id, lambda game: game.phase is Phase.PLAYING, seconds=30)
    anvil.stop()
    other = start_anvil(port, tmp_path / "anvil.log", genesis_time=1_800_000_000, options=[])
    told = json.loads(up.run("status", "--json").stdout)["error"]
    assert told.startswith("the chain was reset")
    up.stop()
    other.stop()


def test_reset_wipes_what_is_stopped(tmp_path):
    (tmp_path / "chain").mkdir()
    (tmp_path / "stack.lock").touch()
    (tmp_path / "letters.txt").write_text("not ours")
    refused = CliRunner().invoke(app, ["reset", "--data", str(tmp_path)], input="n\n")
    assert (refused.exit_code, (tmp_path / "chain").exists()) == (1, True)
    done = CliRunner().invoke(app, ["reset", "--data", str(tmp_path), "--yes"])
    assert done.exit_code == 0
    assert [each.name for each in tmp_path.iterdir()] == ["letters.txt"]
