"""A service with few descriptors, and more connections than that. Whoever asks is answered."""

import resource
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, suppress

import httpx
import pytest

from fogbound.ports import free_port
from fogbound.process import Process, is_listening

DESCRIPTORS = 120
REQUESTS = 100
LATEST = 60.0  # seconds
SERVER = """
import asyncio, sys
import fhevm.listening as listening, fhevm.processes as processes, fhevm.unread as unread
from fhevm.limits import BodyLimit
from fhevm.logs import log_to_stderr
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

async def hello(request): return PlainTextResponse("hello")
async def never(request): await asyncio.sleep(600)
async def echo(request): return Response(await request.body())
async def long(request): return Response(b"x" * 20_000_000)
log_to_stderr()
listening.REQUEST_SECONDS = unread.READ_SECONDS = float(sys.argv[2])
listening.REQUESTS = int(sys.argv[3])
routes = [Route("/", hello), Route("/long", long), Route("/never", never)]
routes += [Route("/echo", echo, methods=["POST"]), Route("/early", hello, methods=["POST"])]
processes.serve(BodyLimit(Starlette(routes=routes), 1 << 20), int(sys.argv[1]))
"""


class Service:
    """One at a port of its own; `seconds` for a head, and to read something."""

    def __init__(self, folder, seconds, descriptors):
        self.port, self.log = free_port(), folder / "log"
        limit = f"ulimit -n {descriptors}; exec " + '"$@"'
        command = ["bash", "-c", limit, "-", sys.executable, "-c", SERVER]
        self.process = Process(
            "service", [*command, str(self.port), str(seconds), str(REQUESTS)], self.log
        )
        self.process.wait_until(lambda: is_listening(self.port), LATEST)

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=LATEST)

    def hello(self):
        return httpx.get(f"http://127.0.0.1:{self.port}/", timeout=LATEST).text


@pytest.fixture
def start(tmp_path):
    with ExitStack() as closing:

        def start(seconds=LATEST, descriptors=DESCRIPTORS):
            service = Service(tmp_path, seconds, descriptors)
            closing.callback(service.process.stop)
            return service

        yield start


def is_closed(connection):
    with suppress(ConnectionError):
        return connection.recv(1) == b""
    return True


@pytest.mark.parametrize("begun", [b"", b"GET / HTTP/1.1\r\nHo"])
def test_attack_more_silent_connections_than_descriptors(start, begun):
    service = start()
    with ExitStack() as closing:
        held = [closing.enter_context(service.connect()) for _ in range(2 * DESCRIPTORS)]
        for each in held:
            with suppress(ConnectionError):  # it gave way already
                each.sendall(begun)
        assert service.hello() == "hello"
        assert is_closed(held[0])
    assert "Traceback" not in service.log.read_text()


def test_attack_a_head_that_does_not_come(start):
    service = start(seconds=0.5)
    with service.connect() as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHo")
        assert is_closed(connection)


def test_attack_answers_that_nobody_reads(start):
    service = start(seconds=1.0)
    with service.connect() as connection:
        connection.sendall(b"GET /long HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert service.hello() == "hello"
        with pytest.raises(ConnectionError):
            say_for_ever(connection)
        assert service.hello() == "hello"


def say_for_ever(connection):
    """Until the other side has cut off, which is heard of though nothing is read."""
    while True:
        connection.sendall(b"\r\n")
        time.sleep(0.1)


def test_attack_requests_of_those_who_leave(start):
    """They go on all the same, so they are bounded."""
    service = start()
    for _ in range(2 * REQUESTS):
        with service.connect() as connection:
            connection.sendall(b"GET /never HTTP/1.1\r\nHost: localhost\r\n\r\n")
        if service.hello() == "Service Unavailable":
            return
    pytest.fail("it takes any number")


@pytest.mark.parametrize("path", ["/echo", "/early", "/none"])
def test_a_body_that_is_no_http_makes_no_traceback(start, path):
    service = start()
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    for pause in (0.0, 0.2):
        with service.connect() as connection:
            connection.sendall(head.encode())
            time.sleep(pause)
            connection.sendall(b"zz\r\n")
            while not is_closed(connection):
                pass
    assert service.hello() == "hello"
    assert "Traceback" not in service.log.read_text()


def test_a_connection_may_rest_between_requests(start):
    service = start(seconds=0.5)
    with httpx.Client(base_url=f"http://127.0.0.1:{service.port}", timeout=LATEST) as client:
        ports = set()
        for _ in range(3):
            answer = client.get("/")
            ports.add(answer.extensions["network_stream"].get_extra_info("client_addr"))
            time.sleep(0.8)
        assert len(ports) == 1


def test_as_many_descriptors_are_allowed_as_the_system_lets_us():
    code = (
        "import resource; from fhevm.descriptors import room_for_connections;"
        "print(room_for_connections(), *resource.getrlimit(resource.RLIMIT_NOFILE))"
    )
    hard = min(2_000, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
    command = ["bash", "-c", f'ulimit -Sn 500; ulimit -Hn {hard}; exec "$@"', "-", sys.executable]
    told = subprocess.run([*command, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.split() == [str(hard - 512), str(hard), str(hard)]
