"""The local chain's process: whose transaction is mined, when, at which price and time; who is told."""

import json
import socket
import stat
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
import requests
import rlp
from eth_account import Account
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from fhevm.heads import TOKEN_HEADER, Heads, heads_token_file
from fogbound.chain import Chain
from fogbound.jsonrpc import MAX_BATCH
from fogbound.localnode import FEE_BLOCKS, FEE_PERCENTILES
from fogbound.rawtransactions import MAX_GAS
from fogbound.subscriptions import CONNECTIONS, SUBSCRIPTIONS
from fogbound.trials import UNKNOWN_GAS
from tests.fogbound.served import ServedChain, raw_transfer

LOOP = "0x5b600056"  # jumps in a circle for as long as there is gas
TIME = "0x425f5260205ff3"  # gives back the block's time


@pytest.fixture(scope="module")
def node(tmp_path_factory):
    """One chain for all that leave no trace but blocks."""
    node = ServedChain(tmp_path_factory.mktemp("node"))
    node.start()
    yield node
    node.process.stop()


def burner(nonce, sender, gas=MAX_GAS):
    """A transaction that uses all its gas."""
    return raw_transfer(nonce, 0, sender=sender, gas=gas, data=LOOP, to=None)


def refusal(node, raw):
    """In which words a transaction is refused; nothing is mined."""
    before = node.newest()
    words = node.call("eth_sendRawTransaction", raw)["error"]["message"]
    assert node.newest() == before
    return words


def is_mined(node, raw):
    """Whether a transaction is mined when it is sent, alone in the next block."""
    before = int(node.newest()["number"], 16)
    sent = node.call("eth_sendRawTransaction", raw).get("result")
    newest = node.newest()
    return (newest["transactions"], int(newest["number"], 16)) == ([sent], before + 1)


# -- one transaction, that one, now ------------------------------------------------------------------


def test_a_future_nonce_is_refused_and_never_comes_back(node, host):
    following = node.nonce(host)
    words = f"nonce too high: next nonce {following}, tx nonce {following + 1}"
    assert refusal(node, raw_transfer(following + 1)) == words
    assert is_mined(node, raw_transfer(following))
    for block in ("latest", "pending"):
        found = node.call("eth_getTransactionCount", host.address, block)["result"]
        assert int(found, 16) == following + 1


def test_a_nonce_that_was_used_is_refused(node, host):
    used = node.nonce(host)
    assert is_mined(node, raw_transfer(used))
    words = f"nonce too low: next nonce {used + 1}, tx nonce {used}"
    assert refusal(node, raw_transfer(used, 2)) == words


def test_a_transaction_sent_twice_is_answered_with_its_hash(node, host):
    raw = raw_transfer(node.nonce(host))
    assert is_mined(node, raw)
    newest = node.newest()
    assert [node.call("eth_sendRawTransaction", raw)["result"]] == newest["transactions"]
    assert node.newest() == newest


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"gas": MAX_GAS + 1}, "transaction gas limit too high"),
        ({"gas": 20_000}, "intrinsic gas too low: have 20000, want 21000"),
        ({"gas": 21_019, "data": "0x0001"}, "intrinsic gas too low: have 21019, want 21020"),
        ({"gas": 53_017, "data": "0x5f", "to": None}, "too low: have 53017, want 53018"),
        ({"gas": MAX_GAS, "data": "0x" + "00" * 49_153, "to": None}, "max initcode size exceeded"),
        ({"gasPrice": 6}, "max fee per gas less than block base fee"),
        ({"value": 10**30}, "Insufficient funds"),
        ({"chainId": 1}, "invalid chain id for signer"),
        ({"chainId": None}, "only replay-protected"),
    ],
)
def test_what_no_block_can_hold_is_refused_and_leaves_the_account_free(node, host, changes, words):
    assert words in refusal(node, raw_transfer(node.nonce(host), **changes))
    assert is_mined(node, raw_transfer(node.nonce(host)))


