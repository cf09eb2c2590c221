import pytest
from ape import networks, reverts
from ape.exceptions import ContractLogicError

from tests.contracts.table.match import NOBODY, STAKE, Phase


def test_opening_takes_the_first_seat_and_the_stake(table, host):
    receipt = table.open(b"rules", 3, NOBODY, value=STAKE, sender=host)
    assert table.GameOpened(1, host, NOBODY, 3, STAKE, b"rules") in receipt.events
    assert len(receipt.events) == 1
    turn = table.turnOf(1)
    assert (turn.phase, turn.seats, turn.taken) == (Phase.OPEN, 3, 1)
    assert table.seatsOf(1).players == [host, NOBODY, NOBODY]
    assert table.seatsOf(1).stake == table.balance == STAKE


def test_a_stake_of_zero_is_allowed(table, host):
    table.open(b"", 2, NOBODY, sender=host)
    assert table.turnOf(1).phase == Phase.OPEN


def test_ids_count_from_one(table, host):
    for expected in (1, 2, 3):
        table.open(b"", 2, NOBODY, sender=host)
        assert table.gameCount() == expected


@pytest.mark.parametrize("seats", [0, 1, 5, 255])
def test_seats_out_of_range(table, host, seats):
    with reverts(table.Table_SeatsOutOfRange, seats=seats):
        table.open(b"", seats, NOBODY, sender=host)


@pytest.mark.parametrize("seats", [3, 4])
def test_a_challenge_has_two_seats(table, host, guest, seats):
    with reverts(table.Table_SeatsOutOfRange, seats=seats):
        table.open(b"", seats, guest, sender=host)


def test_nobody_challenges_himself(table, host):
    with reverts(table.Table_OpponentIsSelf, account=host):
        table.open(b"", 2, host, sender=host)


def test_a_stake_that_its_slot_cannot_hold(project, accounts):
    limit = 2**96 - 1
    with networks.parse_network_choice("ethereum:local:foundry"):
        host = accounts[1]
        table = host.deploy(project.Sandbox, host, (20, 30, 10))
        host.balance = 2**97
        with reverts(table.Table_StakeTooLarge, stake=limit + 1, limit=limit):
            table.open(b"", 2, NOBODY, value=limit + 1, sender=host)
        table.open(b"", 2, NOBODY, value=limit, sender=host)
        assert table.seatsOf(1).stake == limit


def test_clocks_are_fixed_at_deployment(project, table, owner):
    assert tuple(table.clocks()) == (20, 30, 10)
    for clocks in [(0, 1, 1), (1, 0, 1), (1, 1, 0)]:
        with pytest.raises(ContractLogicError) as error:
            owner.deploy(project.Sandbox, owner, clocks)
        assert type(error.value).__name__ == "Table_ClockZero"
