"""What is asked of ports and addresses of this machine."""

import socket
from threading import Thread

import pytest

from fogbound.ports import free_port
from fogbound.process import is_answered, is_listening


@pytest.fixture
def server():
    """Answers each connection with what it was told to say; its port and that."""
    said = [b""]
    with socket.create_server(("127.0.0.1", 0)) as listening:
        Thread(target=answer, args=(listening, said), daemon=True).start()
        yield listening.getsockname()[1], said


def answer(listening, said):
    while True:
        try:
            connection, _ = listening.accept()
        except OSError:
            return
        with connection:
            connection.recv(1 << 16)
            connection.sendall(said[0])


@pytest.mark.parametrize(
    ("said", "answered"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", True),
        (b"HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n", False),
        (b"GET / HTTP/1.1\r\n\r\n", False),  # its own words: a port that connected to itself
        (b"", False),
    ],
)
def test_only_success_is_an_answer(server, said, answered):
    port, words = server
    words[0] = said
    assert is_answered(f"http://127.0.0.1:{port}/") is answered


def test_who_listens(server):
    port, _ = server
    assert is_listening(port)
    assert not is_listening(free_port())


def test_a_port_that_connected_to_itself_is_not_listened_on(monkeypatch):
    port = free_port()
    with socket.socket() as itself:
        itself.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        itself.bind(("127.0.0.1", port))
        monkeypatch.setattr("fogbound.process.socket.socket", lambda: itself)
        assert not is_listening(port)
