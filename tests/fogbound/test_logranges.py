"""Logs are asked for a part at a time: no answer is longer than what one transaction, or block, can log."""

import asyncio
from itertools import pairwise

import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

from fogbound.gasused import LARGE_GAS, GasUsed
from fogbound.localnode import LARGE_AT_ONCE
from fogbound.logranges import parts
from fogbound.rawtransactions import MAX_GAS
from tests.fogbound.stubs import ask, behind

GAS = st.one_of(st.integers(0, MAX_GAS), st.sampled_from([0, 1, MAX_GAS - 1, MAX_GAS, 3 * MAX_GAS]))


@given(st.lists(GAS, min_size=1, max_size=40), st.integers(0, 10**6))
def test_parts_cover_every_block_once_and_take_little_each(gas, first):
    found = list(parts(gas, first))
    assert list(parts([], first)) == []
    covered = [block for begin, end in found for block in range(begin, end + 1)]
    assert covered == [*range(first, first + len(gas))]
    for begin, end in found:
        assert begin == end or sum(gas[begin - first : end + 1 - first]) <= MAX_GAS
    for (begin, _), (_, end) in pairwise(found):
        assert sum(gas[begin - first : end + 1 - first]) > MAX_GAS


class Logging:
    """In anvil's place: blocks of so much gas; which headers and ranges of logs, and how often the head, were
    asked.
    """

    def __init__(self, *gas):
        self.gas, self.headers, self.ranges, self.asked_for_head = gas, [], [], 0

    async def __call__(self, request):
        calls = await request.json()
        answers = [{"id": call["id"], "result": self._result(call)} for call in calls]
        return web.json_response(answers)

    def _result(self, call):
        if call["method"] == "eth_getLogs":
            (wanted,) = call["params"]
            found = wanted.get("fromBlock", "0x0"), wanted.get("toBlock", "0x0")
            self.ranges.append(tuple(int(each, 16) for each in found))
            return [{"of": self.ranges[-1], "address": wanted.get("address")}]
        if call["method"] == "eth_blockNumber":
            self.asked_for_head += 1
            return hex(len(self.gas) - 1)
        number = int(call["params"][0], 16)
        self.headers.append(number)
        return {"number": hex(number), "gasUsed": hex(self.gas[number])}


def ranges(node, wanted, known=None):
    """Which ranges are asked for what is wanted. `known`: the newest block that the server knows."""
    found = []

    async def act(local):
        del node.ranges[:]
        answer = await ask(local, "eth_getLogs", wanted)
        found.extend(answer if isinstance(answer, str) else node.ranges)

    behind(node, act, head=len(node.gas) - 1 if known is None else known)
    return found


@pytest.mark.parametrize(
    "last", [{}, {"toBlock": "latest"}, {"toBlock": "0x5"}, {"toBlock": "0x9"}]
)
def test_logs_of_a_block_that_has_just_been_mined_are_not_missed(last):
    """Whoever follows the chain may hear of it before the server has noted it."""
    assert ranges(Logging(*[5] * 6), {"fromBlock": "0x5", **last}, known=4) == [(5, 5)]


def test_attack_a_range_of_full_blocks():
    full = [MAX_GAS] * 9
    node = Logging(*full)
    assert ranges(node, {"fromBlock": "0x0"}) == [(number, number) for number in range(9)]
    assert node.headers == [*range(9)]


def test_blocks_of_little_gas_are_asked_for_at_one_go():
    node = Logging(*[1000] * 150)
    assert ranges(node, {"fromBlock": "earliest", "toBlock": hex(10**9)}) == [(0, 149)]
    assert node.headers == [*range(150)]


def test_headers_are_asked_for_once():
    node = Logging(*[1000] * 30)

    async def act(local):
        local._gas.note(7, gas=1000)  # as of what is mined
        for first in (10, 5, 10):
            await ask(local, "eth_getLogs", {"fromBlock": hex(first), "toBlock": hex(first + 9)})

    behind(node, act, head=29)
    assert sorted(node.headers) == [5, 6, *range(8, 20)]


