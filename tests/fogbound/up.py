"""A stack of processes for tests."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx

from fhevm.orphans import dying_with_parent
from fogbound.errors import StackNotRunning
from fogbound.ports import free_port
from fogbound.process import is_listening
from fogbound.stackinfo import StackInfo

ROOT = Path(__file__).parents[2]
START_SECONDS = 120


class Up:
    """`fogbound up` on a data folder, with one more game: the sandbox, as a plug-in."""

    COMMAND = ("fogbound.cli", "up")

    def __init__(self, folder, backend="clear", *options):
        self.folder, self.data, self.backend = folder, folder / "data", backend
        self.port = free_port(3)
        self.killed, self.options = {}, options
        plugin = folder / "sandbox-1.dist-info"
        plugin.mkdir()
        (plugin / "METADATA").write_text("Metadata-Version: 2.1\nName: sandbox\nVersion: 1\n")
        (plugin / "entry_points.txt").write_text("[fogbound.games]\nsandbox = sandbox:GAME\n")
        self.environment = {**os.environ, "PYTHONPATH": f"{folder}:{ROOT}:{Path(__file__).parent}"}

    def start(self):
        command = [sys.executable, "-m", *self.COMMAND, "--data", str(self.data)]
        command += ["--port", str(self.port), "--backend", self.backend, *self.options]
        with (self.folder / "up.log").open("ab") as log:
            self.process = subprocess.Popen(
                command,
                env=self.environment,
                cwd=ROOT,
                stdout=log,
                stderr=log,
                preexec_fn=dying_with_parent(),  # noqa: PLW1509 - as in fogbound.process
            )
        until = time.monotonic() + START_SECONDS
        while not self.is_ready():
            assert self.process.poll() is None, (self.folder / "up.log").read_text()
            assert time.monotonic() < until, (self.folder / "up.log").read_text()
            time.sleep(0.05)

    def is_ready(self):
        """Whether this start, and not one that was killed, has said where its parts are."""
        try:
            return StackInfo.read(self.data).pid == self.process.pid
        except StackNotRunning:
            return False

    def kill_supervisor(self):
        """Its parts end by themselves, which takes them a moment."""
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(60) == 0

    def pid_of(self, name):
        """The newest process of that name."""
        if name == "anvil":
            return int((self.data / "chain" / "anvil.pid").read_text())
        return StackInfo.read(self.data).processes[name]

    def kill(self, name):
        """Kill one process, but not before it works again since the last time."""
        until = time.monotonic() + START_SECONDS
        while self.pid_of(name) == self.killed.get(name) or not self.answers(name):
            assert self.process.poll() is None, (self.folder / "up.log").read_text()
            assert time.monotonic() < until, (self.folder / "up.log").read_text()
            time.sleep(0.02)
        self.killed[name] = self.pid_of(name)
        os.kill(self.killed[name], signal.SIGKILL)

    def answers(self, name):
        """Whether it listens, and the coprocessor has read the chain."""
        port = {"anvil": 0, "coprocessor": 1, "kms": 2}.get(name)
        if name != "coprocessor":
            return port is None or is_listening(self.port + port)
        try:
            return httpx.get(f"http://127.0.0.1:{self.port + port}/v2/clock", timeout=5).is_success
        except httpx.HTTPError:
            return False

    def run(self, *arguments):
        """Another command of the same program on the same data."""
        command = [sys.executable, "-m", self.COMMAND[0], *arguments, "--data", str(self.data)]
        return subprocess.run(
            command, env=self.environment, cwd=ROOT, capture_output=True, text=True, check=False
        )
