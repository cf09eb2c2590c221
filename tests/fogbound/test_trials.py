"""What is tried out: known code a few at once, any other alone and in turn with what changes the chain."""

import asyncio

import pytest
from aiohttp import web

from fogbound import trials
from fogbound.jsonrpc import NodeError, RpcError
from fogbound.questions import Questions
from fogbound.trials import AT_ONCE, PRECISION, QUICK_GAS, SMALL_GAS, USUAL_GAS, least_gas
from tests.fogbound.stubs import KNOWN, SECONDS, Slow, ask, behind

UNKNOWN = "0x" + "42" * 20
TOO_BUSY = "too many calls are tried out; try again"


def tries(node, count, to=KNOWN, **more):
    """Tasks that try a call out; `number` tells them apart."""
    calls = [{"to": to, "number": number, **more} for number in range(count)]
    return [asyncio.create_task(ask(node, "eth_call", call)) for call in calls]


def test_few_are_tried_out_at_once_and_reads_pass_them():
    async def act(node):
        tried = tries(node, 5)
        await slow.is_asked(*range(AT_ONCE))
        assert await ask(node, "eth_blockNumber") == "0x"
        slow.let.set()
        assert await asyncio.gather(*tried) == ["0x"] * 5
        assert slow.asked == [*range(5)]

    slow = Slow()
    behind(slow, act)


@pytest.mark.parametrize("waiting", [(0, SECONDS), (9, 0.05)])
def test_who_cannot_wait_for_a_place_is_told(monkeypatch, waiting):
    monkeypatch.setattr(trials, "WAITING", waiting)

    async def act(node):
        tried = tries(node, 3)
        await slow.is_asked(*range(AT_ONCE))
        assert await tried[2] == TOO_BUSY
        slow.let.set()
        assert await asyncio.gather(*tried[:2]) == ["0x"] * 2

    slow = Slow()
    behind(slow, act)


def test_who_leaves_is_not_asked_for_and_frees_no_place_that_anvil_is_busy_with():
    async def act(node):
        tried = tries(node, 4)
        await slow.is_asked(*range(AT_ONCE))
        for each in tried[:3]:
            each.cancel()
        await slow.is_asked(*range(AT_ONCE))
        slow.let.set()
        assert await tried[3] == "0x"
        assert slow.asked == [0, 1, 3]

    slow = Slow()
    behind(slow, act)


@pytest.mark.parametrize(
    "call", [{"to": UNKNOWN}, {"to": None}, {"to": KNOWN, "overrides": True}, {"to": [KNOWN]}]
)
def test_attack_code_that_nobody_knows_runs_alone_and_in_turn(call):
    """Nothing is mined meanwhile, which anvil could not do anyway; known code is tried out all the same."""

    async def act(node):
        overrides = [{KNOWN: {"code": "0x00"}}] if call.pop("overrides", False) else []
        wanted = [{**call, "number": number} for number in range(3)]
        asked = [ask(node, "eth_call", each, "latest", *overrides) for each in wanted]
        tried = [asyncio.create_task(each) for each in asked]
        await slow.is_asked(0)
        assert node._turns.is_taken
        known = asyncio.create_task(ask(node, "eth_call", {"to": KNOWN, "number": "known"}))
        await slow.is_asked(0, "known")
        tried[0].cancel()
        tried[1].cancel()
        await slow.is_asked(0, "known")  # it is busy with the first still
        slow.let.set()
        assert await asyncio.gather(known, tried[2]) == ["0x"] * 2
        assert slow.asked == [0, "known", 2]
        assert not node._turns.is_taken

    slow = Slow()
    behind(slow, act)


def test_what_runs_for_little_gas_waits_for_no_turn():
    async def act(node):
        async with node._turns.turn(known=False):
            assert await ask(node, "eth_call", {"to": UNKNOWN, "gas": hex(SMALL_GAS)}) == "0x"

    slow = Slow()
    slow.let.set()
    behind(slow, act)


