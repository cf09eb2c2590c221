"""A program driven as a person would: through a pseudo-terminal."""

import os
import pty
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

SECONDS = 60.0


class TerminalProgram:
    """`battleship` in a pseudo-terminal of its own; everything it shows is kept in `shown`."""

    def __init__(self, *arguments: str, folder: Path) -> None:
        self._master, slave = pty.openpty()
        environment = {**os.environ, "TERM": "dumb", "COLUMNS": "120", "NO_COLOR": "1"}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "battleship.cli", *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=folder,
            env=environment,
            start_new_session=True,
        )
        os.close(slave)
        self.shown = ""
        self._seen = 0
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def type(self, line: str) -> None:
        """Type a line, and Enter."""
        os.write(self._master, f"{line}\n".encode())

    def expect(self, pattern: str, seconds: float = SECONDS) -> re.Match[str]:
        """Wait until it shows something new that matches; what comes after is new from then on."""
        until = time.monotonic() + seconds
        while not (found := re.compile(pattern).search(self.shown, self._seen)):
            if time.monotonic() > until or (self.ended and not self._reader.is_alive()):
                raise AssertionError(f"no {pattern!r} in:\n{self.shown[self._seen :][-3000:]}")
            time.sleep(0.02)
        self._seen = found.end()
        return found

    @property
    def ended(self) -> bool:
        return self._process.poll() is not None

    def end(self) -> int:
        """Type quit, and wait for the end; its exit code."""
        if not self.ended:
            self.type("quit")
        return self._process.wait(SECONDS)

    def kill(self) -> None:
        """As when the window is closed."""
        self._process.kill()
        self._process.wait(SECONDS)

    def _read(self) -> None:
        try:
            while data := os.read(self._master, 4096):
                self.shown += data.decode(errors="replace").replace("\r", "")
        except OSError:  # the other end is closed
            pass