def test_a_block_by_its_hash_is_asked_for_as_it_is():
    node = Logging(5)
    assert ranges(node, {"blockHash": "0x" + "11" * 32}) == [(0, 0)]


@pytest.mark.parametrize("large", ["range", "hash", "receipt", "receipts"])
def test_attack_many_large_answers_at_once(large):
    """Of those that may be large two are asked for; all others pass them."""
    going, let = [], asyncio.Event()
    transaction = "0x" + "ab" * 32

    async def answer(request):
        (call,) = await request.json()
        if call["method"] == "eth_blockNumber":
            return web.json_response([{"id": call["id"], "result": "0x2"}])
        if call["method"] != "eth_chainId":
            going.append(call["method"])
            await let.wait()
        return web.json_response([{"id": call["id"], "result": []}])

    async def act(local):
        local._gas.note(1, transaction, MAX_GAS)
        local._gas.note(2, "0x" + "cd" * 32, 100_000)
        calls = {
            "range": ("eth_getLogs", {"fromBlock": "0x1", "toBlock": "0x2"}),
            "hash": ("eth_getLogs", {"blockHash": "0x" + "11" * 32}),
            "receipt": ("eth_getTransactionReceipt", transaction.upper().replace("X", "x")),
            "receipts": ("eth_getBlockReceipts", "0x1"),
        }
        asked = [asyncio.create_task(ask(local, *calls[large])) for _ in range(5)]
        small = asyncio.create_task(ask(local, "eth_getTransactionReceipt", "0x" + "cd" * 32))
        little = asyncio.create_task(ask(local, "eth_getLogs", {"fromBlock": "0x2"}))
        assert await ask(local, "eth_chainId") == []
        while len(going) < LARGE_AT_ONCE + 2:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)
        assert len(going) == LARGE_AT_ONCE + 2
        let.set()
        assert await asyncio.gather(*asked, small, little) == [[]] * 7

    behind(answer, act, head=2)


def test_few_transactions_are_remembered_as_large(monkeypatch):
    monkeypatch.setattr("fogbound.gasused.MOST_LARGE", 3)
    gas = GasUsed(None)
    for number in range(5):
        gas.note(number, hex(number), LARGE_GAS + 1)
    assert [gas.was_large(hex(number)) for number in range(5)] == [False] * 2 + [True] * 3
    for odd in (None, 5, [], {}):
        assert not gas.was_large(odd)


def test_blocks_that_are_forgotten_are_asked_for_again(monkeypatch):
    monkeypatch.setattr("fogbound.gasused.MOST_BLOCKS", 3)
    node = Logging(*range(6))

    async def act(local):
        for _ in range(2):
            assert await local._gas.of(range(6)) == [*range(6)]
        assert len(local._gas._blocks) == 3
        assert node.headers == [*range(6), *range(3)]

    behind(node, act, head=5)


def test_up_to_a_block_that_is_known_nobody_asks_which_is_the_newest():
    node = Logging(*[5] * 6)
    assert ranges(node, {"fromBlock": "0x5", "toBlock": "0x5"}) == [(5, 5)]
    assert node.asked_for_head == 0
    assert ranges(node, {"fromBlock": "0x5", "toBlock": "0x6"}) == [(5, 5)]
    assert node.asked_for_head == 1


def test_a_range_that_is_empty_has_no_logs():
    node = Logging(*[5] * 9)
    assert ranges(node, {"fromBlock": "0x5", "toBlock": "0x4"}) == []
    assert ranges(node, {"fromBlock": "0x500"}) == []


def test_what_is_no_filter_is_refused():
    node = Logging(*[5] * 9)
    for odd in ("x", None, [], 7, [{}]):
        assert "".join(ranges(node, odd)) == "a filter is expected"
    for odd in ("x", "", -1, [], {}, "0x-1"):
        assert "".join(ranges(node, {"fromBlock": odd})) == "a quantity is expected: 0x…"
