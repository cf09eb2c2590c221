"""What `fogbound-web play` costs when nobody plays, and how long a turn takes.

`python -m scripts.bench_idle`: the stack starts in an empty folder on free ports. Processor time is summed
over SECONDS of quiet, memory counts shared pages once (PSS). Then two accounts play Bunker War Z:
milliseconds from the sending of a building until the other one sees it, and from the sending of a missile
until it is resolved; medians of ROUNDS.
"""

import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil

from bunkerwar.game import GAME
from fhevm.devchain import dev_accounts
from fogbound.game import Phase
from fogbound.ports import free_port
from fogbound.stack import Stack

SECONDS, ROUNDS = 60.0, 15
READY_SECONDS, QUIET_SECONDS = 180.0, 15.0
LANES, DEPTH = 4, 4


def start(folder: Path) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "frontend.app.cli", "play", "--data", str(folder / "data")]
    command += ["--port", str(free_port(3)), "--web-port", str(free_port())]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, cwd=Path(__file__).parents[1])
    until = time.monotonic() + READY_SECONDS
    while b"Play at" not in (folder / "log").read_bytes():
        if process.poll() is not None or time.monotonic() > until:
            raise SystemExit((folder / "log").read_text())
        time.sleep(0.1)
    return process


def name_of(process: psutil.Process) -> str:
    words = process.cmdline()
    known = ("play", "serve", "kms", "coprocessor", "keeper", "fogbound.chainserver")
    return next((word for word in words if word in known), Path(words[0]).name)


def seconds_used(processes: list[psutil.Process]) -> list[float]:
    return [sum(each.cpu_times()[:2]) for each in processes]


def idle(pid: int) -> dict[str, Any]:
    root = psutil.Process(pid)
    processes = [root, *root.children(recursive=True)]
    before = seconds_used(processes)
    time.sleep(SECONDS)
    used = [after - first for first, after in zip(before, seconds_used(processes), strict=True)]
    cpu = {
        name_of(each): round(100 * spent / SECONDS, 2)
        for each, spent in zip(processes, used, strict=True)
    }
    memory = {name_of(each): each.memory_full_info().pss >> 20 for each in processes}
    return {
        "percent of a core": {**cpu, "all": round(sum(cpu.values()), 2)},
        "PSS, MB": {**memory, "all": sum(memory.values())},
    }


def turns(data: Path) -> dict[str, float]:
    stack = Stack.connect(data)
    stack.chain.idle = lambda: time.sleep(0.002)
    clients = [stack.client(GAME, account) for account in dev_accounts()[5:7]]
    built, resolved = zip(*(turn(clients) for _ in range(ROUNDS)), strict=True)
    return {
        "build seen by the other, ms": round(1000 * statistics.median(built), 1),
        "missile resolved, ms": round(1000 * statistics.median(resolved), 1),
    }


def turn(clients: list[Any]) -> tuple[float, float]:
    """Seconds for a building of whoever begins, and for a missile of the other one."""
    game_id = clients[0].open(LANES, DEPTH, False)
    clients[1].join(game_id)
    game = clients[0].wait_for(game_id, lambda each: each.phase is Phase.PLAYING)
    mover, other = clients[game.on_turn], clients[1 - game.on_turn]
    built = seconds(
        lambda: mover.build(game_id, 0, 0, bunker=True),
        lambda: other.wait_for(game_id, lambda each: each.move_number > game.move_number),
    )
    resolved = seconds(
        lambda: other.send_missile(game_id, 0),
        lambda: mover.wait_for(game_id, lambda each: each.is_turn_of(mover.player)),
    )
    mover.resign(game_id)
    return built, resolved


def seconds(*steps: Callable[[], object]) -> float:
    begun = time.perf_counter()
    for step in steps:
        step()
    return time.perf_counter() - begun


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        process = start(Path(folder))
        try:
            time.sleep(QUIET_SECONDS)
            print(json.dumps(idle(process.pid), indent=1), flush=True)
            print(json.dumps(turns(Path(folder) / "data"), indent=1))
        finally:
            os.kill(process.pid, signal.SIGINT)
            process.wait()


if __name__ == "__main__":
    main()
