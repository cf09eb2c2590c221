import pytest
from ape import reverts

from tests.contracts.table.match import Outcome, Phase, gains


@pytest.mark.parametrize("stake", [0, 1, 10**18 + 33])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_when_all_offer_every_stake_goes_back(table, open_game, seats, stake):
    match = open_game(seats, stake=stake)
    table.skip(match.id, sender=match.on_turn)
    *first, last = reversed(match.players)
    for player in first:
        receipt = table.offerDraw(match.id, 1, sender=player)
        assert receipt.events == [table.DrawOffered(match.id, match.seat_of(player), 1)]
        assert match.phase is Phase.PLAYING
    receipts = []

    def accept():
        receipts.append(table.offerDraw(match.id, 1, sender=last))
        return receipts[0]

    assert gains(accept, *match.players) == [stake] * seats
    assert receipts[0].events == [
        table.DrawOffered(match.id, match.seat_of(last), 1),
        table.GameEnded(match.id, Outcome.DRAWN, 0, [stake] * seats, 0),
    ]
    assert table.balance == table.pool() == 0


def test_a_move_clears_every_offer(table, open_game, host, guest):
    match = open_game()
    table.offerDraw(match.id, 0, sender=host)
    table.skip(match.id, sender=match.on_turn)
    assert match.turn.consents == 0
    table.offerDraw(match.id, 1, sender=guest)
    assert match.phase is Phase.PLAYING


def test_an_offer_is_bound_to_its_position(table, open_game, host, guest):
    """An offer that was sent before, but mined after, a move does not count."""
    match = open_game()
    table.offerDraw(match.id, 0, sender=host)
    table.skip(match.id, sender=match.on_turn)
    for player in (host, guest):
        with reverts(table.Table_StaleOffer, id=match.id, given=0, current=1):
            table.offerDraw(match.id, 0, sender=player)


def test_waiting_begins_and_ends_a_position(table, open_game, host):
    match = open_game()
    table.offerDraw(match.id, 0, sender=host)
    table.beginWait(match.id, sender=match.on_turn)
    assert (match.turn.moveNumber, match.turn.consents) == (1, 0)
    table.offerDraw(match.id, 1, sender=host)
    table.resolveWait(match.id, 0, sender=host)
    assert (match.turn.moveNumber, match.turn.consents) == (2, 0)


def test_a_draw_is_agreed_while_waiting(table, open_wait, host, guest):
    match = open_wait()
    table.offerDraw(match.id, 1, sender=host)
    table.offerDraw(match.id, 1, sender=guest)
    assert match.turn.outcome == Outcome.DRAWN


def test_a_keep_alive_leaves_the_offer(table, open_game, host):
    match = open_game()
    table.offerDraw(match.id, 0, sender=host)
    table.keepAlive(match.id, sender=match.on_turn)
    assert match.turn.consents == 1


def test_once_in_a_position(table, open_game, host):
    match = open_game(3)
    table.offerDraw(match.id, 0, sender=host)
    with reverts(table.Table_AlreadyOffered, id=match.id, seat=0):
        table.offerDraw(match.id, 0, sender=host)


def test_only_a_seated_player_offers(table, open_game, outsider):
    match = open_game()
    with reverts(table.Table_NotSeated, id=match.id, account=outsider):
        table.offerDraw(match.id, 0, sender=outsider)


def test_not_before_the_draw_nor_after_the_end(table, open_game, host):
    drawing, ended = open_game(draw=False), open_game()
    table.resign(ended.id, sender=host)
    for match, phase in [(drawing, Phase.DRAWING), (ended, Phase.ENDED)]:
        with reverts(table.Table_WrongPhase, id=match.id, current=phase, expected=Phase.PLAYING):
            table.offerDraw(match.id, 0, sender=host)
