"""Child processes that write to a log, and leave no orphan behind."""

import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from fogbound.errors import ProcessFailed

PR_SET_PDEATHSIG = 1
POLL_SECONDS = 0.02
STOP_SECONDS = 20.0

_libc = ctypes.CDLL(None) if sys.platform == "linux" else None


class Process:
    """One child; where the system can, it gets SIGTERM when this process dies in any way."""

    def __init__(self, name: str, command: Sequence[str], log: Path) -> None:
        self.name = name
        self._log = log
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("ab") as output:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,  # Ctrl-C is for us alone: we stop children in order
                preexec_fn=_die_with_parent(os.getpid()),  # noqa: PLW1509 - calls two functions of C
            )

    @property
    def pid(self) -> int:
        """The system's process id."""
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """How it ended (negative: by that signal); None while it runs."""
        return self._process.poll()

    def is_alive(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def wait_until(self, ready: Callable[[], bool], seconds: float) -> None:
        """Wait until it is ready. Raises ProcessFailed where it ends before, or is not in time."""
        until = time.monotonic() + seconds
        while not ready():
            if not self.is_alive():
                raise ProcessFailed(f"{self.name} ended at its start: {self.last_words()}")
            if time.monotonic() > until:
                raise ProcessFailed(f"{self.name} is not ready after {seconds:g} s ({self._log})")
            time.sleep(POLL_SECONDS)
        if not self.is_alive():  # somebody else was ready in its place
            raise ProcessFailed(f"{self.name} ended at its start: {self.last_words()}")

    def stop(self, seconds: float = STOP_SECONDS) -> bool:
        """End it: SIGTERM, and SIGKILL after `seconds`; whether it ended by itself."""
        self._process.terminate()
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            return False
        return True

    def last_words(self) -> str:
        """The last line of its log."""
        lines = self._log.read_text(errors="replace").split("\n")
        return next((line.strip()[:200] for line in reversed(lines) if line.strip()), "no output")


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def is_listening(port: int) -> bool:
    """Whether somebody listens on a port of 127.0.0.1."""
    with socket.socket() as probe:
        probe.settimeout(1.0)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _die_with_parent(parent: int) -> Callable[[], None] | None:
    """What the child does before it becomes another program; the signal follows the calling thread."""
    libc = _libc
    if libc is None:
        return None

    def ask_for_signal() -> None:
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:  # it died before we asked
            os._exit(1)

    return ask_for_signal
