"""What of JSON-RPC goes on to the chain, and what comes back."""

import asyncio
import json
from contextlib import suppress

import httpx
import pytest
import rlp
from fastapi import FastAPI
from fastapi.testclient import TestClient

from fhevm.devchain import dev_accounts
from fogbound.contracts import Registry
from frontend.app.answers import answer_errors
from frontend.app.errors import TooManyRequests, UpstreamFailed
from frontend.app.network import Network
from frontend.app.rpc import (
    BATCH,
    GAS,
    METHODS,
    TRANSACTIONS,
    TRIED_SECONDS,
    Allowance,
    rpc_router,
)
from frontend.app.upstream import ANSWER_BYTES, Upstream

SECRET_URL = "http://node.invalid/v3/secret-key"
OFFERED = [  # spelled out, so that nothing more is offered by a slip
    "eth_blockNumber",
    "eth_call",
    "eth_chainId",
    "eth_estimateGas",
    "eth_feeHistory",
    "eth_gasPrice",
    "eth_getBalance",
    "eth_getBlockByHash",
    "eth_getBlockByNumber",
    "eth_getCode",
    "eth_getTransactionByHash",
    "eth_getTransactionCount",
    "eth_getTransactionReceipt",
    "eth_maxPriorityFeePerGas",
    "eth_sendRawTransaction",
    "net_version",
    "web3_clientVersion",
]
CALLS_PER_SECOND = 200.0
TRIED_OUT = ("eth_call", "eth_estimateGas")


def transaction_of(account, gas=21_000):
    fields = {"to": account.address, "value": 1, "gas": gas, "nonce": 0, "chainId": 31337}
    fields |= {"maxFeePerGas": 10**9, "maxPriorityFeePerGas": 1, "type": 2}
    return "0x" + account.sign_transaction(fields).raw_transaction.hex().removeprefix("0x")


