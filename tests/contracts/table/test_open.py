import pytest
from ape import reverts
from ape.exceptions import ContractLogicError

from tests.contracts.table.conftest import CLOCKS, CONTROLS
from tests.contracts.table.match import NOBODY, STAKE, Phase


def test_opening_takes_the_first_seat_and_the_stake(table, host):
    receipt = table.open(b"rules", 3, 0, NOBODY, value=STAKE, sender=host)
    assert table.GameOpened(1, host, NOBODY, 3, 0, STAKE, b"rules") in receipt.events
    assert len(receipt.events) == 1
    turn = table.turnOf(1)
    assert (turn.phase, turn.seats, turn.taken) == (Phase.OPEN, 3, 1)
    assert table.seatsOf(1).players == [host, NOBODY, NOBODY]
    assert table.seatsOf(1).stake == table.balance == STAKE


def test_a_stake_of_zero_is_allowed(table, host):
    table.open(b"", 2, 0, NOBODY, sender=host)
    assert table.turnOf(1).phase == Phase.OPEN


def test_ids_count_from_one(table, host):
    for expected in (1, 2, 3):
        table.open(b"", 2, 0, NOBODY, sender=host)
        assert table.gameCount() == expected


@pytest.mark.parametrize("seats", [0, 1, 5, 255])
def test_seats_out_of_range(table, host, seats):
    with reverts(table.Table_SeatsOutOfRange, seats=seats):
        table.open(b"", seats, 0, NOBODY, sender=host)


@pytest.mark.parametrize("seats", [3, 4])
def test_a_challenge_has_two_seats(table, host, guest, seats):
    with reverts(table.Table_SeatsOutOfRange, seats=seats):
        table.open(b"", seats, 0, guest, sender=host)


def test_nobody_challenges_themselves(table, host):
    with reverts(table.Table_OpponentIsSelf, account=host):
        table.open(b"", 2, 0, host, sender=host)


def test_a_stake_that_its_slot_cannot_hold(table, host):
    limit = 2**96 - 1
    host.balance = 2**97
    with reverts(table.Table_StakeTooLarge, stake=limit + 1, limit=limit):
        table.open(b"", 2, 0, NOBODY, value=limit + 1, sender=host)
    table.open(b"", 2, 0, NOBODY, value=limit, sender=host)
    assert table.seatsOf(1).stake == limit


@pytest.mark.parametrize("control", [0, 1])
def test_a_game_keeps_its_time_control(table, host, control):
    receipt = table.open(b"", 2, control, NOBODY, sender=host)
    assert receipt.events == [table.GameOpened(1, host, NOBODY, 2, control, 0, b"")]
    assert table.turnOf(1).control == control


@pytest.mark.parametrize("control", [2, 3, 4, 255])
def test_an_unknown_time_control(table, host, control):
    for call in (
        lambda: table.open(b"", 2, control, NOBODY, sender=host),
        lambda: table.quickMatch(b"", 2, control, sender=host),
    ):
        with reverts(table.Table_ControlOutOfRange, control=control, count=len(CONTROLS)):
            call()


def test_clocks_and_controls_are_fixed_at_deployment(table):
    assert tuple(table.clocks()) == CLOCKS
    assert [tuple(control) for control in table.timeControls()] == CONTROLS


def refused(project, owner, clocks, controls):
    """The name of the error that a deployment ends with."""
    with pytest.raises(ContractLogicError) as error:
        owner.deploy(project.Sandbox, owner, clocks, controls)
    return type(error.value).__name__


@pytest.mark.parametrize("clocks", [(0, 1, 30), (1, 0, 30), (1, 1, 29), (1, 1, 0)])
def test_clocks_that_are_too_short(project, owner, clocks):
    assert refused(project, owner, clocks, CONTROLS) == "Table_ClocksOutOfRange"


@pytest.mark.parametrize(
    "controls",
    [[], [(30, 0)] * 5, [(29, 0)], [(0, 0)], [(60, 4)], [(60, 255)], [(60, 3), (29, 3)]],
    ids=str,
)
def test_time_controls_out_of_range(project, owner, controls):
    assert refused(project, owner, CLOCKS, controls) == "Table_ControlsOutOfRange"


@pytest.mark.parametrize(
    "controls", [[(30, 0)], [(30, 3), (60, 0), (2**32 - 1, 3), (86_400, 1)]], ids=str
)
def test_the_bounds_themselves_are_allowed(project, owner, host, controls):
    longest = (2**32 - 1, 2**32 - 1, 2**32 - 1)
    for clocks in [(1, 1, 30), longest]:
        table = owner.deploy(project.Sandbox, owner, clocks, controls)
        assert tuple(table.clocks()) == clocks
        assert [tuple(control) for control in table.timeControls()] == controls
    with reverts(table.Table_ControlOutOfRange, control=len(controls), count=len(controls)):
        table.open(b"", 2, len(controls), NOBODY, sender=host)
