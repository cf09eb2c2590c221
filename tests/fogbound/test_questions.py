"""What becomes of a question to which anvil gives no answer, or too long a one."""

from contextlib import nullcontext

import pytest
from aiohttp import web

from fogbound import localnode, questions
from fogbound.questions import ANYHOW_AGAIN
from tests.fogbound.stubs import KNOWN, Slow, ask, behind

FORGOTTEN = "the node ended over that; it is not asked again"


def deaths_over(method, *parameters, changing=False):
    """How often anvil was asked what ends it. `changing`: while somebody changes the chain."""
    asked = []

    async def die(request):
        asked.append(request)
        request.transport.abort()
        return web.Response()

    async def act(node):
        async with node._turns.turn(known=True) if changing else nullcontext():
            assert await ask(node, method, *parameters) == FORGOTTEN

    behind(die, act)
    return len(asked)


@pytest.mark.parametrize("method", ["eth_call", "eth_estimateGas", "eth_getLogs", "eth_getCode"])
def test_what_ends_the_node_is_asked_again_only_once(method):
    assert deaths_over(method, {"to": KNOWN}) == 2


def test_unknown_code_that_ends_the_node_is_not_run_again():
    assert deaths_over("eth_call", {"to": "0x"}) == 1


def test_the_death_of_a_node_that_mines_is_nobodys_fault_who_reads_but_not_for_ever():
    assert deaths_over("eth_getCode", changing=True) == 2 + ANYHOW_AGAIN


def test_an_anvil_that_does_not_answer_is_an_error(monkeypatch):
    async def act(node):
        monkeypatch.setattr(questions, "ANSWER_SECONDS", 0.1)
        assert await ask(node, "eth_call", {"to": KNOWN}) == "the node did not answer in time"
        assert await ask(node, "eth_blockNumber") == "0x"
        slow.let.set()

    slow = Slow()
    behind(slow, act)


def test_answers_are_bounded_in_bytes_over_a_batch(monkeypatch):
    """What comes after the one that was too long is not even asked."""
    asked = []

    async def answer(request):
        asked.append(await request.json())
        return web.json_response([{"id": 0, "result": "x" * 1000}])

    async def act(node):
        monkeypatch.setattr(localnode, "CLIENT_BYTES", 2500)
        calls = [{"id": each, "method": "eth_getCode", "params": []} for each in range(9)]
        answers = await node.answer(calls)
        assert [each["result"] for each in answers[:2]] == ["x" * 1000] * 2
        assert all(
            each["error"] == {"code": -32005, "message": "the answer is too long; ask for less"}
            for each in answers[2:]
        )
        assert len(asked) == 3
        assert await ask(node, "eth_chainId") == "x" * 1000

    behind(answer, act)
