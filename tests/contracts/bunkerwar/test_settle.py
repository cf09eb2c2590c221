import pytest
from ape import reverts

from tests.contracts.bunkerwar.battle import STAKE, TIE, Phase, host_reverts
from tests.contracts.bunkerwar.conftest import NOTICE, WAIT
from tests.contracts.table.match import pass_time

GAMES = {
    "more houses": (["H a1", "H a1", "H a2", "B a2"], "begins"),
    "the other way": (["H a1", "H a1", "B a2", "H a2"], "follows"),
    "equal": (["H a1", "B a1", "B a2", "H a2"], "tie"),
    "nothing but missiles and bunkers": (["M a", "B a1", "B a1", "M a"], "tie"),
}


@pytest.mark.parametrize("name", GAMES)
def test_whoever_has_more_houses_wins(contract, open_game, name):
    moves, expected = GAMES[name]
    battle = open_game(1, 2)
    first = battle.seat
    battle.play(*moves)
    assert battle.phase is Phase.WAITING
    receipt = battle.settle()
    (settled,) = receipt.decode_logs(contract.ResultSettled)
    assert settled.result == {"begins": first, "follows": 1 - first, "tie": TIE}[expected]
    assert battle.phase is Phase.ENDED


@pytest.mark.parametrize("winner", [0, 1])
def test_the_winner_is_paid_the_pot_less_rake(contract, open_game, winner):
    battle = open_game(1, 2)
    pool, balance = contract.pool(), battle.players[winner].balance
    moves = ["H", "B"] if battle.seat == winner else ["B", "H"]
    spent = 0
    for depth in (1, 2):
        for kind in moves:
            player = battle.player
            receipt = battle.build(0, depth - 1, kind == "B")
            spent += receipt.total_fees_paid * (player == battle.players[winner])
    battle.settle()
    rake = 2 * STAKE // 100
    assert battle.players[winner].balance == balance - spent + 2 * STAKE - rake
    assert contract.pool() == pool + rake


def test_a_tie_gives_both_stakes_back(contract, open_game):
    battle = open_game(1, 2)
    pool, held = contract.pool(), contract.balance
    battle.play("H a1", "H a1", "B a2", "B a2")
    battle.settle()
    assert contract.pool() == pool
    assert contract.balance == held - 2 * STAKE


def test_the_game_stops_after_its_rounds(contract, open_game):
    battle = open_game(1, 2)
    battle.play("H a1", "H a1", "H a2")
    assert battle.position.left == 1
    receipt = battle.build(0, 1, True)
    (counting,) = receipt.decode_logs(contract.CountingStarted)
    assert counting.result == battle.awaited
    for player in battle.players:
        with reverts(contract.Table_WrongPhase, current=Phase.WAITING):
            battle.launch(0, sender=player)


def test_the_last_action_may_be_a_missile_that_counts(contract, open_game):
    battle = open_game(1, 2)
    first = battle.seat
    battle.play("H a1", "H a1", "H a2", "M a")
    assert battle.position.left == 0
    (settled,) = battle.settle().decode_logs(contract.ResultSettled)
    assert settled.result == 1 - first


def test_a_missile_is_not_the_result(contract, open_game):
    battle = open_game()
    battle.play("H a1")
    battle.launch(0)
    value, proof = battle.decryption()
    with reverts(contract.BunkerWar_NotCounting, id=battle.id):
        contract.settle(battle.id, value, proof, sender=battle.keeper)


def test_nothing_to_settle(contract, open_game):
    battle = open_game()
    with reverts(contract.Table_WrongPhase, current=Phase.PLAYING, expected=Phase.WAITING):
        contract.settle(battle.id, 0, b"\0", sender=battle.keeper)
    battle = open_game(1, 2)
    battle.play("H a1", "H a1", "H a2", "H a2")
    result, proof = battle.decryption()
    battle.settle()
    with reverts(contract.Table_WrongPhase, current=Phase.ENDED, expected=Phase.WAITING):
        contract.settle(battle.id, result, proof, sender=battle.keeper)


@pytest.mark.parametrize("result", [0, 1, 3, 255])
def test_another_result_than_was_signed_is_refused(contract, open_game, result):
    battle = open_game(1, 2)
    battle.play("H a1", "H a1", "B a2", "B a2")
    signed, proof = battle.decryption()
    assert signed == TIE
    with host_reverts("KMSInvalidSigner"):
        contract.settle(battle.id, result, proof, sender=battle.keeper)
    assert battle.phase is Phase.WAITING


def test_the_result_of_another_game_is_refused(contract, open_game):
    one, other = open_game(1, 2), open_game(1, 2)
    for battle in (one, other):
        battle.play("H a1", "H a1", "B a2", "B a2")
    result, proof = other.decryption()
    with host_reverts("KMSInvalidSigner"):
        contract.settle(one.id, result, proof, sender=one.keeper)
    assert one.settle()


def test_a_game_whose_result_never_comes_is_voided(contract, open_game, chain):
    battle = open_game(1, 2)
    battle.play("H a1", "H a1", "H a2", "B a2")
    pass_time(chain, battle.turn.mark + WAIT)
    contract.announceVoid(battle.id, sender=battle.keeper)
    pass_time(chain, battle.turn.mark + NOTICE)
    held = contract.balance
    contract.voidGame(battle.id, sender=battle.keeper)
    assert contract.balance == held - 2 * STAKE
