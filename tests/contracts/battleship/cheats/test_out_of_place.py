"""Acting twice, too soon, for others, or against those who cannot take money."""

import pytest
from ape import reverts

from tests.contracts.battleship.duel import Duel, commit, sent
from tests.contracts.table.match import NOBODY, STAKE


def test_claiming_before_the_deadline(contract, open_game):
    duel = open_game()
    duel.wait_past(duel.turn.deadline - 1)
    with reverts(contract.Table_DeadlineNotPassed, id=duel.id):
        contract.claimTimeout(duel.id, sender=duel.idle[0])


def test_closing_a_proof_before_its_deadline(contract, lone_winner):
    duel = lone_winner("resignation")
    duel.wait_past(contract.proofClockOf(duel.id, 0).deadline - 1)
    with reverts(contract.Table_DeadlineNotPassed, id=duel.id):
        contract.closeProof(duel.id, 0, sender=duel.players[1])


def test_revealing_twice(contract, lone_winner):
    duel = lone_winner("resignation")
    duel.reveal(0)
    with reverts(contract.Battleship_AlreadyRevealed, id=duel.id, seat=0):
        duel.reveal(0)
    duel.reveal(1)
    with reverts(contract.Battleship_AlreadyRevealed, id=duel.id, seat=1):
        duel.reveal(1)


def test_joining_the_own_game(contract, chain, host):
    contract.open(6, sent(commit(contract, chain, host, 6)), 0, NOBODY, value=1, sender=host)
    again = commit(contract, chain, host, 6)
    with reverts(contract.Table_AlreadySeated, id=1, account=host):
        contract.join(1, sent(again), value=1, sender=host)
    contract.quickMatch(6, sent(again), 0, value=1, sender=host)
    assert contract.gameCount() == 2


def test_acting_in_anothers_game(contract, open_game, outsider):
    duel = open_game()
    duel.fire(0)
    for call in (contract.answer, contract.answerAndFire):
        arguments = duel.arguments() + ((1,) if call is contract.answerAndFire else ())
        with reverts(contract.Table_NotOnTurn, id=duel.id, account=outsider):
            call(*arguments, sender=outsider)
    for call in (contract.resign, contract.claimTimeout):
        with reverts(contract.Table_NotSeated, id=duel.id, account=outsider):
            call(duel.id, sender=outsider)


def test_somebody_elses_wallet_as_session_key(contract, chain, host, guest):
    """Without the wallet's own consent it stays its owner's: its next stake seats them, not the thief."""
    until = chain.pending_timestamp + 50
    with reverts(contract.Table_ConsentInvalid, key=guest, player=host):
        contract.authorize(guest, until, bytes(65), sender=host)
    contract.open(6, sent(commit(contract, chain, guest, 6)), 0, NOBODY, value=5, sender=guest)
    assert contract.seatsOf(1).players[0] == guest


@pytest.mark.parametrize("loser_reveals", [False, True])
def test_a_receiver_that_refuses_payment_blocks_nothing(
    project, contract, chain, owner, host, keeper, loser_reveals
):
    refuser = owner.deploy(project.Refuser)
    boards = [commit(contract, chain, player, 6) for player in (host, refuser)]
    contract.open(6, sent(boards[0]), 0, NOBODY, value=STAKE, sender=host)
    game = contract.gameCount()
    data = contract.join.encode_input(game, sent(boards[1]))
    refuser.act(contract, data, value=STAKE, sender=keeper)
    duel = Duel(contract, chain, game, [host, refuser], STAKE, 6, boards)
    contract.resign(game, sender=host)
    shown = contract.reveal.encode_input(game, boards[1].placement, boards[1].seed)
    refuser.act(contract, shown, sender=keeper)
    assert contract.creditOf(refuser) == duel.prize
    if loser_reveals:
        duel.reveal(0)
    paid = contract.withdraw.encode_input(keeper)
    before = contract.balance
    refuser.act(contract, paid, sender=keeper)
    assert before - contract.balance == duel.prize
