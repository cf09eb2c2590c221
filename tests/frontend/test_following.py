"""The app beside a chain of another process: it follows, waits for one that is away, and outlives a reset."""

import os
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from battleship.bots import random_fleet
from fhevm.devchain import dev_accounts
from fogbound.contracts import Registry
from fogbound.games import find_game
from fogbound.stack import LocalStack
from fogbound.stackinfo import StackInfo
from frontend.app.cli import app as command
from frontend.app.index.database import Database
from frontend.app.main import create_app
from frontend.app.settings import WebSettings
from tests.frontend.index.contents import contents

GAME = find_game("battleship")
HOST = dev_accounts()[1]
PATIENCE = 60.0


def open_game(stack: LocalStack) -> int:
    return stack.client(GAME, HOST).open(6, random_fleet(6, random.Random(1)))


def announce(stack: LocalStack, data: Path) -> None:
    """Leave in the data folder what a stack of other processes would."""
    data.mkdir(exist_ok=True)
    url = str(stack.chain.web3.provider.endpoint_uri)  # type: ignore[attr-defined]
    StackInfo(os.getpid(), url, "http://127.0.0.1:1", 31337, "clear", "", {}).write(data)
    Registry(data / "deployments.json").add(stack.registry.find(GAME.contract, 31337))


@pytest.fixture
def stack() -> Iterator[LocalStack]:
    with LocalStack(games=[GAME]) as running:
        yield running


@pytest.fixture
def data(tmp_path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def running(data) -> Iterator[TestClient]:
    """The app with its thread, for whatever the data folder names."""
    settings = WebSettings(data=data, bots=False, names=("testserver",))
    with TestClient(create_app(settings, specs=[GAME])) as client:
        yield client


def wait_for(done: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < until, "it did not come"
        time.sleep(0.05)


def lobby(client: TestClient) -> list[int]:
    return [game["id"] for game in client.get("/api/games").json()["games"]]


def test_it_follows_by_itself(stack, data, request):
    announce(stack, data)
    client = request.getfixturevalue("running")
    opened = open_game(stack)
    wait_for(lambda: lobby(client) == [opened])
    assert client.get("/api/config").json()["games"]["battleship"]["encrypted"] is False


def test_it_waits_for_a_chain_that_is_away(running, stack, data):
    assert running.get("/api/config").status_code == 502
    assert lobby(running) == []
    announce(stack, data)
    wait_for(lambda: running.get("/api/config").status_code == 200)


def test_after_a_reset_it_follows_the_new_chain(running, data):
    with LocalStack(games=[GAME]) as old:
        announce(old, data)
        for _ in range(2):
            open_game(old)
        wait_for(lambda: lobby(running) == [2, 1])
        contract = old.registry.find(GAME.contract, 31337)
    with LocalStack(games=[GAME]) as new:
        announce(new, data)
        wait_for(lambda: lobby(running) == [])
        opened = open_game(new)
        wait_for(lambda: lobby(running) == [opened])
        assert new.registry.find(GAME.contract, 31337).address == contract.address


def test_a_restart_goes_on_and_reindex_makes_the_same(stack, data):
    announce(stack, data)
    settings = WebSettings(data=data, bots=False, names=("testserver",))
    for expected in ([1], [2, 1]):
        open_game(stack)
        with TestClient(create_app(settings, specs=[GAME])) as client:
            wait_for(lambda wanted=expected, client=client: lobby(client) == wanted)
    database = Database.open(None, settings.folder)
    grown, before = contents(database), database.cursor()
    done = CliRunner().invoke(command, ["reindex", "--data", str(data)])
    assert done.exit_code == 0, done.output
    assert f"block {stack.chain.block_number}" in done.output
    assert contents(database) == grown
    assert database.cursor().reset > before.sequence
    database.close()
