import pytest
from ape import reverts

from tests.contracts.table.match import Outcome, Phase, gains, rake, shares


@pytest.mark.parametrize("on_turn", [True, False])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_others_share_the_pot_less_rake(table, open_game, seats, on_turn):
    match = open_game(seats)
    quitter = match.on_turn if on_turn else match.idle[0]
    seat = match.seat_of(quitter)
    receipts = []

    def resign():
        receipts.append(table.resign(match.id, sender=quitter))
        return receipts[0]

    winners = [other for other in range(seats) if other != seat]
    amounts = shares(match.pot, winners, seats)
    assert gains(resign, *match.players) == amounts
    mask = sum(1 << winner for winner in winners)
    assert receipts[0].events == [
        table.Resigned(match.id, seat),
        table.GameEnded(match.id, Outcome.RESIGNED, mask, amounts, rake(match.pot)),
    ]
    assert match.turn.winners == mask


def test_while_drawing_and_while_waiting(table, open_game, open_wait, host, guest):
    for match in (open_game(draw=False), open_wait()):
        amounts = gains(lambda game=match: table.resign(game.id, sender=guest), host, guest)
        assert amounts == [match.pot - rake(match.pot), 0]
        assert match.phase is Phase.ENDED


def test_not_before_the_seats_are_filled_nor_after_the_end(table, open_game, host):
    opened, ended = open_game(taken=1), open_game()
    table.resign(ended.id, sender=host)
    for match, phase in [(opened, Phase.OPEN), (ended, Phase.ENDED)]:
        with reverts(table.Table_WrongPhase, id=match.id, current=phase, expected=Phase.PLAYING):
            table.resign(match.id, sender=host)


def test_only_a_seated_player_resigns(table, open_game, outsider, owner):
    match = open_game()
    for account in (outsider, owner):
        with reverts(table.Table_NotSeated, id=match.id, account=account):
            table.resign(match.id, sender=account)
