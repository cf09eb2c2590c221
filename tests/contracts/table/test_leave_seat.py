from ape import reverts

from tests.contracts.table.match import NOBODY, STAKE, Phase, gains


def test_leaving_takes_the_stake_along(table, open_game, guest):
    match = open_game(seats=3, taken=2)
    receipts = []

    def leave():
        receipts.append(table.leaveSeat(match.id, sender=guest))
        return receipts[0]

    assert gains(leave, guest) == [STAKE]
    assert receipts[0].events == [table.SeatLeft(match.id, guest, 1)]
    assert table.seatsOf(match.id).players == [match.players[0], NOBODY, NOBODY]
    assert table.balance == STAKE


def test_a_left_seat_is_taken_by_another(table, open_game, host, guest, third, fourth):
    match = open_game(seats=3, taken=2)
    table.leaveSeat(match.id, sender=host)
    table.join(match.id, value=STAKE, sender=third)
    assert table.seatsOf(match.id).players == [third, guest, NOBODY]
    table.join(match.id, value=STAKE, sender=fourth)
    assert match.phase is Phase.DRAWING
    assert table.balance == 3 * STAKE


def test_he_may_come_back(table, open_game, guest):
    match = open_game(seats=3, taken=2)
    table.leaveSeat(match.id, sender=guest)
    table.join(match.id, value=STAKE, sender=guest)
    assert table.seatsOf(match.id).players[1] == guest


def test_when_the_last_one_leaves_the_game_is_cancelled(table, open_game, host, guest):
    match = open_game(seats=3, taken=2)
    table.leaveSeat(match.id, sender=host)
    receipt = table.leaveSeat(match.id, sender=guest)
    assert receipt.events == [table.GameCancelled(match.id)]
    assert match.phase is Phase.CANCELLED
    assert table.balance == 0


def test_only_a_seated_player_leaves(table, open_game, guest, outsider):
    match = open_game(seats=3, taken=2)
    table.leaveSeat(match.id, sender=guest)
    for account in (guest, outsider):
        with reverts(table.Table_NotSeated, id=match.id, account=account):
            table.leaveSeat(match.id, sender=account)


def test_the_invited_is_not_seated(table, open_game, guest):
    match = open_game(taken=1, opponent=guest)
    with reverts(table.Table_NotSeated, id=match.id, account=guest):
        table.leaveSeat(match.id, sender=guest)


def test_nobody_leaves_once_the_seats_are_filled(table, open_game, host):
    match = open_game(draw=False)
    with reverts(table.Table_WrongPhase, id=match.id, current=Phase.DRAWING, expected=Phase.OPEN):
        table.leaveSeat(match.id, sender=host)
