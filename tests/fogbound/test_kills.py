"""The stack of processes: started, killed part by part in mid-game, stopped. The test game is a plug-in."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from fhevm.devchain import dev_accounts
from fogbound.bots import play
from fogbound.cli import app
from fogbound.errors import ChainUnreachable
from fogbound.game import Outcome
from fogbound.process import is_listening
from fogbound.stack import Stack, StackInfo
from tests.fogbound.sandbox import GAME

ROOT = Path(__file__).parents[2]
KILLS = 10
START_SECONDS = 120

pytestmark = pytest.mark.slow


class Up:
    """`fogbound up` on a data folder."""

    def __init__(self, folder):
        self.folder, self.data = folder, folder / "data"
        self.port = free_ports(3)
        plugin = folder / "sandbox-1.dist-info"
        plugin.mkdir()
        (plugin / "METADATA").write_text("Metadata-Version: 2.1\nName: sandbox\nVersion: 1\n")
        (plugin / "entry_points.txt").write_text("[fogbound.games]\nsandbox = sandbox:GAME\n")
        self.environment = {**os.environ, "PYTHONPATH": f"{folder}:{Path(__file__).parent}"}

    def start(self):
        command = [sys.executable, "-m", "fogbound.cli", "up", "--data", str(self.data)]
        command += ["--port", str(self.port), "--backend", "clear", "--heartbeat", "0.5"]
        with (self.folder / "up.log").open("ab") as log:
            self.process = subprocess.Popen(
                command, env=self.environment, cwd=ROOT, stdout=log, stderr=log
            )
        until = time.monotonic() + START_SECONDS
        while not (self.data / "stack.json").exists():
            assert self.process.poll() is None, (self.folder / "up.log").read_text()
            assert time.monotonic() < until, (self.folder / "up.log").read_text()
            time.sleep(0.05)

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(60) == 0

    def pid_of(self, name):
        """The newest process of that name."""
        if name == "anvil":
            return int((self.data / "chain" / "anvil.pid").read_text())
        return StackInfo.read(self.data).processes[name]

    def run(self, *arguments):
        """Another `fogbound` command on the same data."""
        command = [sys.executable, "-m", "fogbound.cli", *arguments, "--data", str(self.data)]
        return subprocess.run(
            command, env=self.environment, cwd=ROOT, capture_output=True, text=True, check=False
        )


def free_ports(count):
    """The first of `count` neighbouring ports that are free."""
    while True:
        first = random.randrange(20_000, 50_000)
        if not any(is_listening(first + offset) for offset in range(count)):
            return first


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


def test_kills_in_mid_game_lose_nothing(up):
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    chosen = random.Random(seed)
    order = ["anvil", "coprocessor", "keeper"] * KILLS
    chosen.shuffle(order)
    killed, failures, over = [], [], threading.Event()
    stack = Stack.connect(up.data)
    game_id, clients = open_game(stack)
    moves = []

    def act_for(client):
        def act(game):
            if len(killed) == len(order):
                client.win(game_id, game.on_turn)
            elif chosen.random() < 0.5:
                client.begin_wait(game_id)  # the keeper resolves it
                moves.append("wait")
            else:
                client.hand_over(game_id, 1 - game.on_turn)
                moves.append("hand")

        return act

    def bot(client):
        try:
            play(client, game_id, act_for(client))
        except Exception as error:
            failures.append(error)
            raise
        over.set()

    bots = [threading.Thread(target=bot, args=(client,), daemon=True) for client in clients]
    for each in bots:
        each.start()
    for name in order:
        time.sleep(chosen.uniform(0.2, 1.2))
        pid = up.pid_of(name)
        os.kill(pid, signal.SIGKILL)
        killed.append(name)
        await_successor(up, name, pid)
    assert over.wait(60), failures or f"the game stands still: {clients[0].game(game_id)}"

    game = clients[0].game(game_id)
    assert game.outcome is Outcome.WON
    events = [event.name for event in stack.history(GAME).of_game(game_id)]
    made = {name: events.count(name) for name in ("WaitBegun", "WaitResolved", "Passed")}
    assert made["WaitBegun"] == made["WaitResolved"] >= moves.count("wait") > 0
    assert made["Passed"] >= moves.count("hand") > 0


def await_successor(up, name, pid):
    """Until another process of that name runs; the coprocessor until it answers again."""
    until = time.monotonic() + START_SECONDS
    while up.pid_of(name) == pid or (name == "coprocessor" and not answers(up.port + 1)):
        assert time.monotonic() < until, (up.folder / "up.log").read_text()
        time.sleep(0.02)


def answers(port):
    try:
        return httpx.get(f"http://127.0.0.1:{port}/v2/clock", timeout=5).is_success
    except httpx.HTTPError:
        return False


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


def test_reset_wipes_what_is_stopped(tmp_path):
    (tmp_path / "chain").mkdir()
    (tmp_path / "stack.lock").touch()
    (tmp_path / "letters.txt").write_text("not ours")
    refused = CliRunner().invoke(app, ["reset", "--data", str(tmp_path)], input="n\n")
    assert (refused.exit_code, (tmp_path / "chain").exists()) == (1, True)
    done = CliRunner().invoke(app, ["reset", "--data", str(tmp_path), "--yes"])
    assert done.exit_code == 0
    assert [each.name for each in tmp_path.iterdir()] == ["letters.txt"]
