"""Child processes that write to a log of bounded size, and leave no orphan behind."""

import os
import select
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from http.client import HTTPException
from pathlib import Path
from urllib.request import ProxyHandler, build_opener

from fhevm.orphans import dying_with_parent
from fogbound.errors import ProcessFailed
from fogbound.logfile import bound_log, keep_bounded, last_line

POLL_SECONDS = 0.02
STOP_SECONDS = 20.0
WORDS = 200  # characters of a line that are told

_direct = build_opener(ProxyHandler({}))


class Process:
    """One child; where the system can, it gets SIGTERM when this process dies in any way."""

    def __init__(
        self, name: str, command: Sequence[str], log: Path, *, is_heard: bool = False
    ) -> None:
        """`is_heard`: what it says on stdout is for `lines`, not for the log."""
        self.name = name
        self._log = log
        log.parent.mkdir(parents=True, exist_ok=True)
        bound_log(log)
        with log.open("ab") as output:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE if is_heard else output,
                stderr=output,
                start_new_session=True,  # Ctrl-C is for us alone: we stop children in order
                preexec_fn=dying_with_parent(),  # noqa: PLW1509 - calls two functions of C
            )
        keep_bounded(log, self.is_alive)

    @property
    def pid(self) -> int:
        """The system's process id."""
        return self._process.pid

    def lines(self) -> Iterator[bytes]:
        """What it says, line by line, until its end."""
        assert self._process.stdout is not None, "it is heard"
        with self._process.stdout as output:
            yield from output

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

    def terminate(self) -> None:
        """Ask it to end (SIGTERM), without waiting."""
        self._process.terminate()

    def stop(self, seconds: float = STOP_SECONDS) -> bool:
        """End it: SIGTERM, and SIGKILL after `seconds`; whether it ended by itself."""
        self.terminate()
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            return False
        return True

    def last_words(self) -> str:
        """The last line of its log."""
        return (last_line(self._log) or "no output")[:WORDS]


def wait_for_end(processes: Sequence[Process], seconds: float | None = None) -> None:
    """Wait until one of them has ended, or `seconds` have passed."""
    until = None if seconds is None else time.monotonic() + seconds
    with ExitStack() as closing:
        poll = select.poll()
        for process in processes:
            if not process.is_alive():
                return
            if sys.platform == "linux":
                try:
                    end = os.pidfd_open(process.pid)
                except ProcessLookupError:
                    return
                closing.callback(os.close, end)
                poll.register(end, select.POLLIN)
        while all(process.is_alive() for process in processes):
            left = None if until is None else until - time.monotonic()
            if left is not None and left <= 0:
                return
            poll.poll(_pause(left))


def _pause(left: float | None) -> int | None:
    """Milliseconds to sleep: elsewhere than on Linux nothing tells of an end."""
    if sys.platform != "linux":
        return int(1000 * min(POLL_SECONDS, left or POLL_SECONDS))
    return None if left is None else int(1000 * left) + 1


def is_listening(port: int) -> bool:
    """Whether somebody listens on a port of 127.0.0.1."""
    with socket.socket() as probe:
        probe.settimeout(1.0)
        # A port that is free may connect to itself.
        return (
            probe.connect_ex(("127.0.0.1", port)) == 0
            and probe.getsockname() != probe.getpeername()
        )


def is_answered(url: str, seconds: float = 5.0) -> bool:
    """Whether a GET of an http address of this machine is answered with success."""
    try:
        with _direct.open(url, timeout=seconds):
            return True
    except (OSError, HTTPException):  # the latter: what no HTTP server says
        return False
