import pytest
from ape import reverts

from tests.contracts.bunkerwar.battle import Phase


def test_a_missile_at_an_empty_lane_flies_through_at_once(contract, open_game):
    battle = open_game()
    seat = battle.seat
    receipt = battle.launch(2)
    assert list(receipt.decode_logs(contract.MissileResolved)) == [
        contract.MissileResolved(battle.id, seat, 2, 0)
    ]
    assert (battle.phase, battle.seat, battle.position.left) == (Phase.PLAYING, 1 - seat, 31)


def test_a_missile_at_a_hidden_lane_is_in_flight(contract, open_game):
    battle = open_game()
    battle.play("H b1")
    seat = battle.seat
    receipt = battle.launch(1)
    (sent,) = receipt.decode_logs(contract.MissileSent)
    assert (sent.seat, sent.lane, sent.stop) == (seat, 1, battle.awaited)
    assert battle.phase is Phase.WAITING
    assert (battle.position.target, battle.position.left) == (1, 31)
    assert len(battle.standing(1 - seat)) == 1


def test_a_missile_at_a_bunker_that_is_known_stops_at_once(open_game):
    battle = open_game()
    battle.play("B b3")
    assert battle.play("M b") == 3
    battle.play("H a1", "H a1", "H b1")  # below it
    receipt = battle.launch(1)
    assert battle.phase is Phase.PLAYING
    (resolved,) = receipt.decode_logs(battle.contract.MissileResolved)
    assert resolved.stop == 3


@pytest.mark.parametrize("lane", [4, 7, 8, 15, 255])
@pytest.mark.parametrize("built", [False, True])
def test_no_missile_at_a_lane_outside_the_board(contract, open_game, lane, built):
    battle = open_game()
    if built:
        battle.play("H a1", "H a1")
    with reverts(contract.BunkerWar_LaneOutOfRange, id=battle.id, lane=lane, lanes=4):
        battle.launch(lane)


def test_a_build_is_needed_between_two_missiles(contract, open_game):
    battle = open_game()
    seat = battle.seat
    battle.play("M a", "H a1")
    assert battle.position.spent == 1 << seat
    with reverts(contract.BunkerWar_MissileNotArmed, id=battle.id, seat=seat):
        battle.launch(1)
    battle.play("H a1", "H a2")
    assert battle.position.spent == 0
    battle.launch(0)
    assert battle.phase is Phase.WAITING


def test_only_the_player_on_turn_fires(contract, open_game, outsider):
    battle = open_game()
    for stranger in (battle.players[1 - battle.seat], outsider):
        with reverts(contract.Table_NotOnTurn, id=battle.id, account=stranger, onTurn=battle.seat):
            battle.launch(0, sender=stranger)


def test_no_missile_while_one_is_in_flight(contract, open_game):
    battle = open_game()
    battle.play("H a1")
    battle.launch(0)
    for player in battle.players:
        with reverts(contract.Table_WrongPhase, id=battle.id, current=Phase.WAITING):
            battle.launch(0, sender=player)


def test_a_game_can_be_resigned_while_a_missile_is_in_flight(contract, open_game):
    battle = open_game()
    battle.play("H a1")
    battle.launch(0)
    stop, proof = battle.decryption()
    contract.resign(battle.id, sender=battle.player)
    assert battle.phase is Phase.ENDED
    with reverts(contract.Table_WrongPhase, id=battle.id, current=Phase.ENDED):
        contract.resolveMissile(battle.id, stop, proof, sender=battle.keeper)
