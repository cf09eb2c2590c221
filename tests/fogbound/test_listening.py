"""The chain's process, and connections that say nothing, or read nothing, or speak no HTTP."""

import asyncio
import json
import socket
import sys
import time
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
import requests
from aiohttp import web

from fogbound import chainserver
from fogbound.ports import free_port
from fogbound.process import Process, is_listening
from tests.fogbound.served import ServedChain

DESCRIPTORS = 400
ZIPPED = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Encoding: gzip\r\n"
UPGRADE = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\n"
)


@pytest.fixture(scope="module")
def node(tmp_path_factory):
    node = ServedChain(tmp_path_factory.mktemp("node"), DESCRIPTORS)
    node.start()
    yield node
    node.process.stop()


@pytest.fixture(autouse=True)
def no_traceback(node):
    yield
    assert node.call("eth_chainId")["result"] == "0x7a69"
    assert "Traceback" not in node.said


def is_closed(connection):
    """Waits for it."""
    with suppress(ConnectionError):
        return connection.recv(1) == b""
    return True


def head(length):
    return f"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n".encode()


BEGUN = {
    "nothing": b"",
    "a head": b"POST / HTTP/1.1\r\nHo",
    "a body": head(1_000),
    "no handshake": UPGRADE + b"\r\n",
}


@pytest.mark.parametrize("begun", BEGUN.values(), ids=BEGUN)
def test_attack_more_silent_connections_than_descriptors(node, begun):
    with ExitStack() as closing:
        held = [closing.enter_context(node.connect()) for _ in range(2 * DESCRIPTORS)]
        for each in held:
            with suppress(ConnectionError):  # it gave way already
                each.sendall(begun)
        assert node.call("eth_chainId")["result"] == "0x7a69"
        assert is_closed(held[0])


def test_who_is_being_answered_does_not_give_way(node):
    body = json.dumps({"id": 1, "method": "anvil_mine", "params": [1_000]}).encode()
    with ExitStack() as closing:
        asking = closing.enter_context(node.connect())
        asking.sendall(head(len(body)) + body)
        time.sleep(0.2)
        for _ in range(2 * DESCRIPTORS):
            closing.enter_context(node.connect())
        assert asking.recv(100).startswith(b"HTTP/1.1 200 ")


def test_attack_answers_that_nobody_reads(node):
    """Asked for one after the other on one connection; it is cut off."""
    call = {"id": 1, "method": "eth_getBlockByNumber", "params": ["latest", False]}
    body = json.dumps([call] * 100).encode()
    with node.connect() as connection, pytest.raises(ConnectionError):
        say_for_ever(connection, head(len(body)) + body)


def say_for_ever(connection, words):
    while True:
        connection.sendall(words)
        time.sleep(0.001)


ODD = {
    "version": b"GET / HTTP/9\r\n",
    "another protocol": b"\x16\x03\x01\x02",
    "length": b"GET / HTTP/1.1\r\nContent-Length: x\r\n",
    "long line": b"GET / HTTP/1.1\r\n" + b"a" * 20_000,
    "many lines": b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"a: b\r\n" * 1_000,
    "chunk": b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nx",
    "zipped": ZIPPED + b"Content-Length: 5\r\n\r\nabcde",
    "zipped chunk": ZIPPED + b"Transfer-Encoding: chunked\r\n\r\n5\r\nabcdeXX",
    "key": UPGRADE + b"Sec-WebSocket-Key: \xff\xff\r\n",
    "token": UPGRADE + b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nX-Heads-Token: \xff\r\n",
    "expects": b"POST / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 9",
}


@pytest.mark.parametrize("words", ODD.values(), ids=ODD)
@pytest.mark.parametrize("stays", [True, False])
def test_odd_requests_are_refused_without_a_traceback(node, words, stays):
    with node.connect() as connection:
        connection.sendall(words + b"\r\n\r\n")
        if stays:
            with suppress(ConnectionError):
                assert connection.recv(1)


def test_a_body_that_is_too_long_is_refused(node):
    assert requests.post(node.url, data=b" " * (2 << 20), timeout=60).status_code == 413


LARGE = """
import asyncio, sys
from aiohttp import web
from fhevm import unread
from fhevm.connections import Connections
from fhevm.memory import give_back_large_memory
from fogbound.listening import serve

async def large(request): return web.Response(body=b"x" * (16 << 20))
give_back_large_memory()
unread.MOST_BYTES = 32 << 20
app = web.Application()
app.router.add_get("/", large)
asyncio.run(serve(app, int(sys.argv[1]), Connections()))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a process's memory is not known")
def test_attack_large_answers_that_nobody_reads(tmp_path):
    """They hold no more memory than all answers may hold, and whoever reads is answered meanwhile."""
    port = free_port()
    process = Process("large", [sys.executable, "-c", LARGE, str(port)], tmp_path / "log")
    process.wait_until(lambda: is_listening(port), 60)
    with ExitStack() as closing:
        for number in range(50):
            held = closing.enter_context(socket.create_connection(("127.0.0.1", port)))
            held.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 3)
            if number % 10 == 9:
                answer = requests.get(f"http://127.0.0.1:{port}/", timeout=60)
                assert len(answer.content) == 16 << 20
        status = Path(f"/proc/{process.pid}/status").read_text()
        held_kib = int(status.split("VmRSS:")[1].split()[0])
        process.stop()
    assert held_kib < 400_000  # of 800 MiB that were asked for


def test_a_body_that_does_not_come_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(chainserver, "BODY_SECONDS", 0.01)

    class Slow:
        async def read(self):
            await asyncio.sleep(60)

    with pytest.raises(web.HTTPRequestTimeout) as answered:
        asyncio.run(chainserver._body(Slow()))
    assert answered.value.headers["Connection"] == "close"
