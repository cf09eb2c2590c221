import pytest
from ape import reverts
from ape.exceptions import ContractLogicError

from tests.contracts.table.conftest import CLOCKS, CONTROLS
from tests.contracts.table.match import NOBODY, STAKE, Phase, gains, rake


@pytest.fixture
def refuser(project, keeper):
    """Refuses all money."""
    return keeper.deploy(project.Refuser)


@pytest.fixture
def reenterer(project, keeper):
    """Calls back when it is paid."""
    return keeper.deploy(project.Reenterer)


@pytest.mark.parametrize("kind", ["Refuser", "GasBurner"])
def test_a_refusing_receiver_blocks_no_ending(table, project, puppet_game, host, keeper, kind):
    puppet = keeper.deploy(project.get_contract(kind))
    match = puppet_game(puppet)
    prize = match.pot - rake(match.pot)
    receipt = table.resign(match.id, sender=host)
    assert receipt.events[-1] == table.PaymentCredited(match.id, puppet, prize)
    assert (match.phase, puppet.balance) == (Phase.ENDED, 0)
    assert table.creditOf(puppet) == prize
    assert receipt.gas_used < 250_000  # bounded, whatever the receiver does


def test_it_blocks_no_other_payment(table, puppet_game, refuser, host, keeper):
    match = puppet_game(refuser)
    table.offerDraw(match.id, 0, sender=host)
    accept = table.offerDraw.encode_input(match.id, 0)
    (gain,) = gains(lambda: refuser.act(table, accept, sender=keeper), host)
    assert gain == STAKE
    assert table.creditOf(refuser) == STAKE


def test_leaving_and_cancelling_credit_too(table, chain, refuser, keeper):
    opening = table.open.encode_input(b"", 2, 0, NOBODY)
    for call in (table.cancel, table.leaveSeat):
        refuser.act(table, opening, value=STAKE, sender=keeper)
        refuser.act(table, call.encode_input(table.gameCount()), sender=keeper)
    assert table.creditOf(refuser) == table.balance == 2 * STAKE


def test_withdraw_pays_the_credit_out(table, puppet_game, refuser, host, outsider, keeper):
    match = puppet_game(refuser)
    table.resign(match.id, sender=host)
    amount = table.creditOf(refuser)
    to_itself = table.withdraw.encode_input(refuser)
    with reverts(table.Table_PaymentRefused, to=refuser, amount=amount):
        refuser.act(table, to_itself, sender=keeper)
    assert table.creditOf(refuser) == amount
    elsewhere = table.withdraw.encode_input(outsider)
    (gain,) = gains(lambda: refuser.act(table, elsewhere, sender=keeper), outsider)
    assert gain == amount
    assert table.creditOf(refuser) == 0
    assert table.balance == table.pool() == rake(match.pot)


def test_nothing_to_withdraw(table, outsider):
    with reverts(table.Table_NothingToWithdraw, account=outsider):
        table.withdraw(outsider, sender=outsider)


def test_withdraw_is_logged(table, puppet_game, refuser, host, outsider, keeper):
    match = puppet_game(refuser)
    table.resign(match.id, sender=host)
    amount = table.creditOf(refuser)
    receipt = refuser.act(table, table.withdraw.encode_input(outsider), sender=keeper)
    assert receipt.events == [table.Withdrawn(refuser, outsider, amount)]


@pytest.mark.parametrize(
    "attempt",
    [
        lambda table, game_id, account: table.resign.encode_input(game_id),
        lambda table, game_id, account: table.offerDraw.encode_input(game_id, 0),
        lambda table, game_id, account: table.claimTimeout.encode_input(game_id),
        lambda table, game_id, account: table.cancel.encode_input(game_id),
        lambda table, game_id, account: table.leaveSeat.encode_input(game_id),
        lambda table, game_id, account: table.withdraw.encode_input(account),
        lambda table, game_id, account: table.withdrawPool.encode_input(account),
    ],
    ids=["resign", "offerDraw", "claimTimeout", "cancel", "leaveSeat", "withdraw", "withdrawPool"],
)
def test_a_reentering_receiver_gains_nothing(
    table, puppet_game, open_game, reenterer, host, keeper, attempt
):
    open_game()  # another game's stakes are there to be taken
    match = puppet_game(reenterer)
    reenterer.prepare(table, attempt(table, match.id, reenterer), sender=keeper)
    table.resign(match.id, sender=host)
    assert (reenterer.attempts(), reenterer.successes()) == (2, 1)  # both began at 1
    assert reenterer.balance == match.pot - rake(match.pot)
    assert table.balance == 2 * STAKE + table.pool()


