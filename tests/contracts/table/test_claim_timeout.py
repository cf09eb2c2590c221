import pytest
from ape import reverts

from tests.contracts.table.match import Outcome, Phase, gains, rake, shares


@pytest.mark.parametrize("stake", [0, 1, 49, 10**18, 10**18 + 33])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_others_share_the_pot_less_rake(table, open_game, seats, stake):
    match = open_game(seats, stake=stake)
    late = match.turn.onTurn
    claimant = match.idle[-1]
    match.expire()
    receipts = []

    def claim():
        receipts.append(table.claimTimeout(match.id, sender=claimant))
        return receipts[0]

    winners = [seat for seat in range(seats) if seat != late]
    amounts = shares(match.pot, winners, seats)
    assert gains(claim, *match.players) == amounts
    mask = sum(1 << seat for seat in winners)
    assert receipts[0].events == [
        table.TimedOut(match.id, late),
        table.GameEnded(match.id, Outcome.TIMED_OUT, mask, amounts, rake(match.pot)),
    ]
    assert table.pool() == table.balance == rake(match.pot)
    assert (match.phase, match.turn.outcome) == (Phase.ENDED, Outcome.TIMED_OUT)


def test_from_deadline_plus_one_on(table, open_game):
    match = open_game()
    deadline = match.turn.deadline
    match.mine_past(deadline - 1)  # the next transaction is in the deadline's block
    claimant = match.idle[0]
    with reverts(table.Table_DeadlineNotPassed, id=match.id, deadline=deadline):
        table.claimTimeout(match.id, sender=claimant)
    # The failed claim took that block.
    receipt = table.claimTimeout(match.id, sender=claimant)
    assert receipt.block_number == deadline + 1


def test_not_by_the_late_player(table, open_game):
    match = open_game(3)
    match.expire()
    with reverts(table.Table_OwnTimeout, id=match.id, seat=match.turn.onTurn):
        table.claimTimeout(match.id, sender=match.on_turn)


def test_only_a_seated_player_claims(table, open_game, outsider, owner):
    match = open_game()
    match.expire()
    for account in (outsider, owner):
        with reverts(table.Table_NotSeated, id=match.id, account=account):
            table.claimTimeout(match.id, sender=account)


def test_nothing_ends_by_itself(table, open_game):
    match = open_game()
    match.mine_past(match.turn.deadline + 100)
    assert match.phase is Phase.PLAYING


def test_no_claim_while_no_clock_runs(table, open_game, open_wait):
    waiting, drawing = open_wait(), open_game(draw=False)
    waiting.mine_past(waiting.turn.deadline + 5)
    for match, phase in [(waiting, Phase.WAITING), (drawing, Phase.DRAWING)]:
        for player in match.players:
            with reverts(
                table.Table_WrongPhase, id=match.id, current=phase, expected=Phase.PLAYING
            ):
                table.claimTimeout(match.id, sender=player)
