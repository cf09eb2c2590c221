"""Whose transaction waits, and whose does not."""

import asyncio
import errno
import os
import signal

import aiohttp
import pytest
from web3.utils import get_create_address

from fhevm.devchain import dev_accounts
from fogbound.anvil import KeptAnvil
from fogbound.journal import Journal
from fogbound.localnode import OF_ONE_SENDER, LocalNode
from fogbound.rawtransactions import RawTransaction
from fogbound.trials import SMALL_GAS
from tests.fogbound.served import raw_transfer
from tests.fogbound.stubs import SECONDS, ask

HOST, GUEST = dev_accounts()[1:3]


@pytest.fixture
def occupied(tmp_path):
    """Runs what is given at a node whose turn another has, with what gives that turn back."""

    def run(act):
        async def main():
            async with aiohttp.ClientSession() as http:
                node = LocalNode(KeptAnvil(tmp_path / "chain", tmp_path / "anvil.log"), http)
                await node.start()
                held = node._turns.turn(known=True)
                await held.__aenter__()
                await asyncio.wait_for(act(node, lambda: held.__aexit__(None, None, None)), SECONDS)
                await node.stop()

        asyncio.run(main())

    return run


async def send(node, raw):
    """The hash, or in which words it is refused."""
    call = {"jsonrpc": "2.0", "id": 1, "method": "eth_sendRawTransaction", "params": [raw]}
    answer = await node.answer(call)
    return answer.get("result") or answer["error"]["message"]


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (raw_transfer(1), "nonce too high: next nonce 0, tx nonce 1"),
        (raw_transfer(0, 10**30), "Insufficient funds for gas * price + value"),
    ],
)
def test_what_cannot_be_mined_waits_for_no_turn(occupied, raw, words):
    async def act(node, give_back):
        assert await send(node, raw) == words
        await give_back()

    occupied(act)


def test_one_account_leaves_room_for_the_others(occupied):
    """Of its transactions with one nonce some wait, and one is mined; the others are refused."""

    async def act(node, give_back):
        raws = [raw_transfer(0, value, sender=HOST) for value in range(OF_ONE_SENDER + 2)]
        sending = [asyncio.create_task(send(node, raw)) for raw in raws]
        while sum(each.done() for each in sending) < 2:
            await asyncio.sleep(0.01)
        refused = [each.result() for each in sending if each.done()]
        assert refused == ["too many transactions wait; try again"] * 2
        other = asyncio.create_task(send(node, raw_transfer(0, sender=GUEST)))
        await give_back()
        assert (await other).startswith("0x")
        answers = [await each for each in sending if await each not in refused]
        mined = [each for each in answers if each.startswith("0x")]
        assert len(mined) == 1
        assert {*answers} - {*mined} == {"nonce too low: next nonce 1, tx nonce 0"}

    occupied(act)


def test_an_account_may_send_again_once_its_own_are_through(occupied):
    async def act(node, give_back):
        await give_back()
        for nonce in range(2 * OF_ONE_SENDER):
            assert (await send(node, raw_transfer(nonce, sender=HOST))).startswith("0x")

    occupied(act)


def test_what_was_sent_is_mined_even_where_its_sender_leaves(occupied):
    async def act(node, give_back):
        sending = asyncio.create_task(send(node, raw_transfer(0, sender=HOST)))
        while not node._turns._known:
            await asyncio.sleep(0.01)
        sending.cancel()
        await give_back()
        while await ask(node, "eth_blockNumber") != "0x1":
            await asyncio.sleep(0.01)

    occupied(act)


def test_a_block_that_came_out_empty_is_said(occupied):
    async def act(node, give_back):
        await give_back()
        mine = node._anvil.mine
        node._anvil.mine = lambda _transactions, **_: mine()
        words = "the transaction could not be mined and is forgotten; its block is empty"
        assert await send(node, raw_transfer(0)) == words

    occupied(act)


def test_a_node_that_dies_in_somebodys_turn_is_started_again_meanwhile(occupied):
    """They may be asking it something until it answers."""

    async def act(node, give_back):
        keeping = asyncio.create_task(node.keep_alive())
        os.kill(node._anvil._running.pid, signal.SIGKILL)
        assert await ask(node, "eth_blockNumber") == "0x0"
        assert node._turns.is_taken
        await give_back()
        assert (await send(node, raw_transfer(0))).startswith("0x")
        keeping.cancel()

    occupied(act)


def test_a_full_disk_is_said_and_nothing_is_mined(occupied, monkeypatch):
    def refuse(_journal, _entry):
        raise OSError(errno.ENOSPC, "No space left on device")

    async def act(node, give_back):
        await give_back()
        with monkeypatch.context() as full:
            full.setattr(Journal, "_append", refuse)
            words = "the chain cannot be written: No space left on device"
            assert await send(node, raw_transfer(0)) == words
            assert await ask(node, "evm_mine") == words
        assert await ask(node, "eth_blockNumber") == "0x0"
        assert (await send(node, raw_transfer(0))).startswith("0x")

    occupied(act)


def call_of(address, gas=10**6):
    """A guest's call, as the node reads it."""
    return RawTransaction.parse(raw_transfer(0, 0, sender=GUEST, to=address, gas=gas))


def test_what_the_operator_deployed_goes_first_also_after_a_restart(occupied):
    operator = dev_accounts()[0]
    games = get_create_address(operator.address, 0)
    others = get_create_address(HOST.address, 0)

    async def act(node, give_back):
        await give_back()
        assert not node._is_known(call_of(games))
        for account in (operator, HOST):
            creation = raw_transfer(0, 0, sender=account, to=None, data="0x00", gas=10**6)
            assert (await send(node, creation)).startswith("0x")
        check(node)

    async def act_again(node, give_back):
        await give_back()
        check(node)

    def check(node):
        assert node._is_known(call_of(games))
        assert not node._is_known(call_of(others))
        assert node._is_known(call_of(others, gas=SMALL_GAS))
        creation = raw_transfer(1, 0, sender=operator, to=None, data="0x00", gas=10**6)
        assert node._is_known(RawTransaction.parse(creation))

    occupied(act)
    occupied(act_again)


def test_whoever_asks_is_advised_to_pay_where_many_wait(occupied):
    """Both ways to ask for a price tell it."""

    async def act(node, give_back):
        usual = int(await ask(node, "eth_maxPriorityFeePerGas"), 16)
        waiting = [asyncio.create_task(have_a_turn(node)) for _ in range(3)]
        await asyncio.sleep(0.1)
        for method in ("eth_maxPriorityFeePerGas", "eth_gasPrice"):
            assert int(await ask(node, method), 16) > 10**15 > usual
        await give_back()
        await asyncio.gather(*waiting)

    async def have_a_turn(node):
        async with node._turns.turn(known=True, tip=10**15):
            pass

    occupied(act)