NO_TRANSACTIONS = {
    "nothing": ("0x", "not a signed transaction"),
    "blobs": ("0x03c0", "transaction type 3 not supported"),
    "set code": ("0x04c0", "transaction type 4 not supported"),
    "unknown type": ("0x7fc0", "transaction type 127 not supported"),
    "no fields": ("0x02c0", "not a signed transaction"),
    "cut off": ("0xf8", "not a signed transaction"),
    "nested": ("0x" + "c1" * 60_000, "not a signed transaction"),
    "oversized": ("0x" + "00" * 140_000, "oversized data"),
    "no hexadecimal": ("0xzz", "one raw transaction is expected"),
    "no prefix": ("02c0", "one raw transaction is expected"),
    "number": (7, "one raw transaction is expected"),
    "null": (None, "one raw transaction is expected"),
    "list": ([], "one raw transaction is expected"),
    "object": ({}, "one raw transaction is expected"),
}


@pytest.mark.parametrize(("raw", "words"), NO_TRANSACTIONS.values(), ids=NO_TRANSACTIONS)
def test_what_is_no_transaction_is_refused(node, raw, words):
    assert words in refusal(node, raw)


def test_a_signature_of_nobody_is_refused(node, host):
    fields = rlp.decode(bytes.fromhex(raw_transfer(node.nonce(host))[2:]))
    nobody = rlp.encode([*fields[:-2], b"\1" * 33, b"\1"])
    assert "invalid sender" in refusal(node, "0x" + nobody.hex())


ONE_KEY = ({"address": "0x" + "11" * 20, "storageKeys": ["0x" + "22" * 32]},)
JUST_ENOUGH = {
    "data": {"gas": 21_020, "data": "0x0001"},
    "creation": {"gas": 53_018, "data": "0x5f", "to": None},
    "access list": {"gas": 25_300, "accessList": ONE_KEY},
    "type 2": {"gasPrice": None, "maxFeePerGas": 10**9, "maxPriorityFeePerGas": 1, "gas": 25_300}
    | {"accessList": ONE_KEY},
}


@pytest.mark.parametrize("changes", JUST_ENOUGH.values(), ids=JUST_ENOUGH)
def test_the_gas_that_is_paid_before_anything_runs(node, host, changes):
    following = node.nonce(host)
    less = raw_transfer(following, 0, **{**changes, "gas": changes["gas"] - 1})
    assert "intrinsic gas too low" in refusal(node, less)
    assert is_mined(node, raw_transfer(following, 0, **changes))


def with_number(raw, place, number, kind=0):
    """The transaction with another number in this place of its list."""
    fields = rlp.decode(bytes.fromhex(raw[2:])[1 if kind else 0 :])
    fields[place] = number
    return "0x" + (bytes([kind] if kind else []) + rlp.encode(fields)).hex()


@pytest.mark.parametrize("length", [33, 2_000, 60_000])
@pytest.mark.parametrize(
    ("changes", "kind", "places"),
    [
        ({}, 0, (0, 1, 2, 4, 6, 7, 8)),
        ({"accessList": []}, 1, (0, 1, 2, 3, 5, 8, 9, 10)),
        (
            {"gasPrice": None, "maxFeePerGas": 9, "maxPriorityFeePerGas": 1},
            2,
            (0, 1, 2, 3, 4, 6, 9, 10, 11),
        ),
    ],
)
def test_a_number_of_thousands_of_bytes_is_refused(node, host, changes, kind, places, length):
    raw = raw_transfer(node.nonce(host), **changes)
    for place in places:
        assert refusal(node, with_number(raw, place, b"\1" + bytes(length - 1), kind))


@pytest.mark.parametrize("place", [0, 2])
def test_no_nonce_or_gas_has_more_than_eight_bytes(node, host, place):
    raw = with_number(raw_transfer(node.nonce(host)), place, b"\1" * 9)
    assert refusal(node, raw) == "not a signed transaction: a number is too long"


def test_attack_moves_kept_out_of_the_chain(node, guest, outsider):
    """Ten times the gas burners that once filled 240 blocks: none waits, and nothing is dearer for them."""
    following = node.nonce(outsider)
    ahead = burner(following + 1, outsider)
    calls = [{"id": n, "method": "eth_sendRawTransaction", "params": [ahead]} for n in range(100)]
    for _ in range(24):
        answers = requests.post(node.url, json=calls, timeout=60).json()
        assert all("nonce too high" in each["error"]["message"] for each in answers)
    for nonce in range(following, following + 20):
        assert is_mined(node, burner(nonce, outsider))
    assert node.newest()["baseFeePerGas"] == "0x7"
    assert is_mined(node, raw_transfer(node.nonce(guest), sender=guest, gasPrice=7))


