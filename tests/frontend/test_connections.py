"""Slow requests, silent connections, too many of them. Whoever asks as one should is served meanwhile."""

import asyncio
import socket
from contextlib import contextmanager, suppress
from threading import Event, Thread

import httpx
import pytest
import uvicorn
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.routing import Route

from frontend.app.connections import Clients
from frontend.app.server import make_config
from frontend.app.settings import WebSettings
from tests.frontend.bare import bare_app

LATEST = 60.0  # seconds, on the busiest machine
DRIP = 0.05  # between two bytes of a slow request
REQUEST, ANSWER = 1.5, 2.0  # what the server waits for them
CONNECTIONS = 12
SETTINGS = {"request_seconds": REQUEST, "connections_per_client": CONNECTIONS}


async def slow_answer(_request):
    await asyncio.sleep(REQUEST + ANSWER + 0.5)
    return PlainTextResponse("at last")


stopped = Event()


async def endless_answer(_request):
    async def parts():
        try:
            while True:
                yield b"x" * 65_536
                await asyncio.sleep(0)  # as a stream waits for news
        finally:
            stopped.set()

    return StreamingResponse(parts())


class Server:
    """The web app, reached at a port of its own."""

    def __init__(self, folder):
        self._app = bare_app(folder, **SETTINGS)
        self._app.router.routes.insert(0, Route("/slow", slow_answer))
        self._app.router.routes.insert(0, Route("/endless", endless_answer))
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        settings = WebSettings(data=folder, **SETTINGS)
        self._server = uvicorn.Server(make_config(self._app, settings))
        self._thread = Thread(target=self._server.run, args=([self._socket],))

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._server.should_exit = True
        self._thread.join()

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=LATEST)

    def get(self, path):
        return httpx.get(f"http://127.0.0.1:{self.port}{path}", timeout=LATEST)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fhevm.listening.ANSWER_SECONDS", ANSWER)
        patch.setattr("fhevm.unread.READ_SECONDS", ANSWER)
        with Server(tmp_path_factory.mktemp("connections")) as running:
            yield running


@contextmanager
def dripping(connection):
    """One byte after another, from another thread, until the connection is closed."""

    def drip():
        with suppress(OSError):
            while True:
                connection.sendall(b"a")
                pause.wait(DRIP)

    pause = Event()
    thread = Thread(target=drip)
    thread.start()
    try:
        yield
    finally:
        connection.close()
        thread.join()


def until_closed(connection):
    """All that the server says until it closes the connection; TimeoutError where it does not."""
    said = b""
    with suppress(ConnectionError):
        while part := connection.recv(4096):
            said += part
    return said


def head(first, *lines, host="127.0.0.1"):
    """Without the empty line that ends it."""
    return "\r\n".join((first, f"Host: {host}", *lines, "")).encode()


def post(**options):
    return head("POST /rpc HTTP/1.1", "Content-Length: 100000", **options) + b"\r\n"


@pytest.mark.parametrize("begun", [b"", b"GET / HTTP/1.1\r\nHo"])
def test_who_says_nothing_more_is_not_waited_for(server, begun):
    with server.connect() as connection:
        connection.sendall(begun)
        assert server.get("/api/bots").status_code == 200
        assert until_closed(connection) == b""


def test_a_head_byte_by_byte(server):
    connection = server.connect()
    connection.sendall(head("GET / HTTP/1.1") + b"X: ")
    with dripping(connection):
        assert server.get("/api/bots").status_code == 200
        assert until_closed(connection) == b""


def test_a_body_byte_by_byte(server):
    connection = server.connect()
    connection.sendall(post())
    with dripping(connection):
        assert server.get("/api/bots").status_code == 200
        said = until_closed(connection)
    assert said.startswith(b"HTTP/1.1 408 ")
    assert b'"code":"too_slow"' in said


def test_a_body_that_goes_on_after_the_answer(server):
    connection = server.connect()
    connection.sendall(post(host="evil.example"))
    with dripping(connection):
        assert until_closed(connection).startswith(b"HTTP/1.1 403 ")


def test_an_answer_may_take_longer_than_a_request(server):
    with httpx.Client(base_url=f"http://127.0.0.1:{server.port}", timeout=LATEST) as client:
        answers = [client.post("/rpc", json={}), client.get("/slow"), client.get("/api/bots")]
    assert [each.status_code for each in answers] == [200] * 3
    assert answers[1].text == "at last"


def test_one_client_holds_so_many_connections(server):
    held = [server.connect() for _ in range(CONNECTIONS)]
    assert until_closed(server.connect()) == b""
    for each in held:
        each.close()
    while True:  # the server hears of it when it hears of it
        with suppress(httpx.TransportError):
            assert server.get("/api/bots").status_code == 200
            break


@pytest.mark.parametrize("proxy", ["203.0.113.5", "203.0.113.0/24", "2001:db8::/32"])
def test_a_proxy_holds_those_of_others(proxy):
    clients = Clients(1, [proxy, "localhost"])
    for client, second in (("203.0.113.5", ":" not in proxy), ("198.51.100.1", False)):
        assert clients.enter(client)
        assert clients.enter(client) is second
    clients.leave("198.51.100.1")
    assert clients.enter("198.51.100.1")
    assert clients.enter("2001:db8::/64")
    assert clients.enter("2001:db8::/64") is (":" in proxy)


def test_who_reads_nothing_is_not_sent_to_for_ever(server):
    with server.connect() as connection:
        connection.sendall(head("GET /endless HTTP/1.1") + b"\r\n")
        assert stopped.wait(LATEST)
        assert server.get("/api/bots").status_code == 200
