"""Who asked for what, in a file of bounded size: without queries, headers and bodies."""

import logging
import time
from logging.handlers import RotatingFileHandler
from pathlib import Path

from starlette.types import ASGIApp, Message, Receive, Scope, Send

BYTES, FILES = 4_000_000, 3
PATH_CHARACTERS = 200


class AccessLog:
    """ASGI middleware: a line for each request, once its answer is over."""

    def __init__(self, app: ASGIApp, file: Path) -> None:
        self._app = app
        self._log = _logger(file)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand on, and note how it went (status 0: no answer)."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status, begun = 0, time.perf_counter()

        async def sending(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        try:
            await self._app(scope, receive, sending)
        finally:
            self._log.info("%s %d %.0f ms", _request(scope), status, 1e3 * _since(begun))


def _request(scope: Scope) -> str:
    """The path as it was sent, percent-encoded: no line break gets into the log."""
    host = scope["client"][0] if scope.get("client") else "-"
    path = scope.get("raw_path", b"").split(b"?")[0][:PATH_CHARACTERS].decode("ascii", "replace")
    return f"{host} {scope['method']} {path}"


def _since(begun: float) -> float:
    return time.perf_counter() - begun


def _logger(file: Path) -> logging.Logger:
    """One for each file; several apps in one process do not write to each other's."""
    log = logging.getLogger(f"{__name__}.{file.absolute()}")
    log.propagate = False
    log.setLevel(logging.INFO)
    if not log.handlers:
        file.parent.mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(file, maxBytes=BYTES, backupCount=FILES, delay=True)
        handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
        log.addHandler(handler)
    return log
