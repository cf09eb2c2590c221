"""fire, answer, answerAndFire: the shooting."""

import pytest
from ape import reverts
from eth_abi.abi import encode

from battleship.commitment import keccak
from tests.contracts.table.match import Phase


def test_a_shot_puts_the_other_on_turn(contract, open_game):
    duel = open_game()
    shooter = duel.turn.onTurn
    receipt = duel.fire(35)
    assert receipt.events[-1:] == [contract.ShotFired(duel.id, shooter, 35)]
    assert duel.turn.onTurn == 1 - shooter
    assert (duel.shooting.answerDue, duel.shooting.target, duel.shooting.shots) == (True, 35, 1)
    assert list(contract.firedAt(duel.id, 1 - shooter)) == [1 << 35, 0]


def test_the_first_shot_settles_the_draw(contract, chain, open_game):
    duel = open_game(draw=False)
    duel.mine_past(duel.turn.mark)
    word = keccak(encode(["bytes32", "uint256"], [chain.blocks[duel.turn.mark].hash, duel.id]))
    first = int.from_bytes(word) % 2
    with reverts(contract.Table_NotOnTurn, id=duel.id, onTurn=first):
        contract.fire(duel.id, 0, sender=duel.players[1 - first])
    contract.fire(duel.id, 0, sender=duel.players[first])
    assert duel.phase is Phase.PLAYING
    assert duel.shooting.shots == 1


def test_the_answer_to_a_miss_and_to_a_hit(contract, open_game):
    duel = open_game()
    duel.fire(35)
    seat = duel.turn.onTurn
    receipt = duel.answer()
    assert receipt.events == [contract.ShotAnswered(duel.id, seat, 35, False, 0)]
    assert duel.turn.onTurn == seat
    duel.fire(0)
    receipt = duel.answer_and_fire(1)
    assert receipt.events == [
        contract.ShotAnswered(duel.id, 1 - seat, 0, True, 0),
        contract.ShotFired(duel.id, 1 - seat, 1),
    ]
    assert list(duel.shooting.hits) == [int(1 - seat == 0), int(1 - seat == 1)]


def test_cells_over_the_first_word(contract, open_game):
    duel = open_game(20)
    target = 1 - duel.turn.onTurn
    duel.fire(399)
    assert list(contract.firedAt(duel.id, target)) == [0, 1 << (399 - 256)]
    duel.answer_and_fire(256)
    duel.answer_and_fire(255)
    assert list(contract.firedAt(duel.id, target)) == [1 << 255, 1 << (399 - 256)]


@pytest.mark.parametrize("winner", [0, 1])
@pytest.mark.parametrize("size", [6, 10, 12])
def test_whoever_hits_every_cell_has_won_the_shooting(contract, open_game, size, winner):
    duel = open_game(size)
    duel.shoot_down(winner)
    assert duel.phase is Phase.PROVING
    assert duel.shooting.hits[1 - winner] == len(duel.boards[1 - winner].ship_cells)
    assert contract.proofClockOf(duel.id, winner).owed
    assert not contract.proofClockOf(duel.id, 1 - winner).owed


def test_whoever_fired_at_every_cell_has_won_the_shooting(contract, open_game):
    """A fleet with too few ships gains nothing."""
    size = 6
    duel = open_game(size, cells=(set(), set()))
    first = duel.turn.onTurn
    duel.fire(0)
    for number in range(1, 2 * size * size - 1):
        duel.answer_and_fire(number // 2)
        assert duel.phase is Phase.PLAYING
    duel.answer()
    assert duel.phase is Phase.PROVING
    assert contract.proofClockOf(duel.id, first).owed


def test_next_is_ignored_when_the_answer_ends_the_shooting(open_game):
    duel = open_game()
    winner = duel.turn.onTurn
    cells = sorted(duel.boards[1 - winner].ship_cells)
    waters = duel.misses()
    for cell in cells:
        duel.fire(cell) if cell == cells[0] else duel.answer_and_fire(cell)
        if cell != cells[-1]:
            duel.answer_and_fire(next(waters))
    duel.answer_and_fire(2**200)
    assert duel.phase is Phase.PROVING


def test_out_of_range(contract, open_game):
    duel = open_game()
    for cell in (36, 2**255):
        with reverts(contract.Battleship_CellOutOfRange, cell=cell, cells=36):
            duel.fire(cell)
    duel.fire(0)
    with reverts(contract.Battleship_CellOutOfRange, cell=36):
        duel.answer_and_fire(36)


def test_fired_twice(contract, open_game):
    duel = open_game()
    duel.fire(7)
    duel.answer_and_fire(7)  # the other board
    with reverts(contract.Battleship_AlreadyFired, id=duel.id, cell=7):
        duel.answer_and_fire(7)


def test_out_of_turn(contract, open_game, outsider):
    duel = open_game()
    for player in (duel.idle[0], outsider):
        with reverts(contract.Table_NotOnTurn, id=duel.id, account=player):
            contract.fire(duel.id, 0, sender=player)


def test_the_answer_comes_before_the_next_shot(contract, open_game):
    duel = open_game()
    duel.fire(3)
    with reverts(contract.Battleship_AnswerDue, id=duel.id, cell=3):
        duel.fire(4)


def test_answering_nothing_and_answering_twice(contract, open_game):
    duel = open_game()
    seat = duel.turn.onTurn
    opening = duel.boards[seat].open(0)
    arguments = (duel.id, 0, opening.is_ship, opening.salt, list(opening.proof), 0)
    with reverts(contract.Battleship_NoAnswerDue, id=duel.id):
        contract.answer(*arguments, sender=duel.on_turn)
    duel.fire(9)
    arguments, sender = duel.arguments(), duel.on_turn
    duel.answer()
    with reverts(contract.Battleship_NoAnswerDue, id=duel.id):
        contract.answer(*arguments, sender=sender)


def test_another_cell_than_the_one_shot_at(contract, open_game):
    duel = open_game()
    duel.fire(9)
    opening = duel.boards[duel.turn.onTurn].open(10)
    with reverts(contract.Battleship_WrongCell, id=duel.id, given=10, target=9):
        contract.answer(
            duel.id, 10, opening.is_ship, opening.salt, list(opening.proof), 0, sender=duel.on_turn
        )


def test_a_proof_has_as_many_siblings_as_the_tree_is_deep(contract, open_game):
    duel = open_game()
    duel.fire(9)
    game, cell, is_ship, salt, proof, sunk = duel.arguments()
    for wrong in ([], proof[:-1], [*proof, bytes(32)]):
        with reverts(contract.Battleship_WrongProofLength, given=len(wrong), expected=6):
            contract.answer(game, cell, is_ship, salt, wrong, sunk, sender=duel.on_turn)


def test_a_miss_sinks_nothing(contract, open_game):
    duel = open_game()
    duel.fire(35)
    with reverts(contract.Battleship_SunkWithoutHit, id=duel.id, sunk=1):
        duel.answer(sunk=1)


def test_not_before_the_game_nor_after_it(contract, open_game, lone_winner, host):
    drawing = open_game(draw=False)
    with reverts(contract.Table_DrawNotYet, id=drawing.id):
        contract.fire(drawing.id, 0, sender=host)
    proving = lone_winner("resignation")
    with reverts(contract.Table_WrongPhase, id=proving.id, current=Phase.PROVING):
        contract.fire(proving.id, 0, sender=host)
