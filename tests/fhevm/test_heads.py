"""A follower is woken: by heads where the node tells of them, else again and again."""

import json
import threading
import time

import pytest
from websockets.sync.server import serve

from fhevm.heads import TOKEN_HEADER, Heads, socket_url
from fhevm.tokens import make_token

LONG = 30.0  # seconds: a wait that is not ended by what the test does has failed


class Node:
    """A WebSocket server that tells of heads when it is asked to."""

    def __init__(self, answer='{"id": 1, "result": "0x1"}', port=0):
        self.answer, self.sockets, self.shown = answer, [], []
        self.server = serve(self.connected, "127.0.0.1", port)
        self.port = self.server.socket.getsockname()[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def connected(self, socket):
        self.shown.append(socket.request.headers.get(TOKEN_HEADER))
        assert json.loads(socket.recv())["method"] == "eth_subscribe"
        socket.send(self.answer)
        self.sockets.append(socket)
        for _ in socket:
            pass

    def tell(self):
        self.sockets[-1].send('{"method": "eth_subscription"}')

    def stop(self):
        for socket in self.sockets:
            socket.close()
        self.server.shutdown()


@pytest.fixture
def node():
    node = Node()
    yield node
    node.stop()


@pytest.fixture
def follow():
    """Heads of a node, with a pause that no test can wait for."""
    made = []

    def start(port, pause=LONG):
        made.append(Heads(f"http://127.0.0.1:{port}", pause=pause))
        return made[-1]

    yield start
    for heads in made:
        heads.close()


def seconds_until_woken(heads, seconds=LONG):
    begun = time.monotonic()
    heads.wait(threading.Event(), seconds)
    return time.monotonic() - begun


def until(condition):
    end = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_each_head_wakes_and_none_is_missed(node, follow):
    heads = follow(node.port)
    assert seconds_until_woken(heads) < LONG
    assert heads.is_told
    for _ in range(3):
        node.tell()
        assert seconds_until_woken(heads) < LONG
    node.tell()
    until(heads._moved.is_set)  # it came while the follower worked
    assert seconds_until_woken(heads) < LONG


def test_the_loss_of_a_connection_wakes_and_so_does_the_next(node, follow):
    heads = follow(node.port)
    until(lambda: heads.is_told)
    seconds_until_woken(heads)
    node.stop()
    assert seconds_until_woken(heads) < LONG
    again = Node(port=node.port)
    until(lambda: heads.is_told)
    seconds_until_woken(heads)
    again.tell()
    assert seconds_until_woken(heads) < LONG
    again.stop()


@pytest.mark.parametrize("answer", ['{"id": 1, "error": {"code": -32601}}', "[]", "7", "no json"])
def test_a_node_without_subscriptions_is_polled(answer, follow):
    node = Node(answer)
    heads = follow(node.port, pause=0.05)
    until(lambda: node.sockets)
    for _ in range(20):
        assert seconds_until_woken(heads) < LONG
    assert not heads.is_told
    node.stop()


def test_no_node_at_all_is_polled():
    heads = Heads(None, pause=0.01)
    for _ in range(5):
        assert seconds_until_woken(heads) < LONG


def test_a_stop_and_a_call_end_a_wait(node, follow):
    heads = follow(node.port)
    until(lambda: heads.is_told)
    seconds_until_woken(heads)
    threading.Timer(0.05, heads.wake).start()
    assert seconds_until_woken(heads) < LONG
    stop = threading.Event()
    threading.Timer(0.05, stop.set).start()
    heads.wait(stop, LONG)
    assert stop.is_set()


def test_a_time_ends_a_wait(node, follow):
    heads = follow(node.port)
    until(lambda: heads.is_told)
    seconds_until_woken(heads)
    assert 0.2 <= seconds_until_woken(heads, 0.2) < LONG


def test_the_token_is_shown_once_there_is_one(node, tmp_path):
    file = tmp_path / "heads.token"
    expected = [None]
    for _ in range(2):
        heads = Heads(f"http://127.0.0.1:{node.port}", pause=LONG, token=file)
        until(lambda: heads.is_told)  # noqa: B023 - it is waited for here
        heads.close()
        expected.append(make_token(file))
    assert node.shown == expected[:2]


def test_no_other_machine_is_shown_the_token(monkeypatch, tmp_path):
    make_token(tmp_path / "heads.token")
    shown = []

    def connect(url, **given):
        shown.append(given)
        raise OSError("nobody is there")

    monkeypatch.setattr("fhevm.heads.connect", connect)
    heads = Heads("http://node.example", pause=LONG, token=tmp_path / "heads.token")
    until(lambda: shown)
    heads.close()
    assert shown[0]["additional_headers"] == {}


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://127.0.0.1:8545", "ws://127.0.0.1:8545"),
        ("HTTPS://node.example/key?a=b", "wss://node.example/key?a=b"),
        ("wss://node.example", "wss://node.example"),
    ],
)
def test_the_socket_is_where_the_node_is(url, expected):
    assert socket_url(url) == expected
