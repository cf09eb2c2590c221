"""The soak's ledger agrees with a chain of real games, and notices a wei that is not where it should be."""

import pytest

from bunkerwar.game import GAME
from fhevm.devchain import dev_accounts
from fogbound.game import Phase
from fogbound.stack import LocalStack
from scripts.soaking.money import check_money
from scripts.soaking.report import Report

ETHER = 10**18
HOST, GUEST, OUTSIDER = dev_accounts()[1:4]


@pytest.fixture(scope="module")
def stack():
    """A game that was resigned, one cancelled, one that runs, with stakes."""
    with LocalStack("clear", games=[GAME]) as stack:
        host, guest = (stack.client(GAME, each) for each in (HOST, GUEST))
        ended, running = (
            host.open(2, 3, False, opponent=GUEST.address, stake=ETHER) for _ in range(2)
        )
        host.cancel(host.open(2, 3, False, stake=ETHER))
        for game_id in (ended, running):
            guest.join(game_id)
            host.wait_for(game_id, lambda game: game.phase is Phase.PLAYING)
        guest.resign(ended)
        host.authorize(OUTSIDER, stack.chain.now() + 1_000, gas_money=ETHER)
        yield stack


@pytest.fixture
def report():
    return Report(lambda _: None)


def test_every_balance_is_as_the_events_say(stack, report):
    table = stack.client(GAME, HOST)
    check_money(stack, [table], report)
    assert report.differences == []
    assert report.counts["balances"] >= len(dev_accounts()) + 1


def test_a_wei_too_much_is_a_difference(stack, report):
    table = stack.client(GAME, HOST)
    balance = stack.chain.balance(table.contract.address)
    _set_balance(stack, table.contract.address, balance + 1)
    check_money(stack, [table], report)
    _set_balance(stack, table.contract.address, balance)
    address = table.contract.address
    assert report.differences[0] == f"balance of {address}: {balance + 1}, not {balance}"
    assert [each.split(":")[0] for each in report.differences[1:]] == [
        "accounts + contracts + gas",
        f"stakes of {address}",
    ]


def _set_balance(stack, address, wei):
    stack.chain.web3.provider.make_request("anvil_setBalance", [address, hex(wei)])
