"""reveal: proving before payment, and the three outcomes."""

import pytest
from ape import reverts

from battleship.fleets import parse_fleet
from tests.contracts.battleship.conftest import PROOF
from tests.contracts.battleship.duel import Honesty, Verdict
from tests.contracts.table.match import Outcome, Phase, rake

WAYS = {
    "shooting": Outcome.WON,
    "resignation": Outcome.RESIGNED,
    "timeout": Outcome.TIMED_OUT,
    "verdict": Outcome.WON,
}
OVERLAPPING = parse_fleet("CR 0 0 h, DE 2 0 h")


@pytest.mark.parametrize("winner", [0, 1])
@pytest.mark.parametrize("how", WAYS)
def test_fair_the_winner_is_paid_when_he_has_proved_his_board(contract, lone_winner, how, winner):
    duel = lone_winner(how, winner)
    assert (duel.phase, duel.turn.outcome) == (Phase.PROVING, Outcome.NONE)  # not over yet
    receipts = []

    def reveal():
        receipts.append(duel.reveal(winner))
        return receipts[0]

    amounts = [duel.prize if seat == winner else 0 for seat in (0, 1)]
    assert duel.gains(reveal) == amounts
    board = duel.boards[winner]
    assert receipts[0].events == [
        contract.BoardRevealed(duel.id, winner, board.placement, board.seed, True),
        contract.GameEnded(duel.id, WAYS[how], 1 << winner, amounts, rake(duel.pot)),
    ]
    assert (duel.verdict, duel.phase) == (Verdict.FAIR, Phase.ENDED)
    assert duel.turn.outcome == WAYS[how]
    assert duel.honesty(winner) is Honesty.HONEST


@pytest.mark.parametrize("size", [6, 8, 10, 12, 14, 20])
def test_every_size_is_proved(lone_winner, size):
    duel = lone_winner("resignation", size=size)
    assert duel.gains(lambda: duel.reveal(0)) == [duel.prize, 0]


@pytest.mark.parametrize("how", ["shooting", "resignation", "timeout"])
def test_failed_the_silent_winner_loses_to_an_honest_loser(contract, lone_winner, keeper, how):
    duel = lone_winner(how)
    duel.close_proof(0, keeper)
    assert contract.proofClockOf(duel.id, 1).owed
    assert duel.turn.outcome == Outcome.NONE
    assert duel.gains(lambda: duel.reveal(1)) == [0, duel.prize]
    assert duel.verdict is Verdict.FAILED_TO_PROVIDE_PROOF
    assert duel.turn.outcome == Outcome.WON


def test_failed_the_dishonest_winner_loses_to_an_honest_loser(lone_winner):
    duel = lone_winner("resignation", fleets=(OVERLAPPING, None))
    assert duel.gains(lambda: duel.reveal(0)) == [0, 0]
    assert duel.honesty(0) is Honesty.DISHONEST
    assert duel.phase is Phase.PROVING
    assert duel.gains(lambda: duel.reveal(1)) == [0, duel.prize]


@pytest.mark.parametrize("loser", ["silent", "dishonest"])
@pytest.mark.parametrize("winner", ["silent", "dishonest"])
def test_null_when_neither_proves(lone_winner, owner, keeper, winner, loser):
    fleets = [OVERLAPPING if who == "dishonest" else None for who in (winner, loser)]
    duel = lone_winner("resignation", fleets=fleets)

    def end(seat, how):
        return duel.reveal(seat) if how == "dishonest" else duel.close_proof(seat, keeper)

    end(0, winner)
    before = duel.table.pool()
    assert duel.gains(lambda: end(1, loser)) == [duel.null_share] * 2
    assert duel.table.pool() - before == 2 * (duel.stake // 100)
    assert (duel.verdict, duel.turn.outcome) == (Verdict.NULL, Outcome.NULL)


def test_after_a_verdict_the_cheater_is_out_whatever_he_reveals(contract, lone_winner, keeper):
    duel = lone_winner("verdict")
    with reverts(contract.Table_ProofNotAsked, id=duel.id, seat=1):
        duel.reveal(1)
    assert duel.gains(lambda: duel.close_proof(0, keeper)) == [duel.null_share] * 2
    assert duel.verdict is Verdict.NULL


def test_the_loser_of_a_fair_game_may_reveal_until_the_clock_runs_out(contract, lone_winner):
    duel = lone_winner("shooting")
    end = duel.reveal(0).timestamp
    assert duel.turn.deadline == end + PROOF  # a full clock from the end
    duel.wait_past(duel.turn.deadline - 1)
    assert duel.gains(lambda: duel.reveal(1)) == [0, 0]  # in the deadline's second
    assert duel.honesty(1) is Honesty.HONEST
    late = lone_winner("shooting")
    late.reveal(0)
    late.wait_past(late.turn.deadline)
    with reverts(contract.Battleship_RevealClosed, id=late.id, seat=1):
        late.reveal(1)


def test_time_bought_by_keep_alives_is_the_losers_too(contract, open_game):
    """The deadline never moves back, so the late reveal has at least as long."""
    duel = open_game()
    for number in range(3):
        contract.keepAlive(duel.id, sender=duel.players[duel.turn.onTurn])
        duel.fire(duel.size**2 - 1 - number)
        duel.answer()
    bought = duel.turn.deadline
    contract.resign(duel.id, sender=duel.players[1])
    assert contract.proofClockOf(duel.id, 0).deadline <= max(bought, duel.turn.deadline)
    end = duel.reveal(0).timestamp
    assert duel.turn.deadline == max(bought, end + PROOF)


def test_the_losers_late_reveal_may_show_that_they_lied(open_game):
    duel = open_game()
    duel.shoot_down(0, sunk=lambda cell: 0)
    duel.reveal(0)
    duel.reveal(1)
    assert (duel.honesty(1), duel.verdict) == (Honesty.DISHONEST, Verdict.FAIR)


def test_a_proof_counts_after_its_clock_as_long_as_nobody_has_closed_it(lone_winner):
    duel = lone_winner("shooting")
    duel.wait_past(duel.table.proofClockOf(duel.id, 0).deadline + 5)
    assert duel.gains(lambda: duel.reveal(0)) == [duel.prize, 0]


def test_only_whoever_is_asked_reveals(contract, lone_winner, outsider):
    duel = lone_winner("shooting")
    with reverts(contract.Table_ProofNotAsked, id=duel.id, seat=1):
        duel.reveal(1)
    board = duel.boards[0]
    with reverts(contract.Table_NotSeated, id=duel.id, account=outsider):
        contract.reveal(duel.id, board.placement, board.seed, sender=outsider)


def test_nothing_to_reveal_while_playing_or_after_a_draw(contract, open_game):
    duel = open_game()
    with reverts(contract.Table_WrongPhase, id=duel.id, current=Phase.PLAYING):
        duel.reveal(0)
    for player in duel.players:
        contract.offerDraw(duel.id, 0, sender=player)
    with reverts(contract.Battleship_RevealClosed, id=duel.id, seat=0):
        duel.reveal(0)


def test_a_wrong_seed_or_placement_changes_nothing(contract, lone_winner):
    duel = lone_winner("shooting")
    board = duel.boards[0]
    other = duel.boards[0].placement[:-1] + b"\x01"
    for placement, seed in [(board.placement, bytes(32)), (other, board.seed)]:
        with reverts(contract.Battleship_WrongRoot, id=duel.id, seat=0):
            contract.reveal(duel.id, placement, seed, sender=duel.players[0])
    assert contract.proofClockOf(duel.id, 0).owed
    duel.reveal(0)
