import pytest
from ape import reverts

from tests.contracts.bunkerwar.battle import NOBODY, STAKE, Phase


@pytest.mark.parametrize(("lanes", "depth"), [(1, 2), (8, 8), (3, 5)])
def test_the_size_is_chosen_when_the_game_is_opened(contract, host, lanes, depth):
    receipt = contract.open(lanes, depth, True, 0, NOBODY, value=STAKE, sender=host)
    position = contract.positionOf(contract.gameCount())
    assert (position.lanes, position.depth, position.stacked) == (lanes, depth, True)
    assert list(position.built) == [0, 0]
    (opened,) = receipt.decode_logs(contract.GameOpened)
    words = [int.from_bytes(opened.parameters[i : i + 32]) for i in (0, 32, 64)]
    assert words == [lanes, depth, 1]


@pytest.mark.parametrize(("lanes", "depth"), [(0, 4), (9, 4), (4, 1), (4, 9), (255, 255)])
def test_sizes_have_bounds(contract, host, lanes, depth):
    with reverts(contract.BunkerWar_SizeOutOfRange, lanes=lanes, depth=depth):
        contract.open(lanes, depth, False, 0, NOBODY, value=STAKE, sender=host)
    with reverts(contract.BunkerWar_SizeOutOfRange, lanes=lanes, depth=depth):
        contract.quickMatch(lanes, depth, False, 0, value=STAKE, sender=host)


def test_a_challenge_is_for_one_account(contract, host, guest, outsider):
    contract.open(4, 4, False, 0, guest, value=STAKE, sender=host)
    game_id = contract.gameCount()
    with reverts(contract.Table_NotInvited, id=game_id, account=outsider, invited=guest):
        contract.join(game_id, value=STAKE, sender=outsider)
    contract.join(game_id, value=STAKE, sender=guest)
    assert contract.turnOf(game_id).phase == Phase.DRAWING


def test_a_quick_match_is_with_the_same_parameters(contract, host, guest):
    contract.quickMatch(4, 4, False, 0, value=STAKE, sender=host)
    waiting = contract.gameCount()
    contract.quickMatch(4, 4, True, 0, value=STAKE, sender=guest)
    contract.quickMatch(4, 5, False, 0, value=STAKE, sender=guest)
    assert contract.turnOf(waiting).phase == Phase.OPEN
    assert contract.positionOf(contract.gameCount()).depth == 5
    contract.quickMatch(4, 4, False, 0, value=STAKE, sender=guest)
    assert contract.turnOf(waiting).phase == Phase.DRAWING
    assert contract.positionOf(waiting).lanes == 4


def test_each_player_has_as_many_actions_as_a_board_has_cells(open_game):
    assert open_game(4, 4).position.left == 32
    assert open_game(3, 5).position.left == 30


def test_a_game_that_nobody_opened_is_all_zero(contract):
    position = contract.positionOf(999)
    assert (position.lanes, position.left, list(position.built)) == (0, 0, [0, 0])
    assert contract.boardOf(999, 0) == []
