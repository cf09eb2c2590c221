"""What a node answers that is none: a typed error, whatever it is."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from web3 import Web3

from fhevm.acl import Acl
from fhevm.addresses import LOCAL
from fhevm.errors import Unavailable
from fogbound.chain import Chain
from fogbound.errors import ChainRefused

BLOCK = {
    "number": "0x5",
    "hash": "0x" + "11" * 32,
    "parentHash": "0x" + "22" * 32,
    "timestamp": "0x7",
    "transactions": [],
}
LOG = {
    "address": "0x" + "33" * 20,
    "blockHash": "0x" + "11" * 32,
    "blockNumber": "0x5",
    "data": "0x",
    "logIndex": "0x0",
    "topics": [],
    "transactionHash": "0x" + "44" * 32,
    "transactionIndex": "0x0",
    "removed": False,
}
ABSENT = object()


class Node(ThreadingHTTPServer):
    """Answers as it is told."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.answers = {"eth_chainId": "0x7a69", "eth_blockNumber": "0x5"}

    def tell_block(self, **changes):
        block = {**BLOCK, **changes}
        self.answers["eth_getBlockByNumber"] = {
            key: value for key, value in block.items() if value is not ABSENT
        }


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answer = {"id": asked["id"], "result": self.server.answers.get(asked["method"])}
        body = json.dumps({"jsonrpc": "2.0", **answer}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Nothing is said."""


@pytest.fixture
def node() -> Iterator[Node]:
    with Node() as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


ODD_BLOCKS = [
    {"number": None},
    {"number": []},
    {"hash": None},
    {"hash": ABSENT},
    {"timestamp": "x"},
    {"timestamp": ABSENT},
]


@pytest.mark.parametrize("changes", ODD_BLOCKS)
def test_an_odd_block(node, changes):
    node.tell_block(**changes)
    chain, acl = Chain.connect(node.url), Acl(Web3(Web3.HTTPProvider(node.url)), LOCAL.acl)
    with pytest.raises(ChainRefused):
        chain.newest()
    with pytest.raises(Unavailable):
        acl.now()


@pytest.mark.parametrize("parent", [None, ABSENT, "0x", "0x22", 5])
def test_a_block_without_a_parent_is_a_block(node, parent):
    node.tell_block(parentHash=parent)
    assert Chain.connect(node.url).newest().parent is None
    assert Acl(Web3(Web3.HTTPProvider(node.url)), LOCAL.acl).now().parent == b""


@pytest.mark.parametrize(
    "logs",
    [
        "x",
        5,
        None,
        [None],
        [{}],
        [[]],
        *([{**LOG, key: None}] for key in ("data", "topics", "blockNumber", "logIndex")),
        [{**LOG, "topics": [None]}],
        [{**LOG, "transactionHash": "x"}],
    ],
)
def test_odd_logs(node, logs):
    node.answers["eth_getLogs"] = logs
    with pytest.raises(ChainRefused):
        list(Chain.connect(node.url).logs(LOG["address"], 0, 5))


def test_a_log_is_a_log(node):
    node.answers["eth_getLogs"] = [LOG]
    (found,) = Chain.connect(node.url).logs(LOG["address"], 0, 5)
    assert found["blockNumber"] == 5
