"""Keeps the processes of the stack alive: starts them in order, again when one dies, stops them all."""

import logging
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from fogbound.errors import ChainError, StackError
from fogbound.process import Process

log = logging.getLogger(__name__)

READY_SECONDS = 180.0
WATCH_SECONDS = 0.05
ATTEMPTS = 5  # starts that may fail in a row


class Member(Protocol):
    """One process of the stack."""

    name: str

    @property
    def pid(self) -> int | None:
        """Its process id, where it was started."""
        ...

    def start(self) -> None:
        """Start, and wait until it is ready. Raises ProcessFailed."""
        ...

    def is_alive(self) -> bool:
        """Whether it runs."""
        ...

    def stop(self) -> None:
        """End it, if it runs, and wait until it has."""
        ...


class Service:
    """A process that is a command, ready when `ready()` says so."""

    def __init__(
        self, name: str, command: Sequence[str], log_file: Path, ready: Callable[[], bool]
    ) -> None:
        self.name = name
        self._command = command
        self._log = log_file
        self._ready = ready
        self._process: Process | None = None

    @property
    def pid(self) -> int | None:
        """See Member."""
        return self._process.pid if self._process else None

    def start(self) -> None:
        """See Member."""
        self._process = Process(self.name, self._command, self._log)
        self._process.wait_until(self._ready, READY_SECONDS)

    def is_alive(self) -> bool:
        """See Member."""
        return self._process is not None and self._process.is_alive()

    def stop(self) -> None:
        """See Member."""
        if self._process:
            self._process.stop()


class Supervisor:
    """The members that were added, in order. To be used from one thread, which outlives them."""

    def __init__(self) -> None:
        self._members: list[Member] = []

    @property
    def pids(self) -> dict[str, int]:
        """Process ids by name."""
        return {member.name: member.pid for member in self._members if member.pid}

    def add(self, member: Member) -> None:
        """Start a member and watch over it from now on. Raises ProcessFailed."""
        self._members.append(member)
        member.start()

    def watch(self, restarted: Callable[[], None]) -> None:
        """Restart whoever dies, and tell; until an exception (a signal) ends it.

        Raises ProcessFailed, or what else the start raised, where it fails ATTEMPTS times in a row.
        """
        while True:
            for member in self._members:
                if not member.is_alive():
                    log.warning("%s died; starting it again", member.name)
                    _start_again(member)
                    restarted()
            time.sleep(WATCH_SECONDS)

    def stop(self) -> None:
        """End all, the last one first."""
        while self._members:
            self._members.pop().stop()


def _start_again(member: Member) -> None:
    for attempt in range(ATTEMPTS - 1):
        try:
            return member.start()
        except (StackError, ChainError) as error:
            log.warning("%s", error)
            member.stop()
            time.sleep(0.2 * 2**attempt)
    return member.start()
