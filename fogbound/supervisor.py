"""Keeps the processes of the stack alive: starts them in order, again when one dies, stops them all."""

import logging
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from fogbound.errors import ChainError, StackError
from fogbound.process import Process

log = logging.getLogger(__name__)

READY_SECONDS = 180.0
WATCH_SECONDS = 0.05
ATTEMPTS = 5  # starts that may fail in a row


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
        """Its process id, where it was launched."""
        return self._process.pid if self._process else None

    def launch(self) -> None:
        """Start it."""
        self._process = Process(self.name, self._command, self._log)

    def wait(self) -> None:
        """Wait until it is ready. Raises ProcessFailed."""
        assert self._process is not None, "it was launched"
        self._process.wait_until(self._ready, READY_SECONDS)

    def is_alive(self) -> bool:
        """Whether it runs."""
        return self._process is not None and self._process.is_alive()

    def stop(self) -> None:
        """End it, if it runs, and wait until it has."""
        if self._process:
            self._process.stop()


class Supervisor:
    """The services that were added, in order. To be used from one thread, which outlives them."""

    def __init__(self) -> None:
        self._services: list[Service] = []

    @property
    def pids(self) -> dict[str, int]:
        """Process ids by name."""
        return {service.name: service.pid for service in self._services if service.pid}

    def add(self, *services: Service) -> None:
        """Start services at the same time, and watch over them from now on. Raises ProcessFailed."""
        for service in services:
            self._services.append(service)
            service.launch()
        for service in services:
            service.wait()

    def watch(self, restarted: Callable[[], None]) -> None:
        """Restart whoever dies, and tell; until an exception (a signal) ends it.

        Raises ProcessFailed, or what else the start raised, where it fails ATTEMPTS times in a row.
        """
        while True:
            for service in self._services:
                if not service.is_alive():
                    log.warning("%s died; starting it again", service.name)
                    _start_again(service)
                    restarted()
            time.sleep(WATCH_SECONDS)

    def stop(self) -> None:
        """End all, the last one first."""
        while self._services:
            self._services.pop().stop()


def _start_again(service: Service) -> None:
    for attempt in range(ATTEMPTS - 1):
        try:
            return _launch_and_wait(service)
        except (StackError, ChainError) as error:
            log.warning("%s", error)
            service.stop()
            time.sleep(0.2 * 2**attempt)
    return _launch_and_wait(service)


def _launch_and_wait(service: Service) -> None:
    service.launch()
    service.wait()
