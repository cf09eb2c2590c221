"""Everything that a player starts: chain, fhEVM, keeper and web app, as processes."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import psutil
from web3 import HTTPProvider, Web3
from web3.contract import Contract
from web3.utils import get_create_address

from fhevm.compiler import compile_sources
from fhevm.devchain import dev_accounts
from fhevm.orphans import dying_with_parent
from fogbound.artifacts import SETTINGS, SOLC_VERSION
from fogbound.chain import Chain
from fogbound.errors import StackNotRunning
from fogbound.ports import free_port
from fogbound.stackinfo import StackInfo

ROOT = Path(__file__).parents[2]
START_SECONDS = 120
EVENT_SECONDS = 30
WAIT, NOTICE, PROOF = 10, 3, 30  # seconds, as Clocks
FAST, NORMAL = 30, 300  # seconds for a move, in the order of the time controls
FUNDER = 5  # which of the local chain's accounts gives money: no process sends from it


class PlayStack:
    """`fogbound-web play` on a data folder of its own."""

    def __init__(self, folder: Path, backend: str) -> None:
        self.folder, self.data, self.backend = folder, folder / "data", backend
        self.port = free_port(4)
        self.web_port = self.port + 3

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.web_port}"

    def start(self) -> None:
        command = [sys.executable, "-m", "frontend.app.cli", "play", "--data", str(self.data)]
        command += ["--port", str(self.port), "--web-port", str(self.web_port)]
        command += ["--backend", self.backend, "--clocks", f"{WAIT},{NOTICE},{PROOF}"]
        command += ["--controls", f"{FAST}:3,{NORMAL}:3"]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                command,
                cwd=ROOT,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=dying_with_parent(),  # noqa: PLW1509 - as in fogbound.process
            )
        self.wait_until_ready()

    def wait_until_ready(self) -> None:
        """Until the web app answers; it may just have been killed.

        Not before this start has said where its parts are: one that was killed may go on to answer.
        """
        until = time.monotonic() + START_SECONDS
        while not self._is_up() or not self._answers():
            assert self.process.poll() is None, self.log.read_text()
            assert time.monotonic() < until, self.log.read_text()
            time.sleep(0.05)

    def stop(self) -> None:
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(60) == 0, self.log.read_text()

    def kill_web(self) -> None:
        """Kill the web app in the middle of whatever it does; its supervisor starts it again."""
        os.kill(StackInfo.read(self.data).processes["web"], signal.SIGKILL)

    def kill(self) -> None:
        """Kill every process at once, as when the machine loses power."""
        for each in [self.process.pid, *self._parts()]:
            os.kill(each, signal.SIGKILL)
        self.process.wait()

    @property
    def log(self) -> Path:
        return self.folder / "play.log"

    def logs(self) -> bytes:
        """What all its processes have said."""
        files = [self.log, *sorted((self.data / "logs").glob("*"))]
        return b"\n".join(file.read_bytes() for file in files)

    @property
    def web3(self) -> Web3:
        return Web3(HTTPProvider(f"http://127.0.0.1:{self.port}"))

    def fund(self, address: str, wei: int) -> None:
        """Give an account money of the local chain."""
        Chain(self.web3).transfer(dev_accounts()[FUNDER], address, wei)

    def deploy(self, file: Path, name: str, wei: int = 0) -> Contract:
        """A new contract of that file, which has so much though it may refuse all money."""
        source = {file.name: file.read_text()}
        compiled = compile_sources(
            source, version=SOLC_VERSION, settings=SETTINGS, wanted=[file.name]
        )[name]
        chain, maker = Chain(self.web3), dev_accounts()[FUNDER]
        nonce = chain.web3.eth.get_transaction_count(maker.address)
        chain.transfer(maker, get_create_address(maker.address, nonce + 1), wei)
        made = chain.deploy(maker, compiled.abi, compiled.bytecode, ())
        return chain.contract(made["contractAddress"], compiled.abi)

    @contextmanager
    def held(self, *names: str) -> Iterator[None]:
        """These processes do nothing, as if they hung."""
        pids = [StackInfo.read(self.data).processes[name] for name in names]
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in pids:
                os.kill(pid, signal.SIGCONT)

    def api(self, path: str) -> dict:
        answer = httpx.get(f"{self.url}/api/{path}", timeout=20)
        answer.raise_for_status()
        return answer.json()

    def wait_for_events(self, kind: str, game_id: int, name: str, count: int) -> list[dict]:
        """All events of a game, once there are so many of that name."""
        until = time.monotonic() + EVENT_SECONDS
        while time.monotonic() < until:
            events = self.api(f"games/{kind}/{game_id}")["events"]
            if sum(event["name"] == name for event in events) == count:
                return events
            time.sleep(0.1)
        raise AssertionError(f"no {count} {name}: {[event['name'] for event in events]}")

    def _is_up(self) -> bool:
        try:
            return StackInfo.read(self.data).pid == self.process.pid
        except StackNotRunning:
            return False

    def _parts(self) -> list[int]:
        """Whoever runs for the supervisor, at any remove."""
        root = psutil.Process(self.process.pid)
        return [each.pid for each in root.children(recursive=True)]

    def _answers(self) -> bool:
        try:
            return httpx.get(f"{self.url}/api/config", timeout=5).is_success
        except httpx.HTTPError:
            return False