def test_attack_small_calls_of_unknown_code_take_no_place_of_known_code(monkeypatch):
    monkeypatch.setattr(trials, "WAITING", (0, SECONDS))

    async def act(node):
        strange = tries(node, 9, to=UNKNOWN, gas=hex(SMALL_GAS))
        await slow.is_asked(*range(AT_ONCE))
        assert await asyncio.gather(*strange[AT_ONCE:]) == [TOO_BUSY] * 7
        (known,) = tries(node, 1)
        await slow.is_asked(*range(AT_ONCE), 0)
        slow.let.set()
        assert await known == "0x"
        assert await asyncio.gather(*strange[:AT_ONCE]) == ["0x"] * AT_ONCE

    slow = Slow()
    behind(slow, act)


class Costly:
    """In anvil's place: a call that takes `gas`, and fails with less; what it was asked, with how much."""

    def __init__(self, gas):
        self.gas, self.asked = gas, []

    async def __call__(self, request):
        (call,) = await request.json()
        given = int(call["params"][0]["gas"], 16)
        self.asked.append((call["method"], given))
        if given < self.gas:
            error = {"code": -32003, "message": "Out of gas"}
            return web.json_response([{"id": call["id"], "error": error}])
        result = hex(self.gas) if call["method"] == "eth_estimateGas" else "0x"
        return web.json_response([{"id": call["id"], "result": result}])


@pytest.mark.parametrize(
    ("to", "gas", "quick"),
    [
        (KNOWN, 1_000_000, True),
        (KNOWN, QUICK_GAS + 1, False),
        (UNKNOWN, 21_000, True),
        (UNKNOWN, SMALL_GAS + 1, False),
        (None, 5_000_000, False),
        (UNKNOWN, USUAL_GAS, False),
    ],
)
def test_gas_is_estimated_run_by_run_where_a_run_takes_long(to, gas, quick):
    async def act(node):
        found = int(await ask(node, "eth_estimateGas", {"to": to}), 16)
        assert gas <= found <= gas + gas // PRECISION + 1

    costly = Costly(gas)
    behind(costly, act)
    assert costly.asked[0] == ("eth_estimateGas", QUICK_GAS if to is KNOWN else SMALL_GAS)
    assert {method for method, _ in costly.asked[1:]} == (set() if quick else {"eth_call"})
    assert len(costly.asked) <= 14


@pytest.mark.parametrize("given", [None, hex(50_000), hex(USUAL_GAS), hex(10**9)])
@pytest.mark.parametrize("to", [KNOWN, UNKNOWN])
def test_what_takes_more_gas_than_it_may_is_refused_in_the_nodes_words(to, given):
    async def act(node):
        assert await ask(node, "eth_estimateGas", {"to": to, "gas": given}) == "Out of gas"

    costly = Costly(20_000_000)
    behind(costly, act)
    assert len(costly.asked) <= 2


def test_an_estimate_does_not_take_a_busy_node_for_too_little_gas():
    async def run(gas):
        if gas < 1_000_000:
            raise RpcError(-32603, "the node ended over that; it is not asked again")

    with pytest.raises(RpcError) as refused:
        asyncio.run(least_gas(run, 10_000_000))
    assert not isinstance(refused.value, NodeError)


def test_time_is_that_of_now_only_where_nothing_else_is_said(monkeypatch):
    asked = []

    async def answer(_questions, _method, *parameters, **_):
        asked.append(parameters[1:])

    async def act(node):
        monkeypatch.setattr(Questions, "ask", answer)
        for more in ([], ["latest"], ["pending"], ["0x1"], ["latest", {}, {"time": "0x1"}]):
            await ask(node, "eth_call", {"gas": 1}, *more)

    behind(Slow(), act)
    assert [more[0] for more in asked] == ["latest", "latest", "pending", "0x1", "latest"]
    assert ["time" in (more[2] if len(more) > 2 else ()) for more in asked] == [1, 1, 1, 0, 1]
