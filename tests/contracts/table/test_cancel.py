from ape import reverts

from tests.contracts.table.match import STAKE, Phase, gains


def test_every_stake_goes_back(table, open_game, host, guest, third):
    match = open_game(seats=4, taken=3)
    receipts = []

    def cancel():
        receipts.append(table.cancel(match.id, sender=host))
        return receipts[0]

    assert gains(cancel, host, guest, third) == [STAKE] * 3
    assert receipts[0].events == [table.GameCancelled(match.id)]
    assert match.phase is Phase.CANCELLED
    assert table.balance == table.pool() == 0


def test_only_the_creator_cancels(table, open_game, guest, outsider, owner):
    match = open_game(seats=3, taken=2)
    for account in (guest, outsider, owner):
        with reverts(table.Table_NotCreator, id=match.id, account=account):
            table.cancel(match.id, sender=account)


def test_the_right_goes_with_seat_0(table, open_game, host, guest, third):
    match = open_game(seats=3, taken=2)
    table.leaveSeat(match.id, sender=host)
    for account in (host, guest):
        with reverts(table.Table_NotCreator, id=match.id, account=account):
            table.cancel(match.id, sender=account)
    table.join(match.id, value=STAKE, sender=third)
    table.cancel(match.id, sender=third)
    assert match.phase is Phase.CANCELLED


def test_nobody_cancels_once_the_seats_are_filled(table, open_game, host, guest, owner):
    drawing, playing = open_game(draw=False), open_game()
    for account in (host, guest, owner):
        for match in (drawing, playing):
            with reverts(table.Table_WrongPhase, id=match.id, expected=Phase.OPEN):
                table.cancel(match.id, sender=account)


def test_a_cancelled_game_stays_so(table, open_game, host, guest):
    match = open_game(taken=1)
    table.cancel(match.id, sender=host)
    for call in (
        lambda: table.cancel(match.id, sender=host),
        lambda: table.leaveSeat(match.id, sender=host),
        lambda: table.join(match.id, value=STAKE, sender=guest),
        lambda: table.settleDraw(match.id, sender=guest),
        lambda: table.resign(match.id, sender=host),
    ):
        with reverts(table.Table_WrongPhase, id=match.id, current=Phase.CANCELLED):
            call()
