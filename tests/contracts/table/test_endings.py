import re

import pytest
from ape import reverts

from tests.contracts.table.match import STAKE, Outcome, Phase, gains, rake, shares


def test_two_players_with_one_ether_each(table, open_game):
    match = open_game(stake=10**18)
    winner = match.on_turn
    mask = 1 << match.turn.onTurn
    (gain,) = gains(lambda: table.win(match.id, mask, sender=winner), winner)
    assert gain == 1_980_000_000_000_000_000
    assert table.pool() == 20_000_000_000_000_000


@pytest.mark.parametrize("stake", [0, 1, 33, 50, 99, 10**18 + 33])
@pytest.mark.parametrize(
    ("seats", "winners"), [(2, [0]), (2, [1]), (3, [2]), (3, [0, 2]), (4, [1, 2, 3]), (4, [3])]
)
def test_winners_share_the_pot_less_rake(table, open_game, seats, winners, stake):
    match = open_game(seats, stake=stake)
    mask = sum(1 << seat for seat in winners)
    mover = match.on_turn
    receipts = []

    def win():
        receipts.append(table.win(match.id, mask, sender=mover))
        return receipts[0]

    amounts = shares(match.pot, winners, seats)
    assert gains(win, *match.players) == amounts
    assert receipts[0].events == [
        table.GameEnded(match.id, Outcome.WON, mask, amounts, rake(match.pot))
    ]
    assert sum(amounts) + table.pool() == match.pot
    turn = match.turn
    assert (turn.phase, turn.outcome, turn.winners) == (Phase.ENDED, Outcome.WON, mask)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_tie_gives_every_stake_back(table, open_game, seats):
    match = open_game(seats)
    mover = match.on_turn
    assert gains(lambda: table.tie(match.id, sender=mover), *match.players) == [STAKE] * seats
    assert table.balance == table.pool() == 0


@pytest.mark.parametrize("stake", [0, 1, 99, 100, 199, 10**18 + 33])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_null_holds_one_percent_of_each_stake_back(table, open_game, seats, stake):
    match = open_game(seats, stake=stake)
    mover = match.on_turn
    held_back = stake * 100 // 10_000
    amounts = [stake - held_back] * seats
    assert gains(lambda: table.nullify(match.id, sender=mover), *match.players) == amounts
    assert match.turn.outcome == Outcome.NULL
    assert table.pool() == table.balance == seats * held_back


def test_a_game_may_share_as_it_likes(table, open_game):
    match = open_game(3)
    mover = match.on_turn
    amounts = [5, 0, match.pot - 12]
    assert gains(lambda: table.share(match.id, amounts, sender=mover), *match.players) == amounts
    assert table.pool() == 7


def test_but_never_more_than_the_pot(table, open_game):
    open_game()  # another game's stakes are there to be taken
    match = open_game()
    for amounts in ([match.pot + 1, 0], [match.pot, 1], [2**256 - 1, 2]):
        with reverts(re.compile("Arithmetic operation (und|ov)erflowed")):
            table.share(match.id, amounts, sender=match.on_turn)
    assert match.phase is Phase.PLAYING


def test_a_game_never_ends_twice(table, open_game):
    """Also a faulty game that kept an old turn in memory cannot."""
    open_game()
    match = open_game()
    with reverts(table.Table_WrongPhase, id=match.id, current=Phase.ENDED, expected=Phase.PLAYING):
        table.endTwice(match.id, sender=match.on_turn)
    assert match.phase is Phase.PLAYING


def test_nothing_leaves_an_ended_game(table, open_game, host, guest):
    match = open_game()
    table.tie(match.id, sender=match.on_turn)
    for call in (
        lambda: table.skip(match.id, sender=host),
        lambda: table.cancel(match.id, sender=host),
        lambda: table.leaveSeat(match.id, sender=host),
        lambda: table.join(match.id, value=STAKE, sender=guest),
        lambda: table.settleDraw(match.id, sender=host),
        lambda: table.rescheduleDraw(match.id, sender=host),
        lambda: table.keepAlive(match.id, sender=host),
        lambda: table.offerDraw(match.id, 0, sender=host),
        lambda: table.resign(match.id, sender=host),
        lambda: table.claimTimeout(match.id, sender=guest),
        lambda: table.closeProof(match.id, 0, sender=host),
        lambda: table.announceVoid(match.id, sender=host),
        lambda: table.voidGame(match.id, sender=host),
        lambda: table.resolveWait(match.id, 0, sender=host),
    ):
        with reverts(table.Table_WrongPhase, id=match.id, current=Phase.ENDED):
            call()