def test_a_move_goes_before_the_gas_burners_that_wait(node, guest):
    """Of forty accounts' burners that came first, only a few are mined before it."""
    crowd = [Account.create() for _ in range(40)]
    for number, each in enumerate(crowd):
        funds = raw_transfer(node.nonce(guest), 10**18, sender=guest, to=each.address)
        assert is_mined(node, funds), number
    first = int(node.newest()["number"], 16)
    with ThreadPoolExecutor(41) as pool:
        burning = [
            pool.submit(node.call, "eth_sendRawTransaction", burner(0, each)) for each in crowd
        ]
        while int(node.newest()["number"], 16) == first:
            pass
        sent = node.call("eth_sendRawTransaction", raw_transfer(node.nonce(guest), sender=guest))
        burners = [each.result()["result"] for each in burning]
    places = {
        tx: int(node.call("eth_getTransactionReceipt", tx)["result"]["blockNumber"], 16)
        for tx in [sent["result"], *burners]
    }
    assert sum(place > places[sent["result"]] for place in places.values()) >= 20


# -- time --------------------------------------------------------------------------------------------


def test_the_chain_is_never_ahead_of_the_clock(node, host):
    for _ in range(20):
        assert is_mined(node, raw_transfer(node.nonce(host)))
    node.call("anvil_mine", "0x20")
    assert int(node.newest()["timestamp"], 16) <= time.time()


@pytest.mark.parametrize("block", [[], ["latest"], ["pending"], [None]])
def test_what_is_tried_out_sees_the_time_of_now(node, block):
    node.call("evm_mine")
    newest = node.newest()
    mined = int(newest["timestamp"], 16)
    while int(time.time()) == mined:
        time.sleep(0.05)
    seen = int(node.call("eth_call", {"data": TIME}, *block)["result"], 16)
    assert mined < seen <= time.time()
    assert mined < int(
        node.call("eth_getBlockByNumber", "pending", False)["result"]["timestamp"], 16
    )
    then = node.call("eth_call", {"data": TIME}, newest["number"])["result"]
    assert int(then, 16) == mined


# -- odd requests ------------------------------------------------------------------------------------

ODD = [None, True, 0, -1, 1.5, 1e999, "", "0x", "x" * 1000, [], [[]], {}, {"a": 1}, [1] * 5]


@pytest.mark.parametrize("method", ["eth_call", "eth_sendRawTransaction", "anvil_mine", "eth_x"])
def test_odd_parameters_are_answered_as_json_rpc(node, method):
    bodies = [{"id": 1, "method": method, "params": each} for each in ODD]
    bodies += [{"id": 1, "method": method, "params": [each]} for each in ODD if each != 0]
    for body in bodies:
        answer = requests.post(node.url, data=json.dumps(body), timeout=10)
        assert answer.status_code == 200
        assert answer.json().keys() & {"error", "result"}


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", -32700),
        (b"\xff", -32700),
        (b"[" * 10_000, -32700),
        (b"[" * 100_000, -32600),
        (b'{"id": 1, "method": "eth_chainId", "junk": [%s]}' % b",".join([b"[]"] * 20_000), -32600),
        (b'{"id": NaN}', -32700),
        (b"[]", -32600),
        (b"7", -32600),
        (b"null", -32600),
        (b'{"method": 5}', -32600),
        (b'{"method": "eth_chainId", "params": {}}', -32602),
        (b'{"method": "eth_subscribe", "params": ["newHeads"]}', -32601),
    ],
)
def test_what_is_no_call_is_answered_with_an_error(node, body, code):
    assert requests.post(node.url, data=body, timeout=10).json()["error"]["code"] == code


NOT_OFFERED = (
    "anvil_setBalance",
    "debug_traceCall",
    "eth_createAccessList",
    "eth_newBlockFilter",
    "eth_newFilter",
    "eth_sendTransaction",
    "eth_simulateV1",
    "evm_revert",
    "ots_traceTransaction",
    "trace_call",
)


@pytest.mark.parametrize("method", NOT_OFFERED)
def test_what_only_anvil_offers_is_not_passed_on(node, method):
    assert node.call(method, {})["error"] == {
        "code": -32601,
        "message": f"{method} is not offered by this chain",
    }


