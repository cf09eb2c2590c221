"""The stack that is soaked: `fogbound-web play` on free ports, in a folder of its own."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import httpx

from fogbound.ports import free_port
from fogbound.process import is_listening
from fogbound.stack import StackInfo

ROOT = Path(__file__).parents[2]
START_SECONDS = 180.0
STOP_SECONDS = 60.0
FAST, NORMAL = range(2)
CONTROLS = "30:0,300:3"  # by number: FAST, in which a timeout can be waited for, and NORMAL
PROCESSES = ("anvil", "chain", "kms", "coprocessor", "keeper", "web")


class StackFailed(Exception):
    """It did not start, or did not end; with what it said."""


class SoakedStack:
    """All its processes; each may be killed at any moment, and comes back."""

    def __init__(self, folder: Path, backend: str) -> None:
        self.data, self._log = folder / "data", folder / "play.log"
        self._port = free_port(4)
        self.web = f"http://127.0.0.1:{self._port + 3}"
        self._command = [sys.executable, "-m", "frontend.app.cli", "play", "--backend", backend]
        self._command += ["--data", str(self.data), "--controls", CONTROLS]
        self._command += ["--port", str(self._port), "--web-port", str(self._port + 3)]
        self._killed: dict[str, int] = {}

    def start(self) -> None:
        with self._log.open("ab") as log:
            self._supervisor = subprocess.Popen(
                self._command, cwd=ROOT, stdout=log, stderr=log, start_new_session=True
            )
        self.wait_until(lambda: self.answers("web"))

    def stop(self) -> None:
        """Ctrl-C; what does not end by itself is killed. Raises StackFailed then."""
        self._supervisor.send_signal(signal.SIGINT)
        try:
            self._require(self._supervisor.wait(STOP_SECONDS) == 0)
        except subprocess.TimeoutExpired:
            self._require(False)
        finally:
            for pid in self.pids():
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)

    def wait_until(self, done: Callable[[], bool]) -> None:
        """Raises StackFailed where that never comes."""
        until = time.monotonic() + START_SECONDS
        while not done():
            self._require(self._supervisor.poll() is None and time.monotonic() < until)
            time.sleep(0.05)

    def _require(self, fine: bool) -> None:
        if not fine:
            raise StackFailed(self._log.read_text())

    def pid_of(self, name: str) -> int:
        """The newest process of that name."""
        if name == "anvil":
            return int((self.data / "chain" / "anvil.pid").read_text())
        return StackInfo.read(self.data).processes[name]

    def pids(self) -> list[int]:
        """The supervisor, and whoever it started, at any remove."""
        return [*_family(self._supervisor.pid)]

    def kill(self, name: str) -> None:
        """End one process at once, but not before it works again since the last time."""
        self.wait_until(lambda: self._is_new(name))
        self._killed[name] = self.pid_of(name)
        with suppress(ProcessLookupError):  # it ended with another one that was killed
            os.kill(self._killed[name], signal.SIGKILL)

    def kill_chain(self, meanwhile: Callable[[], None]) -> None:
        """End the chain's two processes, and do something before they start again."""
        pids = [self.pid_of("chain"), self.pid_of("anvil")]
        os.kill(self._supervisor.pid, signal.SIGSTOP)
        try:
            for pid in pids:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            meanwhile()
        finally:
            os.kill(self._supervisor.pid, signal.SIGCONT)
        self.wait_until(lambda: self.pid_of("chain") not in pids and self.answers("chain"))

    def wait_until_whole(self) -> None:
        """Until whatever was killed does its work again."""
        self.wait_until(lambda: all(map(self._is_new, PROCESSES)))

    def _is_new(self, name: str) -> bool:
        return self.pid_of(name) != self._killed.get(name) and self.answers(name)

    def answers(self, name: str) -> bool:
        """Whether it does its work: the web app and the gateway have read the chain."""
        if name == "web":
            return _succeeds(f"{self.web}/api/config")
        if name == "coprocessor":
            return _succeeds(f"http://127.0.0.1:{self._port + 1}/v2/clock")
        port = {"chain": 0, "kms": 2}.get(name)
        return port is None or is_listening(self._port + port)


def _succeeds(url: str) -> bool:
    try:
        return httpx.get(url, timeout=5).is_success
    except httpx.HTTPError:
        return False


def _family(pid: int) -> Iterator[int]:
    children = Path(f"/proc/{pid}/task")
    if not children.exists():
        return
    yield pid
    for file in children.glob("*/children"):
        for child in _words(file):
            yield from _family(int(child))


def _words(file: Path) -> list[str]:
    try:
        return file.read_text().split()
    except OSError:  # it has ended meanwhile
        return []
