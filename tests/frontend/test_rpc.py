"""What of JSON-RPC goes on to the chain, and what comes back."""

import json
import sys

import httpx
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from fhevm.devchain import dev_accounts
from fogbound.contracts import Registry
from frontend.app.answers import answer_errors
from frontend.app.network import Network
from frontend.app.rpc import BATCH, GAS, METHODS, TRANSACTIONS, TRIED_OUT, rpc_router
from frontend.app.upstream import ANSWER_BYTES, Upstream

SECRET_URL = "http://node.invalid/v3/secret-key"
OFFERED = sorted(METHODS)
CALLS_PER_SECOND = 200.0


def transaction_of(account):
    fields = {"to": account.address, "value": 1, "gas": 21_000, "nonce": 0, "chainId": 31337}
    fields |= {"maxFeePerGas": 10**9, "maxPriorityFeePerGas": 1, "type": 2}
    return "0x" + account.sign_transaction(fields).raw_transaction.hex().removeprefix("0x")


HOST = dev_accounts()[1]
PLAIN = [each for each in OFFERED if each not in TRIED_OUT]
PARAMETERS = {
    "eth_sendRawTransaction": transaction_of(HOST),
    **{method: {"to": HOST.address, "data": "0x12"} for method in TRIED_OUT},
}
REFUSED = [
    "anvil_impersonateAccount",
    "anvil_setBalance",
    "debug_traceTransaction",
    "eth_getLogs",
    "eth_newFilter",
    "eth_sendTransaction",
    "eth_sign",
    "evm_mine",
    "personal_unlockAccount",
    "ETH_CHAINID",
    "eth_chainId ",
    "",
]


class Node:
    """A chain's node that tells what it was asked; `answers` replaces what it says."""

    def __init__(self):
        self.asked, self.answers = [], self.echo

    def __call__(self, request):
        assert str(request.url) == SECRET_URL
        self.asked.append(json.loads(request.content))
        return self.answers(self.asked[-1])

    def echo(self, asked):
        answered = [
            {"jsonrpc": "2.0", "id": call["id"], "result": call["method"]}
            for call in (asked if isinstance(asked, list) else [asked])
        ]
        return httpx.Response(200, json=answered[::-1] if isinstance(asked, list) else answered[0])

    @property
    def methods(self):
        return [
            call["method"]
            for asked in self.asked
            for call in (asked if isinstance(asked, list) else [asked])
        ]