@pytest.mark.parametrize("method", ["eth_call", "eth_estimateGas"])
@pytest.mark.parametrize("gas", [None, 10**10, hex(10**10), hex(2**300), "0x0010000000000"])
def test_what_is_tried_out_ends_however_much_gas_it_names(node, method, gas):
    call = {"from": "0x" + "11" * 20, "data": LOOP, "gas": gas}
    assert "error" in node.call(method, call)
    seen = node.call("eth_call", {**call, "data": "0x5a5f5260205ff3"})["result"]  # the gas left
    assert int(seen, 16) < UNKNOWN_GAS


@pytest.mark.parametrize("gas", ["", "x", -1, [], {}, "-0x1", 1e999])
def test_odd_gas_is_refused(node, gas):
    answer = requests.post(
        node.url,
        data=json.dumps({"method": "eth_call", "params": [{"gas": gas}]}).replace(
            "Infinity", "1e999"
        ),
        timeout=10,
    ).json()
    assert answer["error"] == {"code": -32602, "message": "a quantity is expected: 0x…"}


def test_the_history_of_fees_is_bounded(node):
    node.call("anvil_mine", FEE_BLOCKS + 20)
    for count in (1000, "0x3e8", hex(2**64)):
        found = node.call("eth_feeHistory", count, "latest", [1] * FEE_PERCENTILES)["result"]
        assert len(found["gasUsedRatio"]) == FEE_BLOCKS
    for percentiles in ([1] * (FEE_PERCENTILES + 1), "0x", {}):
        refused = node.call("eth_feeHistory", 1, "latest", percentiles)["error"]
        assert refused["code"] == -32602


def test_for_who_has_left_nothing_goes_on(node):
    body = json.dumps({"id": 1, "method": "anvil_mine", "params": [1000]})
    with socket.create_connection(("127.0.0.1", node.port)) as leaving:
        head = f"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n"
        leaving.sendall(f"{head}{body}".encode())
    node.call("evm_mine")
    before = int(node.newest()["number"], 16)
    for _ in range(10):
        node.call("evm_mine")
    assert int(node.newest()["number"], 16) == before + 10


def test_a_batch_is_bounded(node):
    calls = [{"id": n, "method": "eth_chainId"} for n in range(MAX_BATCH + 1)]
    assert len(requests.post(node.url, json=calls[1:], timeout=10).json()) == MAX_BATCH
    answer = requests.post(node.url, json=calls, timeout=10).json()
    assert answer["error"]["message"] == f"a batch has 1 to {MAX_BATCH} calls"


def test_a_batch_is_answered_in_order_and_under_its_ids(node, host):
    calls = [
        {"id": "one", "method": "eth_chainId"},
        {"id": [1], "method": "eth_chainId"},
        7,
        {"id": 2, "method": "eth_sendRawTransaction", "params": [raw_transfer(node.nonce(host))]},
        {"id": 3, "method": "eth_blockNumber"},
    ]
    answers = requests.post(node.url, json=calls, timeout=10).json()
    assert [each["id"] for each in answers] == ["one", None, None, 2, 3]
    assert answers[4]["result"] == node.newest()["number"]


# -- who is told -------------------------------------------------------------------------------------


@pytest.fixture
def connection(node):
    with connect(node.socket_url, proxy=None) as connection:
        yield connection


def ask(connection, method, *parameters):
    """The result of a call over the connection, or its error."""
    connection.send(json.dumps({"id": 1, "method": method, "params": parameters}))
    answer = json.loads(connection.recv(10))
    return answer.get("result", answer.get("error"))


def told(connection):
    """The next notification: of which subscription, and what."""
    parameters = json.loads(connection.recv(10))["params"]
    return parameters["subscription"], parameters["result"]


def test_a_new_head_is_told_until_it_is_no_longer_wanted(node, connection, host):
    name = ask(connection, "eth_subscribe", "newHeads")
    assert is_mined(node, raw_transfer(node.nonce(host)))
    of, head = told(connection)
    assert (of, head["hash"]) == (name, node.newest()["hash"])
    assert ask(connection, "eth_unsubscribe", name) is True
    assert ask(connection, "eth_unsubscribe", name) is False
    node.call("evm_mine")
    assert ask(connection, "eth_blockNumber") == node.newest()["number"]


