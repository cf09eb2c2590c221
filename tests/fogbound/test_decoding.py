"""Events and views are decoded as web3.py does it."""

import pytest

from bunkerwar.game import GAME
from fhevm.devchain import dev_accounts
from fogbound.errors import ChainRefused
from fogbound.stack import LocalStack
from fogbound.views import BATCH, View

HOST, GUEST = dev_accounts()[1:3]


@pytest.fixture(scope="module")
def stack():
    """A game that is open and one that has ended."""
    with LocalStack(games=[GAME]) as made:
        host, guest = (made.client(GAME, each) for each in (HOST, GUEST))
        host.open(2, 3, True, opponent=GUEST.address)
        game_id = host.open(4, 4, False, stake=1000)
        guest.join(game_id)
        guest.resign(game_id)
        yield made


@pytest.fixture
def contract(stack):
    return stack.registry.contract(stack.chain, GAME.contract)


def test_events_are_as_web3_gives_them(stack, contract):
    logs = list(stack.chain.logs(contract.address, 0, stack.chain.block_number))
    events = stack.history(GAME).events()
    assert {"GameOpened", "SeatTaken", "GameEnded"} <= {each.name for each in events}
    for event, log in zip(events, logs, strict=True):
        assert dict(contract.events[event.name]().process_log(log)["args"]) == event.arguments


@pytest.mark.parametrize("name", ["turnOf", "seatsOf"])
def test_views_are_as_web3_gives_them(stack, contract, name):
    block = stack.chain.block_number
    ids = [2, 1, 99, 2] * (BATCH // 3)
    found = View(stack.chain, contract, name).of(ids, block)
    one_by_one = {each: stack.chain.read(contract.functions[name](each)) for each in set(ids)}
    assert [listed(each) for each in found] == [listed(one_by_one[each]) for each in ids]


def test_views_as_of_an_earlier_block(stack, contract):
    before = View(stack.chain, contract, "turnOf").of([1, 2], contract_block(stack))
    assert [turn[0] for turn in before] == [0, 0]


def test_a_block_that_is_not_there(stack, contract):
    with pytest.raises(ChainRefused):
        View(stack.chain, contract, "turnOf").of([1], 10**6)


def listed(values):
    return [list(each) if isinstance(each, tuple) else each for each in values]


def contract_block(stack):
    return stack.registry.find(GAME.contract, stack.chain.chain_id).block
