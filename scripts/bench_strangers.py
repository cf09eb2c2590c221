"""How far the index trails, and how long an honest turn takes, while strangers start many games.

`python -m scripts.bench_strangers [GAMES]`: `fogbound-web play` in an empty folder on free ports, on real
ciphertexts. One client has contracts open and join games of Bunker War Z, AT_A_TIME in a transaction, as
fast as the web app lets one; meanwhile two others play, and again when all of these games are there.
"""

import json
import os
import signal
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from bunkerwar.game import GAME
from fhevm.compiler import compile_sources
from fhevm.devchain import dev_accounts
from fogbound.artifacts import SETTINGS, SOLC_VERSION
from fogbound.chain import Chain
from fogbound.errors import FogboundError
from fogbound.stack import Stack
from scripts.bench_idle import start, turn

SWARM = """// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;
interface ITable {
    function open(uint8, uint8, bool, uint8, address) external payable returns (uint256);
    function join(uint256) external payable;
    function gameCount() external view returns (uint256);
}
contract Swarm {
    uint256 public first;
    function open(ITable table, uint256 count) external {
        first = table.gameCount() + 1;
        for (uint256 i; i < count; i++) table.open(1, 2, false, 0, address(0));
    }
    function join(ITable table, Swarm opener, uint256 count) external {
        for (uint256 i; i < count; i++) table.join(opener.first() + i);
    }
}
"""
GAMES, AT_A_TIME, ROUNDS = 1_000, 50, 10
READY_SECONDS, SAMPLE_SECONDS, RETRY_SECONDS = 15.0, 0.1, 1.0


class Strangers:
    """Two contracts, and who calls them through the web app."""

    def __init__(self, web: str, table: str) -> None:
        self._chain = Chain.connect(f"{web}/rpc")
        self._account, self._table = dev_accounts()[7], table
        self._opener, self._joiner = self._swarm(), self._swarm()

    def _swarm(self) -> Any:
        compiled = compile_sources(
            {"Swarm.sol": SWARM}, version=SOLC_VERSION, settings=SETTINGS, wanted=["Swarm.sol"]
        )["Swarm"]
        made = self._chain.deploy(self._account, compiled.abi, compiled.bytecode, ())
        return self._chain.contract(made["contractAddress"], compiled.abi)

    def come(self, games: int) -> None:
        for _ in range(games // AT_A_TIME):
            self._send(self._opener.functions.open(self._table, AT_A_TIME))
            self._send(self._joiner.functions.join(self._table, self._opener.address, AT_A_TIME))

    def _send(self, call: Any) -> None:
        """Again while the web app says that it is too much."""
        while True:
            try:
                self._chain.transact(self._account, call)
                return
            except FogboundError as error:
                print(type(error).__name__, error, file=sys.stderr)
                time.sleep(RETRY_SECONDS)


class Lag:
    """Samples of how many blocks the index lacks."""

    def __init__(self, chain: Chain, web: str) -> None:
        self._chain, self._web = chain, web
        self.samples: list[int] = []

    def sample_while(self, thread: threading.Thread) -> None:
        while thread.is_alive():
            head = self._chain.block_number
            known = httpx.get(f"{self._web}/api/config").json()["block"]["number"]
            self.samples.append(max(0, head - int(known)))
            time.sleep(SAMPLE_SECONDS)


def medians(turns: list[tuple[float, float]]) -> list[int]:
    return [round(1000 * statistics.median(each)) for each in zip(*turns, strict=True)]


def beside(work: Callable[..., object], *given: object) -> threading.Thread:
    thread = threading.Thread(target=work, args=given)
    thread.start()
    return thread


def measure(data: Path, web: str, games: int) -> dict[str, Any]:
    stack = Stack.connect(data)
    stack.chain.idle = lambda: time.sleep(0.002)
    clients = [stack.client(GAME, account) for account in dev_accounts()[5:7]]
    before, meanwhile = [turn(clients) for _ in range(ROUNDS)], []
    strangers, lag = Strangers(web, clients[0].contract.address), Lag(stack.chain, web)
    begun = time.monotonic()
    coming = beside(strangers.come, games)
    beside(lag.sample_while, coming)
    while coming.is_alive():
        meanwhile.append(turn(clients))
    seconds = time.monotonic() - begun
    return {
        "games": games,
        "seconds in which they came": round(seconds, 1),
        "blocks that the index lacked, median": statistics.median(lag.samples),
        "most": max(lag.samples),
        "share of looks at which it lacked at most two": round(
            sum(each <= 2 for each in lag.samples) / len(lag.samples), 3
        ),
        "build seen, missile resolved, before, ms": medians(before),
        "meanwhile": medians(meanwhile),
        "afterwards": medians([turn(clients) for _ in range(ROUNDS)]),
    }


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    with tempfile.TemporaryDirectory() as folder:
        process = start(Path(folder))
        try:
            time.sleep(READY_SECONDS)
            web = (Path(folder) / "log").read_text().split("Play at ")[1].split()[0]
            print(json.dumps(measure(Path(folder) / "data", web, games), indent=1))
        finally:
            os.kill(process.pid, signal.SIGINT)
            process.wait()


if __name__ == "__main__":
    main()
