import pytest
from ape import reverts

from tests.contracts.table.conftest import MOVE, NOTICE, WAIT
from tests.contracts.table.match import STAKE, Outcome, Phase, gains


def test_waiting_stops_the_clock(table, open_game, outsider):
    match = open_game()
    receipt = table.beginWait(match.id, sender=match.on_turn)
    assert (match.phase, match.turn.mark) == (Phase.WAITING, receipt.timestamp)
    match.wait_past(match.turn.deadline + 5)
    receipt = table.resolveWait(match.id, 1, sender=outsider)
    turn = match.turn
    assert (turn.phase, turn.onTurn) == (Phase.PLAYING, 1)
    assert turn.deadline == receipt.timestamp + MOVE


def test_announcing_after_the_wait(table, open_wait, keeper):
    match = open_wait()
    first = match.turn.mark + WAIT
    match.wait_past(first - 2)
    with reverts(table.Table_VoidTooEarly, id=match.id, first=first):
        table.announceVoid(match.id, sender=keeper)  # in second first - 1
    receipt = table.announceVoid(match.id, sender=keeper)
    assert receipt.timestamp == first
    assert receipt.events == [table.VoidAnnounced(match.id, first + NOTICE)]
    with reverts(table.Table_VoidAlreadyAnnounced, id=match.id):
        table.announceVoid(match.id, sender=keeper)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_voiding_after_the_notice(table, open_wait, keeper, seats):
    match = open_wait(seats=seats)
    match.wait_past(match.turn.mark + WAIT)
    first = table.announceVoid(match.id, sender=keeper).timestamp + NOTICE
    match.wait_past(first - 2)
    with reverts(table.Table_VoidTooEarly, id=match.id, first=first):
        table.voidGame(match.id, sender=keeper)
    receipts = []

    def void():
        receipts.append(table.voidGame(match.id, sender=keeper))
        return receipts[0]

    assert gains(void, *match.players) == [STAKE] * seats
    assert receipts[0].events == [
        table.GameVoided(match.id),
        table.GameEnded(match.id, Outcome.VOIDED, 0, [STAKE] * seats, 0),
    ]
    assert table.pool() == table.balance == 0


def test_no_void_without_announcement(table, open_wait, keeper):
    match = open_wait()
    match.wait_past(match.turn.mark + WAIT + NOTICE + 5)
    with reverts(table.Table_VoidNotAnnounced, id=match.id):
        table.voidGame(match.id, sender=keeper)


def test_a_resolution_takes_the_announcement_back(table, open_wait, keeper):
    match = open_wait()
    match.wait_past(match.turn.mark + WAIT)
    table.announceVoid(match.id, sender=keeper)
    match.wait_past(match.turn.mark + NOTICE)
    table.resolveWait(match.id, 0, sender=keeper)
    with reverts(
        table.Table_WrongPhase, id=match.id, current=Phase.PLAYING, expected=Phase.WAITING
    ):
        table.voidGame(match.id, sender=keeper)
    receipt = table.beginWait(match.id, sender=match.on_turn)  # the next wait starts from scratch
    with reverts(table.Table_VoidNotAnnounced, id=match.id):
        table.voidGame(match.id, sender=keeper)
    first = receipt.timestamp + WAIT
    with reverts(table.Table_VoidTooEarly, id=match.id, first=first):
        table.announceVoid(match.id, sender=keeper)


def test_only_a_waiting_game_is_voided(table, open_game, keeper):
    match = open_game()
    for call in (table.announceVoid, table.voidGame):
        with reverts(
            table.Table_WrongPhase, id=match.id, current=Phase.PLAYING, expected=Phase.WAITING
        ):
            call(match.id, sender=keeper)
