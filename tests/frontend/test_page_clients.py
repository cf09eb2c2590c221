"""The page's clients, in Node, against a stack of this process: whole games of both kinds."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread

import pytest
import uvicorn

from fhevm.devchain import dev_accounts
from fhevm.gateway_http import gateway_app
from fhevm.toolchain import node, node_modules
from fogbound.games import find_game
from fogbound.process import free_port
from fogbound.stack import LocalStack

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "frontend" / "web"
KINDS = ("bunkerwar", "battleship")


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


@pytest.fixture(scope="module")
def gateway(stack: LocalStack) -> Iterator[str]:
    """Where the gateway answers."""
    port = free_port()
    app = gateway_app(stack.fhevm_local.gateway)
    server = uvicorn.Server(uvicorn.Config(app, "127.0.0.1", port, log_level="warning"))
    thread = Thread(target=server.run)
    thread.start()
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join()


def told(stack: LocalStack, gateway: str) -> str:
    """What the page would learn from its configuration."""
    chain = stack.chain
    contracts = {
        kind: stack.registry.find(find_game(kind).contract, chain.chain_id).address
        for kind in KINDS
    }
    return json.dumps(
        {
            "rpc": chain.web3.provider.endpoint_uri,  # type: ignore[attr-defined]
            "gateway": gateway,
            "chainId": chain.chain_id,
            "contracts": contracts,
            "accounts": ["0x" + bytes(account.key).hex() for account in dev_accounts()[1:3]],
        }
    )


@pytest.mark.parametrize("kind", KINDS)
def test_whole_games(stack: LocalStack, gateway: str, kind: str) -> None:
    vitest = str(node_modules() / "vitest" / "vitest.mjs")
    done = subprocess.run(
        [str(node()), vitest, "run", "--config", "tests/stack/vitest.config.ts", kind],
        cwd=PAGE,
        env={**os.environ, "FOGBOUND_STACK": told(stack, gateway), "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "passed" in done.stdout
