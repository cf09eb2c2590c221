"""How uvicorn listens within bounds: of connections, of what they may hold, and of how long each may take.

By itself uvicorn waits for a request's head, and for the rest of a body that was answered already, for ever.
A body's own time and size are for the application, which can still answer.
"""

import asyncio
from functools import partial
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from fhevm.connections import Connections
from fhevm.descriptors import BACKLOG

REQUESTS = 4_000  # that are being answered, also for those who have left meanwhile
REQUEST_SECONDS = 60.0  # for a head
ANSWER_SECONDS = 10.0  # more for a body, so that whoever was too slow hears of it
UNANSWERED = (h11.IDLE, h11.SEND_RESPONSE)
HEAD, BODY = h11.IDLE, h11.SEND_BODY  # what a connection is at, as h11 names it


class BoundedProtocol(H11Protocol):
    """Uvicorn's protocol of one connection, within what `connections` allows: else it is closed."""

    def __init__(
        self, connections: Connections, seconds: float | None = None, **given: Any
    ) -> None:
        """`seconds` for a request's head, and again for its body; by default REQUEST_SECONDS."""
        super().__init__(**given)
        seconds = REQUEST_SECONDS if seconds is None else seconds
        self._all = connections
        self._patience = {HEAD: seconds, BODY: seconds + ANSWER_SECONDS}
        self._stage: object = None
        self._end: asyncio.TimerHandle | None = None

    def admits(self) -> bool:
        """Whether this client may have one more."""
        return True

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin."""
        super().connection_made(transport)
        if self.admits():
            self._all.enter(transport)
            self._watch()
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        super().connection_lost(exc)
        self._wait(None)
        self._all.leave(self.transport)

    def data_received(self, data: bytes) -> None:
        """Hand on what came."""
        super().data_received(data)
        self._watch()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP, where no answer has begun; the application's comes to nothing."""
        if self.cycle and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.conn.our_state in UNANSWERED:
            super().send_400_response(msg)
        else:
            self.transport.abort()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._all.rest(self.transport)
        self._stage = None
        self._wait(None)
        if self.conn.their_state is not HEAD:  # the next has come already
            self._watch()

    def pause_writing(self) -> None:
        """Nobody reads what is sent: not for long, since it holds memory and a stream."""
        super().pause_writing()
        self._all.unread.fell_behind(self.transport)

    def resume_writing(self) -> None:
        """It was read."""
        super().resume_writing()
        self._all.unread.caught_up(self.transport)

    def _watch(self) -> None:
        """A head's and a body's time begin with their first byte, however many follow."""
        stage = self.conn.their_state
        if stage not in self._patience:
            self._all.serve(self.transport)
        if stage is not self._stage:
            self._stage = stage
            self._wait(self._patience.get(stage))

    def _wait(self, seconds: float | None) -> None:
        if self._end:
            self._end.cancel()
        self._end = None if seconds is None else self.loop.call_later(seconds, self.transport.abort)


def bounded_config(
    app: Any, host: str, port: int, protocol: Any = None, **more: Any
) -> uvicorn.Config:
    """How uvicorn serves; `protocol`: of BoundedProtocol's kind, by default itself."""
    return uvicorn.Config(
        app,
        host,
        port,
        http=protocol or partial(BoundedProtocol, Connections()),  # type: ignore[arg-type]
        ws="none",  # there are none, and they would leave the protocol
        backlog=BACKLOG,
        limit_concurrency=REQUESTS,
        log_config=None,  # as all else that this process says
        log_level="warning",
        access_log=False,
        server_header=False,
        **more,
    )
