"""Keeps the processes of the stack alive: starts them in order, again when one dies, stops them all."""

import logging
import time
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path

from fogbound.errors import ProcessFailed
from fogbound.process import STOP_SECONDS, Process, wait_for_end

log = logging.getLogger(__name__)

READY_SECONDS = 180.0
WATCH_SECONDS = 0.05
WORKERS_STOP_SECONDS = 3.0  # then by force, which loses nothing
ATTEMPTS = 5  # starts that may fail in a row
RETRY_SECONDS = 0.2  # twice as long after each failure in a row
LATELY_SECONDS = 600.0  # ends within them are counted, for whoever wonders what goes on


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
        self._was_ready = False
        self._failures = 0
        self._not_before = 0.0
        self._ends: deque[float] = deque()  # the last ones

    @property
    def pid(self) -> int | None:
        """Its process id, where it was launched."""
        return self._process.pid if self._process else None

    @property
    def settled(self) -> Process | None:
        """Its process, where that runs and is ready."""
        process = self._process
        return process if process and self._was_ready and process.is_alive() else None

    def launch(self) -> None:
        """Start it."""
        self._process = Process(self.name, self._command, self._log)
        self._launched, self._was_ready, self._is_late = time.monotonic(), False, False

    def wait(self) -> None:
        """Wait until it is ready. Raises ProcessFailed."""
        assert self._process is not None, "it was launched"
        self._process.wait_until(self._ready, READY_SECONDS)
        self._was_ready = True

    def tend(self) -> bool:
        """Start it again where it has died, without waiting; whether it did.

        Raises ProcessFailed where ATTEMPTS starts in a row came to nothing.
        """
        assert self._process is not None, "it was launched"
        if self._process.is_alive():
            self._look()
        elif time.monotonic() >= self._not_before:
            self._count_failure()
            self.launch()
            return True
        return False

    def _look(self) -> None:
        """Whether the process that runs came to be ready, or should be given up."""
        if self._was_ready:
            return
        self._was_ready = self._ready()
        if not self._was_ready and time.monotonic() > self._launched + READY_SECONDS:
            self._is_late = True
            self.stop()

    def _count_failure(self) -> None:
        assert self._process is not None, "it was launched"
        log.warning("%s; it is started again", self._said_of_end())
        self._failures = 0 if self._was_ready else self._failures + 1
        if self._failures == ATTEMPTS:
            raise ProcessFailed(
                f"{self.name} does not start: {self._process.last_words()} ({self._log})"
            )
        self._not_before = time.monotonic() + RETRY_SECONDS * (2**self._failures - 1)

    def _said_of_end(self) -> str:
        """That it has ended, how often lately, of what, and where to read on."""
        assert self._process is not None, "it was launched"
        now = time.monotonic()
        self._ends.append(now)
        while self._ends[0] < now - LATELY_SECONDS:
            self._ends.popleft()
        words = self._process.last_words()
        if self._is_late:
            words = f"it was not ready after {READY_SECONDS:g} s: {words}"
        times = f"{len(self._ends)} times" if len(self._ends) > 1 else "once"
        lately = f"{LATELY_SECONDS / 60:g} minutes"
        return f"{self.name} has ended {times} in {lately} ({words}), see {self._log}"

    def tell_to_end(self) -> None:
        """Ask it to end, if it runs, without waiting."""
        if self._process:
            self._process.terminate()

    def stop(self, seconds: float = STOP_SECONDS) -> None:
        """End it, if it runs, and wait until it has; after `seconds` by force."""
        if self._process:
            self._process.stop(seconds)


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

    def watch(self, restarted: Callable[[], object]) -> None:
        """Restart whoever dies, and tell; until an exception (a signal) ends it. Raises ProcessFailed."""
        while True:
            if any(service.tend() for service in self._services):
                restarted()
            self._wait()

    def _wait(self) -> None:
        """Until one of those that are ready has ended; not long while another is on its way."""
        settled = [each for service in self._services if (each := service.settled)]
        is_quiet = len(settled) == len(self._services)
        if settled:
            wait_for_end(settled, None if is_quiet else WATCH_SECONDS)
        else:
            time.sleep(WATCH_SECONDS)

    def stop(self) -> None:
        """End the first last, since the others work on it; these side by side."""
        others = self._services[1:]
        for service in others:
            service.tell_to_end()
        for service in reversed(others):
            service.stop(WORKERS_STOP_SECONDS)
        for service in self._services[:1]:
            service.stop()
        self._services.clear()
