"""A limit on the size of request bodies, also where the sender does not say how long they are."""

from collections.abc import Callable

from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fhevm.errors import TooLarge
from fhevm.jsonsize import is_costly
from fhevm.statuses import STATUS, failure


def _refusal(error: TooLarge) -> Response:
    return JSONResponse(failure(error), STATUS[TooLarge])


class BodyLimit:
    """ASGI middleware: answers `refusal`, by default 413, as soon as a body grows beyond `max_bytes`, and to
    one of very many values.
    """

    def __init__(
        self, app: ASGIApp, max_bytes: int, refusal: Callable[[TooLarge], Response] = _refusal
    ) -> None:
        self._app = app
        self._max_bytes = max_bytes
        self._refusal = refusal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read the whole body first (requests are small), then hand it on; not where its sender has gone."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            body = await self._read(receive)
        except ClientDisconnect:
            return
        if body is None:
            error = TooLarge(f"a request has at most {self._max_bytes} bytes")
            await self._refusal(error)(scope, receive, send)
            return
        if is_costly(body):
            error = TooLarge("a request has fewer values for its size")
            await self._refusal(error)(scope, receive, send)
            return
        await self._app(scope, _replay(body, receive), send)

    async def _read(self, receive: Receive) -> bytes | None:
        """The body, or None beyond the limit. Raises ClientDisconnect where only a part of it comes."""
        parts: list[bytes] = []
        size = 0
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ClientDisconnect
            parts.append(message.get("body", b""))
            size += len(parts[-1])
            if size > self._max_bytes:
                return None
            if not message.get("more_body"):
                return b"".join(parts)


def _replay(body: bytes, receive: Receive) -> Receive:
    whole: Message = {"type": "http.request", "body": body, "more_body": False}
    messages = iter([whole])

    async def replayed() -> Message:
        return next(messages, None) or await receive()

    return replayed
