import pytest
from ape import reverts

from tests.contracts.table.match import NOBODY, STAKE, Phase


def test_joining_takes_the_next_seat(table, open_game, guest):
    match = open_game(seats=3, taken=1)
    receipt = table.join(match.id, value=STAKE, sender=guest)
    assert receipt.events == [table.SeatTaken(match.id, guest, 1, 0)]
    assert match.phase is Phase.OPEN
    assert table.balance == 2 * STAKE


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_last_seat_starts_the_draw(table, open_game, chain, seated, seats):
    match = open_game(seats, taken=seats - 1)
    receipt = table.join(match.id, value=STAKE, sender=seated[seats - 1])
    target = receipt.block_number + 2
    assert receipt.events == [table.SeatTaken(match.id, seated[seats - 1], seats - 1, target)]
    assert match.phase is Phase.DRAWING
    assert match.turn.mark == target
    assert match.turn.deadline == 0  # no clock runs


@pytest.mark.parametrize("given", [0, STAKE - 1, STAKE + 1])
def test_every_seat_pays_the_same(table, open_game, guest, given):
    match = open_game(taken=1)
    with reverts(table.Table_WrongStake, id=match.id, given=given, expected=STAKE):
        table.join(match.id, value=given, sender=guest)


def test_nobody_takes_two_seats(table, open_game, host, guest):
    match = open_game(seats=3, taken=2)
    for player in (host, guest):
        with reverts(table.Table_AlreadySeated, id=match.id, account=player):
            table.join(match.id, value=STAKE, sender=player)


def test_a_challenge_is_for_one_account(table, open_game, guest, outsider):
    match = open_game(taken=1, opponent=guest)
    assert table.seatsOf(match.id).opponent == guest
    assert table.seatsOf(match.id).players == [*match.players, NOBODY]
    with reverts(table.Table_NotInvited, id=match.id, account=outsider, invited=guest):
        table.join(match.id, value=STAKE, sender=outsider)
    table.join(match.id, value=STAKE, sender=guest)
    assert match.phase is Phase.DRAWING
    assert table.seatsOf(match.id).opponent == NOBODY


def test_a_full_game_takes_nobody(table, open_game, third):
    match = open_game()
    with reverts(table.Table_WrongPhase, id=match.id, current=Phase.PLAYING, expected=Phase.OPEN):
        table.join(match.id, value=STAKE, sender=third)


def test_an_unknown_game(table, guest):
    for game_id in (0, 1, 2**200):
        with reverts(table.Table_UnknownGame, id=game_id):
            table.join(game_id, sender=guest)
    assert table.turnOf(7).phase == Phase.NONE
    assert table.seatsOf(7).players == []
    assert tuple(table.proofClockOf(7, 0)) == (0, False)
