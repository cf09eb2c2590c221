import pytest
from ape import reverts

from tests.contracts.table.match import NOBODY, STAKE, Phase


@pytest.fixture
def quick_match(table):
    """Factory: a quick match; the id of the game that it led to."""

    def quick_match(player, parameters=b"", seats=2, control=0, stake=STAKE):
        receipt = table.quickMatch(parameters, seats, control, value=stake, sender=player)
        (event,) = receipt.events
        return event.id

    return quick_match


def test_nobody_waits_so_it_opens(table, quick_match, host):
    assert quick_match(host) == 1
    assert table.turnOf(1).phase == Phase.OPEN
    assert table.seatsOf(1).players == [host, NOBODY]


def test_it_joins_the_longest_waiting(table, open_game, quick_match, guest, outsider):
    first, second = open_game(taken=1), open_game(taken=1)
    assert quick_match(guest) == first.id
    assert quick_match(outsider) == second.id
    assert table.turnOf(second.id).phase == Phase.DRAWING


@pytest.mark.parametrize(
    "other",
    [{"parameters": b"\x01"}, {"seats": 3}, {"stake": STAKE - 1}, {"control": 1}],
    ids=str,
)
def test_only_games_alike_match(open_game, quick_match, guest, other):
    match = open_game(taken=1)
    assert quick_match(guest, **other) != match.id
    assert quick_match(guest) == match.id


def test_attack_a_slow_game_for_who_wanted_a_fast_one(open_game, quick_match, guest, outsider):
    """Time controls never mix, whoever came first."""
    fast, slow = open_game(taken=1, control=0), open_game(taken=1, control=1)
    assert quick_match(guest, control=1) == slow.id
    assert quick_match(outsider, control=0) == fast.id


def test_never_the_callers_own(table, quick_match, host, guest, third):
    own = quick_match(host)
    behind = table.open(b"", 2, 0, NOBODY, value=STAKE, sender=guest).events[0].id
    assert quick_match(host) == behind
    assert quick_match(host) == 3  # opens, since only their own waits
    assert quick_match(third) == own


def test_a_game_of_many_seats_waits_until_it_is_full(quick_match, table, seated):
    assert [quick_match(player, seats=4) for player in seated] == [1, 1, 1, 1]
    assert table.turnOf(1).phase == Phase.DRAWING


def test_a_challenge_does_not_wait(open_game, quick_match, guest, outsider):
    match = open_game(taken=1, opponent=guest)
    assert quick_match(outsider) != match.id
    assert quick_match(guest) != match.id


@pytest.mark.parametrize("gone", [0, 1, 2], ids=["first", "middle", "last"])
@pytest.mark.parametrize("how", ["join", "cancel", "leaveSeat"])
def test_games_go_from_any_place_of_the_list(
    table, open_game, quick_match, host, guest, outsider, gone, how
):
    matches = [open_game(taken=1) for _ in range(3)]
    game_id = matches.pop(gone).id
    if how == "join":
        table.join(game_id, value=STAKE, sender=guest)
    else:
        getattr(table, how)(game_id, sender=host)
    late = open_game(taken=1)
    expected = [match.id for match in [*matches, late]]
    assert [quick_match(outsider) for _ in expected] == expected
    assert quick_match(outsider) == late.id + 1


def test_a_partly_left_game_keeps_its_place(table, open_game, quick_match, host, guest, outsider):
    first = open_game(seats=3, taken=2)
    open_game(seats=3, taken=1)
    table.leaveSeat(first.id, sender=host)
    assert quick_match(outsider, seats=3) == first.id


def test_attack_a_queue_stuffed_with_cancelled_games(table, open_game, host, guest):
    """The gas of the next call does not grow with games that were cancelled before it."""
    lone = open_game(taken=1)
    alone = table.quickMatch(b"", 2, 0, value=STAKE, sender=guest).gas_used
    assert table.turnOf(lone.id).phase == Phase.DRAWING
    for _ in range(30):
        match = open_game(taken=1, stake=0)
        table.cancel(match.id, sender=host)
    stuffed = open_game(taken=1, stake=0)
    receipt = table.quickMatch(b"", 2, 0, sender=guest)
    assert receipt.events == [table.SeatTaken(stuffed.id, guest, 1, receipt.block_number + 2)]
    assert receipt.gas_used <= alone


def test_a_wrong_number_of_seats_opens_nothing(table, host):
    with reverts(table.Table_SeatsOutOfRange, seats=5):
        table.quickMatch(b"", 5, 0, sender=host)
