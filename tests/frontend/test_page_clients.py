"""The page's clients, in Node, through the web app: whole games of both kinds on a stack of this process."""

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

import pytest
import uvicorn
from fastapi import FastAPI

from fhevm.devchain import dev_accounts
from fhevm.gateway_http import gateway_app
from fhevm.toolchain import node, node_modules
from fogbound.ports import free_port
from fogbound.stack import LocalStack
from frontend.app.connector import Connector
from frontend.app.main import create_app
from frontend.app.network import Network
from frontend.app.settings import WebSettings

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "frontend" / "web"


@pytest.fixture(scope="module")
def stack() -> Iterator[LocalStack]:
    """A thread does what the coprocessor and the keeper do elsewhere."""
    with LocalStack() as stack:
        stop = Event()

        def live() -> None:
            while not stop.wait(0.05):
                stack.advance()

        thread = Thread(target=live)
        thread.start()
        yield stack
        stop.set()
        thread.join()


@contextmanager
def serving(app: FastAPI) -> Iterator[str]:
    """Where the app answers."""
    port = free_port()
    server = uvicorn.Server(uvicorn.Config(app, "127.0.0.1", port, log_level="warning"))
    thread = Thread(target=server.run)
    thread.start()
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join()


@pytest.fixture(scope="module")
def web(stack: LocalStack, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The web app, over the stack's chain and gateway."""
    chain = stack.chain
    rpc = chain.web3.provider.endpoint_uri  # type: ignore[attr-defined]
    data = tmp_path_factory.mktemp("web")
    settings = WebSettings(data=data, bots=False, requests_per_second=5000)
    with serving(gateway_app(stack.fhevm_local.gateway)) as gateway:
        network = Network(rpc, gateway, chain.chain_id, stack.registry)
        with serving(create_app(settings, connector=Connector(lambda: network))) as web:
            yield web


def told(stack: LocalStack, web: str) -> str:
    """What the scripts must know."""
    keys = ["0x" + bytes(account.key).hex() for account in dev_accounts()[1:3]]
    return json.dumps({"web": web, "chainId": stack.chain.chain_id, "accounts": keys})


@pytest.mark.parametrize("kind", ["bunkerwar", "battleship"])
def test_whole_games(stack: LocalStack, web: str, kind: str) -> None:
    vitest = str(node_modules() / "vitest" / "vitest.mjs")
    done = subprocess.run(
        [str(node()), vitest, "run", "--config", "tests/stack/vitest.config.ts", kind],
        cwd=PAGE,
        env={**os.environ, "FOGBOUND_STACK": told(stack, web), "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "passed" in done.stdout
