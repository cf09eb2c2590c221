"""`fogbound-web play`: it starts all, survives a kill in mid-game, stops, and goes on with the same games."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
from eth_account import Account

from bunkerwar.bots import RandomBot
from bunkerwar.game import GAME, seated
from fogbound.game import Phase
from fogbound.ports import free_port
from fogbound.stack import Stack
from fogbound.stackinfo import StackInfo
from frontend.app.play import web_service
from frontend.app.settings import WebSettings
from tests.frontend.play import Play

pytestmark = pytest.mark.slow
SECONDS = 120


@pytest.fixture(scope="module")
def play(tmp_path_factory):
    play = Play(tmp_path_factory.mktemp("play"))
    play.start()
    yield play
    if play.process.poll() is None:
        play.stop()


@pytest.fixture
def http(play):
    """A client that waits while the server is started again."""
    transport = httpx.HTTPTransport(retries=8)
    with httpx.Client(base_url=play.url, transport=transport, timeout=30) as client:
        yield client


def until(done):
    end = time.monotonic() + SECONDS
    while not (found := done()):
        assert time.monotonic() < end
        time.sleep(0.05)
    return found


class Person:
    """Somebody without a wallet, with a game against the default bot."""

    def __init__(self, play, http):
        account = Account.create()
        assert http.post("/api/faucet", json={"address": account.address}).status_code == 200
        self.http, self.client = http, Stack.connect(play.data).client(GAME, account)
        bots = http.get("/api/config").json()["bots"]
        bot = next(each["address"] for each in bots if each["kind"] == GAME.name)
        self.id = self.client.open(2, 2, False, opponent=bot, stake=10**17)
        assert http.post(f"/api/bots/{GAME.name}", json={"id": self.id}).status_code == 202
        self._act = seated(RandomBot)(self.client, 1)

    @property
    def game(self):
        return self.client.game(self.id)

    def move(self):
        """Once the bot has moved; whether the game goes on."""
        until(lambda: self.game.phase.final or self.game.is_turn_of(self.client.player))
        return self._act(self.game)


def test_it_says_what_it_does_and_where_to_play(play, http):
    assert f"Play at {play.url}" in play.said
    assert "starting web" in play.said
    assert http.get("/api/config").json()["local"] is True
    assert set(StackInfo.read(play.data).processes) >= {"chain", "kms", "keeper", "web"}


def test_killed_in_mid_game_it_comes_back_and_the_bot_goes_on(play, http):
    person = Person(play, http)
    assert person.move()
    killed = StackInfo.read(play.data).processes["web"]
    os.kill(killed, signal.SIGKILL)
    until(lambda: StackInfo.read(play.data).processes["web"] != killed)
    while person.move():
        pass
    assert person.game.phase is Phase.ENDED
    until(lambda: http.get(f"/api/games/{GAME.name}/{person.id}").json()["phase"] == "ended")


def test_the_page_talks_to_the_chain_and_to_the_gateway(play, http):
    call = {"jsonrpc": "2.0", "id": 1, "method": "eth_chainId", "params": []}
    assert http.post("/rpc", json=call).json()["result"] == "0x7a69"
    assert http.get("/v2/keyurl").json()["fingerprint"] == StackInfo.read(play.data).fingerprint
    refused = http.post("/v2/input-proof", json={})
    assert (refused.status_code, refused.json()["error"]["label"]) == (422, "MalformedRequest")


def test_ctrl_c_stops_everything_and_a_new_start_goes_on_with_the_same_games(play, http):
    person = Person(play, http)
    pids = [*StackInfo.read(play.data).processes.values(), play.pid_of("anvil")]
    play.stop()
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)
    with pytest.raises(httpx.ConnectError):
        httpx.get(play.url)
    play.start()
    assert person.move()
    assert person.move()


def test_started_again_at_once_after_its_supervisor_was_killed(play, http):
    """What is left of it still listens: it is waited for, and its answers are not taken for the new one's."""
    person = Person(play, http)
    left = StackInfo.read(play.data).processes.values()
    play.kill_supervisor()
    play.start()
    assert not any(Path(f"/proc/{pid}").exists() for pid in left)
    assert person.move()


def test_a_second_one_says_that_the_first_runs(play):
    refused = play.run("play", "--web-port", str(play.web_port))
    assert (refused.returncode, refused.stderr) == (
        1,
        f"fogbound-web: a stack runs on {play.data}\n",
    )


def test_a_port_in_use_is_said_before_anything_starts(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        command = [sys.executable, "-m", "frontend.app.cli", "play", "--web-port", str(port)]
        command += ["--data", str(tmp_path / "data"), "--port", str(free_port(3))]
        refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert refused.returncode == 1
    assert refused.stderr == (
        f"fogbound-web: 127.0.0.1:{port}: address already in use (choose another --web-port)\n"
    )
    assert not (tmp_path / "data").exists()


def test_alone_it_needs_a_stack(tmp_path):
    command = [sys.executable, "-m", "frontend.app.cli", "serve", "--data", str(tmp_path)]
    command += ["--web-port", str(free_port()), "--preset", "nowhere"]
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert refused.returncode == 1
    assert refused.stderr.splitlines()[-1].startswith("fogbound-web: preset nowhere")


def test_the_service_is_told_all_that_its_settings_say(tmp_path):
    settings = WebSettings(
        data=tmp_path, host="0.0.0.0", names=("a.example",), proxies=("10.0.0.1",)
    )
    command = " ".join(web_service(settings)._command)
    assert "--host 0.0.0.0" in command
    assert "--name a.example --proxy 10.0.0.1" in command