def test_reentering_a_withdrawal(table, puppet_game, open_game, reenterer, refuser, host, keeper):
    open_game()  # another game's stakes are there to be taken
    match = puppet_game(refuser)
    table.resign(match.id, sender=host)
    amount = table.creditOf(refuser)
    again = table.withdraw.encode_input(reenterer)
    inner = refuser.act.encode_input(table, again)
    reenterer.prepare(refuser, inner, sender=keeper)
    refuser.act(table, again, sender=keeper)
    assert (reenterer.attempts(), reenterer.successes()) == (2, 1)
    assert reenterer.balance == amount
    assert table.balance == 2 * STAKE + table.pool()


def test_reentering_a_cancellation(table, reenterer, open_game, host, keeper):
    open_game()
    reenterer.act(table, table.open.encode_input(b"", 2, 0, NOBODY), value=STAKE, sender=keeper)
    again = table.cancel.encode_input(table.gameCount())
    reenterer.prepare(table, again, sender=keeper)
    reenterer.act(table, again, sender=keeper)
    assert (reenterer.attempts(), reenterer.successes()) == (2, 1)
    assert reenterer.balance == STAKE
    assert table.balance == 2 * STAKE


def test_reentering_by_the_pools_owner(project, chain, reenterer, host, guest, keeper):
    """Who may empty the pool still cannot take stakes with it."""
    table = keeper.deploy(project.Sandbox, reenterer, CLOCKS, CONTROLS)
    for game_id in (1, 2):
        table.open(b"", 2, 0, NOBODY, value=STAKE, sender=host)
        table.join(game_id, value=STAKE, sender=guest)
    table.resign(1, sender=host)
    again = table.withdrawPool.encode_input(reenterer)
    reenterer.prepare(table, again, sender=keeper)
    reenterer.act(table, again, sender=keeper)
    assert (reenterer.attempts(), reenterer.successes()) == (2, 1)
    assert reenterer.balance == rake(2 * STAKE)
    assert table.balance == 2 * STAKE


def test_an_ending_with_too_little_gas_credits_nobody(table, project, puppet_game, host, keeper):
    """A caller cannot starve the payment so that it fails and is credited instead."""
    puppet = keeper.deploy(project.Puppet)
    match = puppet_game(puppet)
    gas = table.resign.estimate_gas_cost(match.id, sender=host)
    outcomes = set()
    for limit in range(gas - 60_000, gas + 40_001, 5_000):
        snapshot = match.chain.snapshot()
        try:
            table.resign(match.id, gas_limit=limit, sender=host)
        except Exception as error:  # noqa: BLE001  (out of gas has many names)
            outcomes.add(type(error).__name__)
        else:
            outcomes.add("paid")
            assert table.creditOf(puppet) == 0
        match.chain.restore(snapshot)
    assert "paid" in outcomes
    assert len(outcomes) > 1


def test_the_pool_is_its_owners(table, open_game, owner, host, outsider):
    match = open_game()
    table.resign(match.id, sender=host)
    open_game()
    for account in (host, outsider):
        with reverts(table.Table_NotPoolOwner, account=account, owner=owner):
            table.withdrawPool(account, sender=account)
    receipts = []

    def withdraw():
        receipts.append(table.withdrawPool(outsider, sender=owner))
        return receipts[0]

    assert gains(withdraw, outsider) == [rake(match.pot)]
    assert receipts[0].events == [table.PoolWithdrawn(outsider, rake(match.pot))]
    assert table.poolOwner() == owner
    assert table.balance == 2 * STAKE  # nothing else
    with reverts(table.Table_NothingToWithdraw, account=owner):
        table.withdrawPool(owner, sender=owner)


def test_the_pool_is_not_lost_on_a_refuser(table, open_game, owner, host, refuser):
    match = open_game()
    table.resign(match.id, sender=host)
    with reverts(table.Table_PaymentRefused, to=refuser, amount=rake(match.pot)):
        table.withdrawPool(refuser, sender=owner)
    assert table.pool() == rake(match.pot)


def test_plain_ether_is_refused(table, outsider):
    with pytest.raises(ContractLogicError) as refusal:
        outsider.transfer(table, 1)
    assert (
        refusal.value.revert_message == "Transaction failed."
    )  # in no words: no function takes it
    assert table.balance == 0


def test_forced_ether_is_nobodys(table, project, open_game, owner, host, outsider):
    match = open_game()
    outsider.deploy(project.EtherForcer, table, value=12345)
    assert table.balance == match.pot + 12345
    table.resign(match.id, sender=host)
    table.withdrawPool(owner, sender=owner)
    assert table.balance == 12345
