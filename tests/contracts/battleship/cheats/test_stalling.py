"""Acting in the wrong phase, after one's time, or by another's key; and playing for time."""

import pytest
from ape import reverts
from eth_account import Account

from tests.contracts.battleship.conftest import MOVE, PROOF
from tests.contracts.battleship.duel import Honesty, Verdict
from tests.contracts.battleship.test_open import consent_of
from tests.contracts.table.match import Phase, pass_time


def test_answering_while_the_first_seat_is_drawn(contract, open_game):
    duel = open_game(draw=False)
    for seat, player in enumerate(duel.players):
        opening = duel.boards[seat].open(0)
        arguments = (duel.id, 0, opening.is_ship, opening.salt, list(opening.proof), 0)
        with reverts(contract.Table_DrawNotYet, id=duel.id):
            contract.answer(*arguments, sender=player)
    assert duel.phase is Phase.DRAWING


def test_a_true_answer_after_the_end_undoes_nothing(contract, open_game):
    """They lost on time, and then open what they owed."""
    duel = open_game()
    duel.fire(0)
    late, arguments = duel.turn.onTurn, duel.arguments()
    duel.expire()
    contract.claimTimeout(duel.id, sender=duel.players[1 - late])
    for call, more in ((contract.answer, ()), (contract.answerAndFire, (1,))):
        with reverts(contract.Table_WrongPhase, id=duel.id, current=Phase.PROVING):
            call(*arguments, *more, sender=duel.players[late])
    assert duel.gains(lambda: duel.reveal(1 - late))[1 - late] == duel.prize


def test_a_late_answer_counts_until_somebody_claims(contract, open_game):
    duel = open_game()
    duel.fire(35)
    late = duel.turn.onTurn
    duel.expire()
    duel.answer()
    with reverts(contract.Table_DeadlineNotPassed, id=duel.id):
        contract.claimTimeout(duel.id, sender=duel.players[1 - late])


def test_a_proof_after_its_clock_was_closed(contract, lone_winner, keeper):
    """Whether honest or not, they had their time; now the other's proof decides."""
    duel = lone_winner("shooting")
    duel.close_proof(0, keeper)
    with reverts(contract.Table_ProofNotAsked, id=duel.id, seat=0):
        duel.reveal(0)
    with reverts(contract.Table_ProofNotAsked, id=duel.id, seat=0):
        contract.closeProof(duel.id, 0, sender=keeper)
    assert duel.gains(lambda: duel.reveal(1)) == [0, duel.prize]
    with reverts(contract.Battleship_RevealClosed, id=duel.id, seat=0):
        duel.reveal(0)
    assert duel.honesty(0) is Honesty.UNKNOWN


def test_the_loser_has_a_whole_clock_of_his_own(contract, lone_winner, keeper):
    """A winner who stays silent till the last second takes none of it away."""
    duel = lone_winner("shooting")
    closed = duel.close_proof(0, keeper)
    assert contract.proofClockOf(duel.id, 1).deadline == closed.timestamp + PROOF
    with reverts(contract.Table_DeadlineNotPassed, id=duel.id):
        contract.closeProof(duel.id, 1, sender=duel.players[0])


def test_both_silent_is_null_in_whatever_order_it_is_said(contract, lone_winner, keeper):
    duel = lone_winner("timeout")
    with reverts(contract.Table_ProofNotAsked, id=duel.id, seat=1):
        contract.closeProof(duel.id, 1, sender=keeper)
    duel.close_proof(0, keeper)
    assert duel.gains(lambda: duel.close_proof(1, keeper)) == [duel.null_share] * 2
    assert duel.verdict is Verdict.NULL


def test_keeping_alive_three_times_and_only_while_playing(contract, open_game):
    duel = open_game()
    duel.fire(0)
    staller = duel.players[duel.turn.onTurn]
    first = duel.turn.deadline
    for _ in range(3):
        contract.keepAlive(duel.id, sender=staller)
    assert duel.turn.deadline == first + 3 * MOVE
    with reverts(contract.Table_NoKeepAliveLeft, id=duel.id):
        contract.keepAlive(duel.id, sender=staller)
    contract.resign(duel.id, sender=duel.idle[0])
    with reverts(contract.Table_WrongPhase, id=duel.id, current=Phase.PROVING):
        contract.keepAlive(duel.id, sender=staller)


def test_the_deadline_does_not_move_back_when_the_game_ends(contract, open_game):
    duel = open_game()
    winner = duel.turn.onTurn
    for _ in range(3):
        contract.keepAlive(duel.id, sender=duel.on_turn)
    contract.resign(duel.id, sender=duel.idle[0])
    before = duel.turn.deadline
    duel.reveal(winner)
    assert duel.turn.deadline >= before


@pytest.fixture
def key_of(contract, chain, accounts):
    """Factory: a session key of a player, good for so many seconds."""

    def key_of(player, number, seconds=1_000):
        key, until = accounts[number], chain.pending_timestamp + seconds
        consent = consent_of(contract, chain, Account.from_key(key.private_key), player, until)
        contract.authorize(key, until, consent, sender=player)
        return key

    return key_of


def test_a_session_key_moves_for_its_own_player_only(contract, open_game, key_of):
    duel = open_game()
    keys = [key_of(player, 7 + seat) for seat, player in enumerate(duel.players)]
    shooter = duel.turn.onTurn
    with reverts(contract.Table_NotOnTurn, id=duel.id, account=duel.players[1 - shooter]):
        contract.fire(duel.id, 0, sender=keys[1 - shooter])
    contract.fire(duel.id, 0, sender=keys[shooter])
    with reverts(contract.Table_NotOnTurn, id=duel.id, account=duel.players[shooter]):
        contract.answer(*duel.arguments(), sender=keys[shooter])
    contract.answer(*duel.arguments(), sender=keys[1 - shooter])
    contract.resign(duel.id, sender=keys[1 - shooter])
    board = duel.boards[shooter]
    amounts = duel.gains(
        lambda: contract.reveal(duel.id, board.placement, board.seed, sender=keys[shooter])
    )
    assert amounts[shooter] == duel.prize


def test_an_ended_session_key_reveals_nothing(contract, lone_winner, key_of):
    duel = lone_winner("resignation")
    key = key_of(duel.players[0], 7, seconds=2)
    pass_time(duel.chain, duel.chain.pending_timestamp + 3)
    board = duel.boards[0]
    with reverts(contract.Table_SessionEnded, key=key):
        contract.reveal(duel.id, board.placement, board.seed, sender=key)
    assert duel.gains(lambda: duel.reveal(0)) == [duel.prize, 0]
