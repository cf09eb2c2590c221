"""What earlier implementations of this game got wrong; each fault once."""

import pytest
from ape import reverts


def test_the_players_are_compared_with_each_other_and_not_one_with_himself(open_game):
    battle = open_game(1, 2)
    first = battle.seat
    battle.play("H a1", "B a1", "H a2", "B a2")
    (settled,) = battle.settle().decode_logs(battle.contract.ResultSettled)
    assert settled.result == first


def test_a_bunker_is_recorded_under_its_new_value(open_game):
    battle = open_game()
    battle.play("B a1")
    assert battle.strike(0) == 1


def test_a_missile_clears_the_cells_of_whom_it_strikes(open_game):
    battle = open_game()
    sender = 1 - battle.seat
    battle.play("H a1", "H a1", "H a2", "M a")
    assert battle.standing(1 - sender) == set()
    assert battle.standing(sender) == {(0, 0)}


@pytest.mark.parametrize(("lanes", "depth"), [(2, 5), (5, 2)])
def test_views_do_not_mix_up_lanes_and_depths(open_game, lanes, depth):
    battle = open_game(lanes, depth)
    seat = battle.seat
    battle.build(lanes - 1, depth - 1, True)
    cells = battle.contract.boardOf(battle.id, seat)
    assert (len(cells), len(cells[0])) == (lanes, depth)
    assert battle.handles(seat).keys() == {(lanes - 1, depth - 1)}
    assert battle.board(seat).cells[lanes - 1][depth - 1] == "b"


def test_a_missile_at_a_lane_out_of_range_does_not_pass_for_free(contract, open_game):
    battle = open_game()
    before = battle.position, battle.seat
    with reverts(contract.BunkerWar_LaneOutOfRange, id=battle.id, lane=4, lanes=4):
        battle.launch(4)
    assert (battle.position, battle.seat) == before


@pytest.mark.parametrize(("lanes", "depth"), [(1, 2), (8, 8)])
def test_the_outermost_places_of_a_board_are_on_it(contract, open_game, lanes, depth):
    battle = open_game(lanes, depth)
    seat = battle.seat
    battle.build(lanes - 1, depth - 1)
    assert battle.standing(seat) == {(lanes - 1, depth - 1)}
    with reverts(contract.BunkerWar_LaneOutOfRange):
        battle.build(lanes, 0)
    with reverts(contract.BunkerWar_DepthOutOfRange):
        battle.build(0, depth)