def test_logs_are_told_by_address_and_topic(node, connection, deployer, sample_artifact):
    chain = Chain.connect(node.url)
    made = chain.deploy(deployer, sample_artifact.abi, sample_artifact.bytecode, [])
    sample = chain.contract(made["contractAddress"], sample_artifact.abi)
    chain.transact(deployer, sample.functions.note(1))
    (topic,) = {
        log["topics"][0].to_0x_hex() for log in chain.logs(sample.address, 0, chain.block_number)
    }
    filters = [
        {"address": deployer.address},
        {"topics": ["0x" + "12" * 32]},
        {"topics": [topic, topic, topic, topic]},
        {"address": [deployer.address, sample.address], "topics": [[topic]]},
        {"address": sample.address, "topics": [None]},
    ]
    names = [ask(connection, "eth_subscribe", "logs", each) for each in filters]
    chain.transact(deployer, sample.functions.note(2))
    found = [told(connection) for _ in range(2)]
    assert [name for name, _ in found] == names[-2:]
    assert {int(log["data"], 16) for _, log in found} == {2}
    assert ask(connection, "eth_chainId") == "0x7a69"


@pytest.mark.parametrize(
    "parameters",
    [(), ("nothing",), ("logs", 7), ("logs", {"topics": 7}), ("logs", {"address": [7]}), ({},)],
)
def test_an_odd_subscription_is_refused(connection, parameters):
    assert ask(connection, "eth_subscribe", *parameters)["code"] == -32602


def test_subscriptions_are_bounded(connection):
    names = [ask(connection, "eth_subscribe", "newHeads") for _ in range(SUBSCRIPTIONS)]
    assert len(set(names)) == SUBSCRIPTIONS
    assert ask(connection, "eth_subscribe", "newHeads")["code"] == -32005


@pytest.fixture
def crowd(node):
    """As many strangers as may be subscribed."""
    with ExitStack() as closing:
        for _ in range(CONNECTIONS):
            stranger = closing.enter_context(connect(node.socket_url, proxy=None))
            ask(stranger, "eth_subscribe", "newHeads")
        yield


@pytest.mark.parametrize("token", [None, "", "ab" * 32, "\xff"])
def test_connections_are_bounded(node, crowd, token):
    shown = {} if token is None else {TOKEN_HEADER: token}
    with pytest.raises(InvalidStatus, match="503"):
        connect(node.socket_url, proxy=None, additional_headers=shown)


def test_attack_strangers_take_all_places(node, crowd):
    """A part of the stack is told of blocks all the same."""
    file = heads_token_file(node.data)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    heads, other = (Heads(node.url, pause=1e9, token=each) for each in (file, None))
    until = time.monotonic() + 30
    while not heads.is_told:
        assert time.monotonic() < until
        time.sleep(0.01)
    assert not other.is_told
    heads.close()
    other.close()


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Origin", "https://example.org"),
        ("Origin", "http://["),
        ("Origin", "http://[x]"),
        ("Origin", "null"),
        ("Origin", ""),
        ("Host", "example.org"),
        ("Host", "["),
        ("Host", "[localhost]"),
        ("Host", "]"),
    ],
)
def test_a_page_of_another_origin_gets_no_socket_and_no_answer(node, name, other):
    upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
    headers = {**upgrade, "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA=="}
    answer = requests.get(node.url, headers={**headers, name: other}, timeout=10)
    assert answer.status_code == 403
    answer = requests.post(
        node.url, json={"method": "eth_chainId"}, headers={name: other}, timeout=10
    )
    assert answer.status_code == 403


def send_for_ever(connection, message):
    while True:
        connection.send(message)


def test_who_does_not_read_is_cut_off_and_others_go_on(node):
    call = json.dumps({"id": 1, "method": "eth_getBlockByNumber", "params": ["0x0", True]})
    with connect(node.socket_url, proxy=None, max_queue=1) as deaf, pytest.raises(ConnectionClosed):
        send_for_ever(deaf, call)
    assert node.call("eth_chainId")["result"] == "0x7a69"


def test_heads_are_told_through_a_kill_of_the_node(node, connection):
    name = ask(connection, "eth_subscribe", "newHeads")
    node.kill_anvil()
    assert node.call("evm_mine")["result"] == "0x0"
    of, head = told(connection)
    assert (of, head["hash"]) == (name, node.newest()["hash"])