HOST = dev_accounts()[1]
PLAIN = [each for each in OFFERED if each not in TRIED_OUT]
PARAMETERS = {
    "eth_sendRawTransaction": transaction_of(HOST),
    **{method: {"to": HOST.address, "data": "0x12", "gas": "0x5208"} for method in TRIED_OUT},
}
REFUSED = [
    "anvil_impersonateAccount",
    "anvil_mine",
    "anvil_setBalance",
    "debug_traceTransaction",
    "eth_getLogs",
    "eth_getStorageAt",
    "eth_subscribe",
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


@pytest.fixture
def node():
    return Node()


class Clock:
    """Stands still but for what a test does."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def ask(node, clock):
    network = Network(SECRET_URL, None, 31337, Registry())
    upstream = Upstream(lambda: network, httpx.MockTransport(node))
    app = FastAPI()
    app.include_router(rpc_router(upstream, CALLS_PER_SECOND, clock))
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
        pytest.param(b"[" * 10_000, -32700, id="deep"),
        pytest.param(b"[" * 100_000, -32600, id="too much"),
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


V = (2 * 31337 + 35).to_bytes(3)
HUGE = b"\x01" + bytes(2000)


@pytest.mark.parametrize(
    "transaction",
    [
        rlp.encode([b"", b"", b"", b"", b"", b"", HUGE, b"\x01", b"\x01"]),
        rlp.encode([b"", b"", HUGE, b"", b"", b"", V, b"\x01", b"\x01"]),
        rlp.encode([b"", b"", b"", b"", b"", b"", V, HUGE, b"\x01"]),
        b"\x01" + rlp.encode([HUGE, *[b""] * 6, [], b"\x01", b"\x01", b"\x01"]),
        b"\x02" + rlp.encode([HUGE, *[b""] * 7, [], b"\x01", b"\x01", b"\x01"]),
    ],
)
def test_numbers_without_end_are_no_transaction(ask, node, transaction):
    """Python does not write them out: it raises ValueError."""
    sending = call("eth_sendRawTransaction", "0x" + transaction.hex(), name=8)
    assert ask(sending).json()["error"]["code"] == -32003
    answered = ask([sending, call("eth_chainId", name=7)])
    assert answered.status_code == 200
    assert [each.get("error", {}).get("code") for each in answered.json()] == [-32003, None]
    assert node.methods == ["eth_chainId"]


@pytest.mark.parametrize(
    "parameters",
    [
        ("0x65", "latest", []),
        ("0x400", "latest"),
        ("0x" + "f" * 5000, "latest", []),
        (101, "latest", []),
        ("101", "latest", []),
        ([], "latest", []),
        ("0x1", "latest", [0] * 21),
        ("0x1", "latest", {"0": 0}),
        ("0x1", "latest", "0" * 21),
    ],
)
def test_a_fee_history_is_short(ask, node, parameters):
    """The node computes, and answers with, blocks times percentiles."""
    answered = ask([call("eth_feeHistory", *parameters), call("eth_chainId")]).json()
    assert [each.get("error", {}).get("code") for each in answered] == [-32602, None]
    assert node.methods == ["eth_chainId"]


@pytest.mark.parametrize(
    "parameters", [("0x64", "latest", [0] * 20), ("0x5", "latest"), ("0x5", "latest", None), ()]
)
def test_a_short_fee_history_is_answered(ask, node, parameters):
    assert ask(call("eth_feeHistory", *parameters)).json()["result"] == "eth_feeHistory"
    assert node.asked[0]["params"] == list(parameters)


@pytest.mark.parametrize("method", TRIED_OUT)
@pytest.mark.parametrize(
    ("given", "tried"),
    [
        ({"gas": "0x7fffffffffffffff"}, {"gas": hex(GAS)}),
        ({"gas": "0x5208"}, {"gas": "0x5208"}),
        ({}, {"gas": hex(GAS)}),
        ({"gas": 10**18}, {"gas": hex(GAS)}),
        ({"gas": None}, {"gas": hex(GAS)}),
        ({"gas": "0x" + "f" * 4000}, {"gas": hex(GAS)}),
        ({"gasLimit": "0x7fffffffffffffff"}, {"gas": hex(GAS)}),
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


@pytest.mark.parametrize("method", ["eth_getTransactionReceipt", "eth_call"])
def test_attack_answers_that_are_too_long_to_be_passed_on(ask, node, method):
    """They cost the node as much as others, and are counted as such."""
    long = "0x" + "0" * ANSWER_BYTES
    node.answers = lambda asked: httpx.Response(200, json={"id": 0, "result": long})
    for _ in range(3):
        assert ask(call(method, {"to": HOST.address})).status_code == 502
    assert ask(call("eth_chainId")).status_code == 429


def test_each_call_of_a_batch_is_counted(ask, node):
    batch = [call("eth_chainId")] * BATCH
    answered = [ask(batch) for _ in range(30)]
    refused = [each for each in answered if each.status_code == 429]
    assert refused
    assert refused[0].json()["error"]["code"] == "too_many_requests"
    assert int(refused[0].headers["retry-after"]) >= 1
    assert len(node.methods) == BATCH * (len(answered) - len(refused))


def test_nobody_keeps_the_chain_to_themselves(ask, node):
    """Each transaction is a block of the local chain."""
    sending = call("eth_sendRawTransaction", transaction_of(HOST))
    for _ in range(8):
        ask([sending] * 25)
        ask(sending)
    assert TRANSACTIONS - 25 < len(node.methods) < TRANSACTIONS + 20
    assert ask(call("eth_chainId")).status_code == 200


def test_exactly_this_is_offered():
    assert sorted(METHODS) == OFFERED


def answered_until_refused(ask, content):
    """How many of a hundred such requests were answered before the first that was too much."""
    for count in range(100):
        answer = ask(content)
        if answer.status_code == 429:
            assert answer.json()["error"]["code"] == "too_many_requests"
            return count
    return 100


def test_heavy_calls_cost_more_than_light_ones(ask):
    light = [call("eth_call", {"to": HOST.address, "gas": "0x5208"}, "latest")] * 5
    assert answered_until_refused(ask, light) > 50
    heavy = [call("eth_estimateGas", {"to": HOST.address, "gas": hex(GAS)})] * 5
    assert answered_until_refused(ask, heavy) < 50


RATE, BURST = TRIED_SECONDS


@pytest.mark.parametrize("method", TRIED_OUT)
def test_who_has_taken_the_chains_time_waits(ask, node, clock, method):
    """Some gas takes the node forty times as long as other."""

    def slowly(asked):
        clock.now += BURST + 10
        return node.echo(asked)

    node.answers = slowly
    trying = call(method, {"to": HOST.address, "gas": "0x5208"}, "latest")
    assert ask(trying).json()["result"] == method
    refused = ask(trying)
    assert (refused.status_code, refused.headers["retry-after"]) == (429, str(int(10 / RATE)))
    assert len(node.methods) == 1
    clock.now += 10 / RATE
    assert ask(trying).json()["result"] == method


def test_the_other_calls_of_a_batch_are_answered(ask, node, clock):
    def slowly(asked):
        clock.now += 0 if isinstance(asked, list) else BURST
        return node.echo(asked)

    node.answers = slowly
    trying = call("eth_call", {"to": HOST.address, "gas": "0x5208"}, "latest", name="tried")
    answered = ask([trying, call("eth_chainId"), *[trying] * 2, call("eth_gasPrice"), trying])
    codes = [each.get("error", {}).get("code") for each in answered.json()]
    assert (answered.status_code, codes) == (200, [None, None, None, -32005, None, -32005])
    assert [each["id"] for each in answered.json()] == ["tried", 1, "tried", "tried", 1, "tried"]
    assert node.methods == ["eth_chainId", "eth_gasPrice", "eth_call", "eth_call"]


def test_the_answers_of_a_batch_are_not_too_long_together(ask, node):
    half = "0x" + "0" * (ANSWER_BYTES // 2)
    node.answers = lambda asked: httpx.Response(200, json={"id": 0, "result": half})
    answered = ask([call("eth_call", {"to": HOST.address}, "latest")] * 5).json()
    assert [each.get("error", {}).get("code") for each in answered] == [None, None, *[-32005] * 3]
    assert node.methods == ["eth_call"] * 2


def test_the_time_of_one_client_is_not_that_of_another():
    asyncio.run(_spend_the_time_of_one())


async def _spend_the_time_of_one():
    clock = Clock()
    allowance = Allowance(1e6, clock)
    with suppress(UpstreamFailed):
        async with allowance.trying("one"):
            clock.now += BURST + 1
            raise UpstreamFailed
    with pytest.raises(TooManyRequests):
        await _try_out(allowance, "one")
    await _try_out(allowance, "another")


def test_one_client_leaves_a_place_at_the_chain():
    asyncio.run(_try_two_of_one_and_one_of_another())


async def _try_two_of_one_and_one_of_another():
    allowance = Allowance(1e6, Clock())
    async with allowance.trying("one"):
        second = asyncio.create_task(_try_out(allowance, "one"))
        await asyncio.sleep(0)
        await _try_out(allowance, "another")
        assert not second.done()
    await second


async def _try_out(allowance, client):
    async with allowance.trying(client):
        pass


def test_full_blocks_cost_more_than_moves(ask):
    assert answered_until_refused(ask, call("eth_sendRawTransaction", transaction_of(HOST))) > 50
    full = call("eth_sendRawTransaction", transaction_of(HOST, 30_000_000))
    assert answered_until_refused(ask, full) < 10


def test_long_answers_cost_more_than_short_ones():
    allowance = Allowance(1e6)
    allowance.take("one", [])
    for _ in range(20):
        allowance.charge("one", ANSWER_BYTES)
    with pytest.raises(TooManyRequests):
        allowance.take("one", [])
    allowance.take("another", [])