@pytest.fixture(autouse=True)
def usual_recursion():
    """As in the web app's process: py-evm, which other tests use, sets a limit that the stack cannot hold."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(1000)
    yield
    sys.setrecursionlimit(before)


@pytest.fixture
def node():
    return Node()


@pytest.fixture
def ask(node):
    network = Network(SECRET_URL, None, 31337, Registry())
    upstream = Upstream(lambda: network, httpx.MockTransport(node))
    app = FastAPI()
    app.include_router(rpc_router(upstream, CALLS_PER_SECOND))
    answer_errors(app)
    client = TestClient(app)

    def post(content):
        body = content if isinstance(content, bytes | str) else json.dumps(content)
        return client.post("/rpc", content=body)

    return post


def call(method, *params, name=1):
    return {"jsonrpc": "2.0", "id": name, "method": method, "params": list(params)}


@pytest.mark.parametrize("method", OFFERED)
def test_what_is_offered_goes_on(ask, node, method):
    parameter = PARAMETERS.get(method, "0x12")
    answered = ask(call(method, parameter, name="mine")).json()
    assert answered == {"jsonrpc": "2.0", "id": "mine", "result": method}
    assert node.asked == [{"jsonrpc": "2.0", "id": 0, "method": method, "params": [parameter]}]


@pytest.mark.parametrize("method", REFUSED)
def test_what_is_not_offered_does_not(ask, node, method):
    assert ask(call(method)).json()["error"]["code"] == -32601
    batch = ask([call("eth_chainId", name=7), call(method, name=8)]).json()
    assert [each.get("error", {}).get("code") for each in batch] == [None, -32601]
    assert node.methods == ["eth_chainId"]


def test_a_batch_is_answered_in_order_under_its_own_ids(ask):
    names = ["a", 5, None, "a"]
    asked = [call(method, name=name) for method, name in zip(PLAIN, names, strict=False)]
    answered = ask(asked).json()
    assert [each["id"] for each in answered] == names
    assert [each["result"] for each in answered] == PLAIN[:4]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", -32700),
        (b"{", -32700),
        (b"\xff\xfe", -32700),
        (b'{"id": NaN}', -32700),
        pytest.param(b"[" * 100_000, -32700, id="deep"),
        (b"[]", -32600),
        (b'"eth_chainId"', -32600),
        (b'{"method": ["eth_chainId"]}', -32600),
        (b'{"method": "eth_chainId", "params": {"a": 1}}', -32600),
        pytest.param(json.dumps([call("eth_chainId")] * (BATCH + 1)), -32600, id="long"),
    ],
)
def test_what_is_no_call_is_refused(ask, node, body, code):
    assert ask(body).json()["error"]["code"] == code
    assert node.asked == []


def test_nesting_is_no_way_to_break_it(ask):
    for depth in range(900, 1000, 7):
        body = b'{"method": "eth_call", "params": [{}, %s]}' % (b"[" * depth + b"]" * depth)
        assert ask(body).status_code == 200


def test_a_lone_surrogate_is_passed_on(ask, node):
    body = b'{"id": "\\ud800", "method": "eth_getCode", "params": ["\\udfff"]}'
    assert ask(body).status_code == 200
    assert node.asked[0]["params"] == ["\udfff"]


def test_nothing_else_of_a_call_is_passed_on(ask, node):
    ask(call("eth_chainId") | {"jsonrpc": "9", "secret": "x"})
    assert node.asked == [{"jsonrpc": "2.0", "id": 0, "method": "eth_chainId", "params": []}]


def test_an_error_of_the_node_is_passed_on(ask, node):
    error = {"code": 3, "message": "execution reverted", "data": "0x1234"}
    node.answers = lambda asked: httpx.Response(200, json={"id": 0, "error": error})
    assert ask(call("eth_call", {})).json()["error"] == error


@pytest.mark.parametrize(
    ("answers", "status"),
    [
        (lambda _: httpx.Response(500, text="<html>"), 502),
        (lambda _: httpx.Response(403, text=f"bad key for {SECRET_URL}"), 502),
        (lambda _: (_ for _ in ()).throw(httpx.ConnectError(f"no route to {SECRET_URL}")), 502),
        (lambda _: (_ for _ in ()).throw(httpx.ReadTimeout(f"{SECRET_URL} is slow")), 504),
    ],
)
def test_a_node_that_fails_is_told_without_its_address(ask, node, answers, status):
    node.answers = answers
    for asked in (call("eth_chainId"), [call("eth_chainId"), call("eth_gasPrice")]):
        refused = ask(asked)
        assert refused.status_code == status
        assert "error" in refused.text
        assert "secret" not in refused.text
        assert "invalid" not in refused.text


@pytest.mark.parametrize("answered", ["[]", "null", "7", '[{"id": true}]', '[{"id": [0]}]'])
def test_a_node_that_answers_something_else(ask, node, answered):
    node.answers = lambda asked: httpx.Response(200, text=answered)
    assert ask(call("eth_chainId")).json()["error"]["code"] == -32603


def test_nobody_sends_the_money_that_the_faucet_gives(ask, node):
    """The development keys are known to everybody."""
    deployer, host = dev_accounts()[:2]
    refused = ask([call("eth_sendRawTransaction", transaction_of(deployer))]).json()[0]
    assert refused["error"]["message"] == "that account is this server's"
    assert node.asked == []
    sent = ask(call("eth_sendRawTransaction", transaction_of(host))).json()
    assert sent["result"] == "eth_sendRawTransaction"


@pytest.mark.parametrize("ending", ["00", "c0ffee"])
def test_nor_by_what_only_the_node_reads(ask, node, ending):
    """anvil takes a transaction with anything behind it."""
    refused = ask(call("eth_sendRawTransaction", transaction_of(dev_accounts()[0]) + ending))
    assert refused.json()["error"]["code"] == -32003
    assert node.asked == []


@pytest.mark.parametrize("method", TRIED_OUT)
@pytest.mark.parametrize(
    ("given", "tried"),
    [
        ({"gas": "0x7fffffffffffffff"}, {"gas": hex(GAS)}),
        ({"gas": "0x5208"}, {"gas": "0x5208"}),
        ({"gas": 10**18}, {}),
        ({"gas": None}, {}),
        ({"gasLimit": "0x7fffffffffffffff"}, {}),
    ],
)
def test_nobody_has_the_node_compute_for_ever(ask, node, method, given, tried):
    """anvil tries a call out with whatever gas it is told to: an endless loop held it for years."""
    ask(call(method, {"data": "0x5b600056", **given}, "latest"))
    assert node.asked[0]["params"] == [{"data": "0x5b600056", **tried}, "latest"]


@pytest.mark.parametrize(
    "parameters", [(), ("0x12",), ({}, "latest", {HOST.address: {"code": "0x5b600056"}})]
)
def test_calls_are_tried_on_the_state_as_it_is(ask, node, parameters):
    assert ask(call("eth_call", *parameters)).json()["error"]["code"] == -32602
    assert node.asked == []


def test_an_answer_without_end_is_cut(ask, node):
    sent = []

    async def endless():
        while True:
            sent.append(1 << 20)
            yield b" " * sent[-1]

    node.answers = lambda asked: httpx.Response(200, content=endless())
    assert ask(call("eth_chainId")).status_code == 502
    assert sum(sent) <= ANSWER_BYTES + (2 << 20)


def test_each_call_of_a_batch_is_counted(ask, node):
    batch = [call("eth_chainId")] * BATCH
    answered = [ask(batch) for _ in range(30)]
    refused = [each for each in answered if each.status_code == 429]
    assert refused
    assert refused[0].json()["error"]["code"] == "too_many_requests"
    assert int(refused[0].headers["retry-after"]) >= 1
    assert len(node.methods) == BATCH * (len(answered) - len(refused))


def test_nobody_runs_the_clocks_of_others_down(ask, node):
    """Each transaction is a block of the local chain; a move has 240."""
    sending = call("eth_sendRawTransaction", transaction_of(HOST))
    for _ in range(8):
        ask([sending] * 25)
        ask(sending)
    assert TRANSACTIONS - 25 < len(node.methods) < TRANSACTIONS + 20
    assert ask(call("eth_chainId")).status_code == 200
