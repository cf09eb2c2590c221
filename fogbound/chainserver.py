"""The local chain's process: JSON-RPC over HTTP and WebSocket on one port.

What it offers is in localnode.py. Pages of other origins are refused. Over a WebSocket there are also
subscriptions; whoever is too far behind in reading is cut off.
"""

import asyncio
import hmac
import json
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp
from aiohttp import web

from fhevm.connections import Connections
from fhevm.heads import TOKEN_HEADER, heads_token_file
from fhevm.logs import log_to_stderr
from fhevm.memory import give_back_large_memory
from fhevm.tokens import make_token
from fogbound.anvil import KeptAnvil
from fogbound.errors import FogboundError
from fogbound.jsonrpc import Json, RpcError, failed, parse_body
from fogbound.listening import BoundedHandler, serve
from fogbound.localnode import LocalNode
from fogbound.subscriptions import CONNECTIONS, Subscriber

log = logging.getLogger(__name__)

MAX_BODY_BYTES = 1 << 20
BODY_SECONDS = 30.0  # in which a request's body must come
READ_SECONDS = 10.0  # in which some of what waits to be sent must be read
LOCAL = ("127.0.0.1", "localhost", "::1")


class ChainServer:
    """Serves a KeptAnvil."""

    def __init__(self, anvil: KeptAnvil, connections: Connections, token: str) -> None:
        """`token`: shows that a connection is of a part of the stack, for which there are places."""
        self._anvil = anvil
        self._token = token.encode()
        self._connections = connections
        self._node: LocalNode

    def app(self) -> web.Application:
        """The application; it starts and stops anvil."""
        app = web.Application(client_max_size=MAX_BODY_BYTES)
        app.router.add_post("/", self._post)
        app.router.add_get("/", self._connect)
        app.cleanup_ctx.append(self._running)
        return app

    async def _running(self, _app: web.Application) -> AsyncIterator[None]:
        async with aiohttp.ClientSession() as http:
            self._node = LocalNode(self._anvil, http)
            await self._node.start()
            watching = asyncio.create_task(self._watch())
            yield
            watching.cancel()
            await self._node.stop()

    async def _watch(self) -> None:
        try:
            await self._node.keep_alive()
        except FogboundError as error:
            log.error("%s", error)
            os.kill(os.getpid(), signal.SIGTERM)

    async def _post(self, request: web.Request) -> web.Response:
        _require_local(request)
        body = await _body(request)
        with _handler(request).being_answered():
            text = json.dumps(await self._answer(body))
        return web.Response(body=text.encode(), content_type="application/json")

    async def _answer(self, body: bytes | str, subscriber: Subscriber | None = None) -> Json:
        try:
            return await self._node.answer(parse_body(body), subscriber)
        except RpcError as error:
            return failed(None, error.answer)

    # -- WebSocket --

    async def _connect(self, request: web.Request) -> web.StreamResponse:
        _require_local(request)
        is_own = self._is_own(request)
        subscriber = Subscriber(lambda why: _cut_off(request, why), is_own=is_own)
        if not self._node.subscribers.enter(subscriber):
            raise web.HTTPServiceUnavailable(text=f"at most {CONNECTIONS} connections")
        socket = web.WebSocketResponse(max_msg_size=MAX_BODY_BYTES, compress=False)
        connection = _handler(request).connection
        try:
            await _prepare(socket, request)
            self._connections.keep(connection)  # subscribers have a bound of their own
            await self._serve(socket, subscriber, connection)
        finally:
            self._node.subscribers.leave(subscriber)
        return socket

    def _is_own(self, request: web.Request) -> bool:
        shown = request.headers.get(TOKEN_HEADER, "").encode(errors="surrogateescape")
        return hmac.compare_digest(shown, self._token)

    async def _serve(
        self, socket: web.WebSocketResponse, subscriber: Subscriber, connection: asyncio.Transport
    ) -> None:
        writing = asyncio.create_task(_write(socket, subscriber))
        try:
            async for message in socket:
                if message.type in (aiohttp.WSMsgType.TEXT, aiohttp.WSMsgType.BINARY):
                    with subscriber.asking():
                        await self._answer_to(message.data, subscriber, connection)
        finally:
            writing.cancel()

    async def _answer_to(
        self, asked: bytes | str, subscriber: Subscriber, connection: asyncio.Transport
    ) -> None:
        text = json.dumps(await self._answer(asked, subscriber))
        with self._connections.unread.holding(connection, len(text)):
            await subscriber.answer(text)


async def _write(socket: web.WebSocketResponse, subscriber: Subscriber) -> None:
    """Send what is in the outbox, until the connection ends."""
    with suppress(ConnectionError):
        async for text in subscriber.unread():
            await socket.send_str(text)


async def _prepare(socket: web.WebSocketResponse, request: web.Request) -> None:
    """Shake hands. Raises HTTPException."""
    try:
        await socket.prepare(request)
    except ValueError:
        raise web.HTTPBadRequest(text="Sec-WebSocket-Key is no key") from None


async def _body(request: web.Request) -> bytes:
    """The request's, whole. Raises HTTPException where it is too long, or does not come."""
    try:
        async with asyncio.timeout(BODY_SECONDS):
            return await request.read()
    except TimeoutError:
        raise web.HTTPRequestTimeout(headers={"Connection": "close"}) from None


def _handler(request: web.Request) -> BoundedHandler:
    assert isinstance(request.protocol, BoundedHandler), "see listening"
    return request.protocol


def _cut_off(request: web.Request, why: str) -> None:
    """Nothing more can be said to them."""
    if request.transport is not None and not request.transport.is_closing():
        log.warning("a subscriber is cut off: %s", why)
        request.transport.abort()


def _require_local(request: web.Request) -> None:
    """No page of another origin (also one whose name leads here) may use the chain; extensions may."""
    if not _is_local(request.host, request.headers.get("Origin", "http://localhost")):
        raise web.HTTPForbidden(text="this chain is for programs on this machine")


def _is_local(host: str, origin: str) -> bool:
    try:
        named, page = urlsplit(f"http://{host}").hostname, urlsplit(origin)
        return named in LOCAL and (page.hostname in LOCAL or page.scheme.endswith("-extension"))
    except ValueError:  # brackets that hold no address
        return False


def main() -> None:
    """`python -m fogbound.chainserver DATA PORT`: serve on 127.0.0.1 until SIGINT or SIGTERM."""
    log_to_stderr()
    give_back_large_memory()  # of answers
    data, port = Path(sys.argv[1]), int(sys.argv[2])
    connections = Connections(read_seconds=READ_SECONDS)
    anvil = KeptAnvil(data / "chain", data / "logs" / "anvil.log")
    server = ChainServer(anvil, connections, make_token(heads_token_file(data)))
    asyncio.run(serve(server.app(), port, connections))


if __name__ == "__main__":
    main()
