"""What is said to be sunk: too early, too late, the wrong kind, or nothing at all."""

import pytest
from ape import reverts

from battleship.commitment import pack_fleet
from battleship.fleets import Kind, parse_fleet
from tests.contracts.battleship.duel import Honesty, Verdict

FLEET = parse_fleet("CR 0 0 h, DE 0 1 h")  # cells 0 1 2, 6 7
LIES = {
    "early": {1: Kind.CRUISER, 2: 0},
    "late": {2: 0, 6: Kind.CRUISER},
    "the wrong kind": {2: Kind.DESTROYER},
    "left out": {2: 0},
    "twice": {6: Kind.CRUISER},
}


@pytest.fixture
def sunk_by_lies(open_game):
    """Factory: seat 0 lies about their sunk ships, and then wins because seat 1 resigns."""

    def sunk_by_lies(lies):
        duel = open_game(fleets=(FLEET, None))
        waters = duel.misses()
        shots = iter([0, 1, 2, 6])
        duel.fire(next(shots) if duel.turn.onTurn == 1 else next(waters))
        while (duel.turn.onTurn, duel.shooting.hits[0]) != (1, 4):
            seat, cell = duel.turn.onTurn, duel.shooting.target
            target = next(shots, 35) if seat == 1 else next(waters)
            duel.answer_and_fire(target, lies.get(cell) if seat == 0 else None)
        duel.table.resign(duel.id, sender=duel.players[1])
        return duel

    return sunk_by_lies


def test_true_claims_are_borne_out(sunk_by_lies):
    duel = sunk_by_lies({})
    assert duel.gains(lambda: duel.reveal(0)) == [duel.prize, 0]


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_about_sinking_loses_the_game(sunk_by_lies, lie):
    duel = sunk_by_lies(LIES[lie])
    assert duel.gains(lambda: duel.reveal(0)) == [0, 0]
    assert duel.honesty(0) is Honesty.DISHONEST
    assert duel.gains(lambda: duel.reveal(1)) == [0, duel.prize]
    assert duel.verdict is Verdict.FAILED_TO_PROVIDE_PROOF


def test_two_layouts_with_equal_cells(contract, open_game):
    """DE@0 CR@2 and CR@0 DE@3 cover the same cells: only the committed one can be revealed."""
    one, two = parse_fleet("DE 0 0 h, CR 2 0 h"), parse_fleet("CR 0 0 h, DE 3 0 h")
    duel = open_game(fleets=(one, None))
    contract.resign(duel.id, sender=duel.players[1])
    seed = duel.boards[0].seed
    with reverts(contract.Battleship_WrongRoot, id=duel.id, seat=0):
        contract.reveal(duel.id, pack_fleet(two), seed, sender=duel.players[0])
    assert duel.gains(lambda: duel.reveal(0)) == [duel.prize, 0]


def test_either_of_two_ships_of_one_kind_may_sink_first(open_game):
    duel = open_game(12)
    duel.shoot_down(1)
    duel.reveal(1)
    duel.reveal(0)
    assert duel.honesty(0) is Honesty.HONEST
