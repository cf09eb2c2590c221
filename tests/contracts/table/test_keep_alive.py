import pytest
from ape import reverts

from tests.contracts.table.conftest import CLOCKS, CONTROLS, MOVE
from tests.contracts.table.match import NOBODY, Match, Phase


def test_it_adds_a_whole_clock(table, open_game):
    match = open_game()
    before = match.turn
    receipt = table.keepAlive(match.id, sender=match.on_turn)
    assert receipt.events == [table.ClockExtended(match.id, before.onTurn, before.deadline + MOVE)]
    assert match.turn.deadline == before.deadline + MOVE
    assert (match.turn.onTurn, match.turn.moveNumber) == (before.onTurn, before.moveNumber)


def test_past_the_deadline_it_counts_from_now(table, open_game):
    match = open_game()
    match.wait_past(match.turn.deadline + 5)
    receipt = table.keepAlive(match.id, sender=match.on_turn)
    assert match.turn.deadline == receipt.timestamp + MOVE


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_three_for_each_player_and_game(table, open_game, seats):
    match = open_game(seats)
    for _ in range(seats):
        for _ in range(3):
            table.keepAlive(match.id, sender=match.on_turn)
        with reverts(table.Table_NoKeepAliveLeft, id=match.id, seat=match.turn.onTurn):
            table.keepAlive(match.id, sender=match.on_turn)
        table.skip(match.id, sender=match.on_turn)
    with reverts(table.Table_NoKeepAliveLeft, id=match.id, seat=match.turn.onTurn):
        table.keepAlive(match.id, sender=match.on_turn)
    assert match.turn.keepAlives == 4**seats - 1


@pytest.mark.parametrize("control", [0, 1])
def test_as_many_and_as_long_as_the_time_control_says(table, open_game, control):
    move, keep_alives = CONTROLS[control]
    match = open_game(control=control)
    for number in range(1, keep_alives + 1):
        deadline = match.turn.deadline
        table.keepAlive(match.id, sender=match.on_turn)
        assert match.turn.deadline == deadline + move
        assert match.turn.keepAlives >> 2 * match.turn.onTurn == number
    with reverts(table.Table_NoKeepAliveLeft, id=match.id, seat=match.turn.onTurn):
        table.keepAlive(match.id, sender=match.on_turn)


def test_where_there_are_none(project, owner, chain, host, guest, keeper):
    table = owner.deploy(project.Sandbox, owner, CLOCKS, [(30, 0)])
    table.open(b"", 2, 0, NOBODY, sender=host)
    table.join(1, sender=guest)
    match = Match(table, chain, 1, [host, guest], 0)
    match.draw(keeper)
    with reverts(table.Table_NoKeepAliveLeft, id=1, seat=match.turn.onTurn):
        table.keepAlive(1, sender=match.on_turn)


def test_a_move_takes_no_time_back(table, open_game, chain):
    """The deadline never moves back, so what a keep-alive has bought passes on with the turn."""
    match = open_game()
    table.keepAlive(match.id, sender=match.on_turn)
    deadline = match.turn.deadline
    table.skip(match.id, sender=match.on_turn)
    assert match.turn.deadline == deadline
    match.wait_past(deadline - 2)
    receipt = table.skip(match.id, sender=match.on_turn)
    assert match.turn.deadline == receipt.timestamp + MOVE


def test_only_by_the_player_on_turn(table, open_game, outsider):
    match = open_game(3)
    for account in [*match.idle, outsider]:
        with reverts(table.Table_NotOnTurn, id=match.id, account=account):
            table.keepAlive(match.id, sender=account)


def test_not_while_no_clock_runs(table, open_wait):
    match = open_wait()
    for player in match.players:
        with reverts(
            table.Table_WrongPhase, id=match.id, current=Phase.WAITING, expected=Phase.PLAYING
        ):
            table.keepAlive(match.id, sender=player)
