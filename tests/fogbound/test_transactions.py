"""What is paid for coming first, and to whom a node's word is not enough."""

from types import SimpleNamespace

import pytest

from fhevm.devchain import dev_accounts
from fogbound.reverts import ErrorTable
from fogbound.transactions import TIP_SHARE, USUAL_TIP, Sender

ACCOUNT = dev_accounts()[1].address
GAS = 200_000


def tip(advised, balance, spent=0):
    """What is paid, in wei a gas."""
    eth = SimpleNamespace(max_priority_fee=advised, get_balance=lambda _: balance)
    sender = Sender(SimpleNamespace(eth=eth), 31337, ErrorTable("a node"))
    return sender._tip(ACCOUNT, GAS, spent)


@pytest.mark.parametrize("advised", [0, 1, 10**9, USUAL_TIP])
def test_what_is_usual_is_paid_as_it_is(advised):
    assert tip(advised, balance=USUAL_TIP * GAS) == advised


def test_who_has_little_pays_what_they_have():
    """Rather than not being able to move at all."""
    assert tip(USUAL_TIP, balance=10**15) == 10**15 // GAS
    assert tip(USUAL_TIP, balance=10**15, spent=9 * 10**14) == 10**14 // GAS
    assert tip(USUAL_TIP, balance=10**15, spent=10**16) == 0


def test_more_is_paid_where_money_is_plenty():
    assert tip(5 * USUAL_TIP, balance=10 * 10**18) == 5 * USUAL_TIP


@pytest.mark.parametrize("advised", [10**15, 10**18, 2**255])
def test_attack_a_node_that_lies(advised):
    balance = 10 * 10**18
    assert tip(advised, balance) * GAS <= balance // TIP_SHARE
    assert tip(advised, balance=10**17) == USUAL_TIP
