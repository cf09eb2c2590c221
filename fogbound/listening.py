"""How the chain's process listens: aiohttp's server, within the bounds of fhevm.connections."""

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from aiohttp import web
from aiohttp.http import HttpProcessingError

from fhevm.connections import Connections
from fhevm.descriptors import BACKLOG

REST_SECONDS = 75.0  # between two requests, the next one's head included
CLIENTS_FAULTS = (HttpProcessingError, web.RequestPayloadError, ConnectionError)
GOODBYE_SECONDS = 1.0  # for answers on their way


class BoundedHandler(web.RequestHandler):
    """One connection, within what `connections` allows: else it is closed."""

    connection: asyncio.Transport

    def __init__(self, connections: Connections, server: web.Server, **given: Any) -> None:
        super().__init__(server, **given)
        self._all = connections

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        super().connection_made(transport)
        assert isinstance(transport, asyncio.Transport)
        self.connection = transport
        self._all.enter(transport)

    def connection_lost(self, exc: BaseException | None) -> None:
        """End."""
        super().connection_lost(exc)
        self._all.leave(self.connection)

    def pause_writing(self) -> None:
        """Nobody reads what is sent."""
        super().pause_writing()
        self._all.unread.fell_behind(self.connection)

    def resume_writing(self) -> None:
        """It was read."""
        super().resume_writing()
        self._all.unread.caught_up(self.connection)

    def log_exception(self, *args: Any, **given: Any) -> None:
        """What clients do wrong, and that they have left, is no trouble of ours."""
        if not isinstance(given.get("exc_info"), CLIENTS_FAULTS):
            super().log_exception(*args, **given)

    @contextmanager
    def being_answered(self) -> Iterator[None]:
        """Surrounds what is done once the whole of a request is there."""
        self._all.serve(self.connection)
        try:
            yield
        finally:
            self._all.rest(self.connection)


async def serve(app: web.Application, port: int, connections: Connections) -> None:
    """Serve on 127.0.0.1 until SIGINT or SIGTERM."""
    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(each, ended.set)
    # Nobody reads for a client that has left.
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=GOODBYE_SECONDS)
    await runner.setup()
    try:
        server = await loop.create_server(
            lambda: _handler(connections, runner), "127.0.0.1", port, backlog=BACKLOG
        )
        await ended.wait()
        server.close()
    finally:
        await runner.cleanup()


def _handler(connections: Connections, runner: web.AppRunner) -> BoundedHandler:
    assert runner.server is not None, "it was set up"
    loop = asyncio.get_running_loop()
    return BoundedHandler(
        connections,
        runner.server,
        loop=loop,
        access_log=None,
        keepalive_timeout=REST_SECONDS,
        auto_decompress=False,
    )
