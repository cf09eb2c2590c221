"""A defender who will not say what is there. Each well-formed falsehood is a verdict against its sender."""

import pytest
from ape import reverts

from battleship.commitment import keccak, leaf, tree
from tests.contracts.battleship.duel import Verdict
from tests.contracts.table.match import Phase

SHIP, WATER = 0, 35


@pytest.fixture
def asked(open_game):
    """Factory: a game in which a shot at `cell` waits for its answer, and the true answer."""

    def asked(cell):
        duel = open_game()
        duel.fire(cell)
        return duel, list(duel.arguments())

    return asked


def assert_convicted(duel, arguments):
    """The answer makes its sender the cheater, and the other is paid once they have proved their board."""
    cheat, cell = duel.turn.onTurn, duel.shooting.target
    receipt = duel.table.answer(*arguments, sender=duel.on_turn)
    assert duel.table.OpeningFalse(duel.id, cheat, cell) in receipt.events
    assert duel.phase is Phase.PROVING
    amounts = duel.gains(lambda: duel.reveal(1 - cheat))
    assert amounts == [0 if seat == cheat else duel.prize for seat in (0, 1)]
    assert duel.verdict is Verdict.FAIR


@pytest.mark.parametrize("cell", [SHIP, WATER])
def test_a_hit_called_a_miss_and_a_miss_called_a_hit(asked, cell):
    duel, arguments = asked(cell)
    arguments[2] = not arguments[2]
    assert_convicted(duel, arguments)


def test_the_right_value_with_the_salt_of_another_cell(asked):
    duel, arguments = asked(WATER)
    arguments[3] = duel.boards[duel.turn.onTurn].salt(WATER - 1)
    assert_convicted(duel, arguments)


def test_the_opening_of_another_cell_under_this_index(asked):
    duel, arguments = asked(SHIP)
    other = duel.boards[duel.turn.onTurn].open(WATER)
    arguments[2:5] = other.is_ship, other.salt, list(other.proof)
    assert_convicted(duel, arguments)


def test_the_siblings_in_another_order(asked):
    duel, arguments = asked(WATER)
    arguments[4] = arguments[4][::-1]
    assert_convicted(duel, arguments)


def test_answering_for_the_neighbour_whose_leaf_is_the_sibling(asked):
    """A verifier of sorted pairs takes it: leaf and sibling change places."""
    duel, arguments = asked(SHIP)
    board = duel.boards[duel.turn.onTurn]
    own = board.open(SHIP)
    neighbour = board.open(SHIP + 1)
    own_leaf = leaf(board.game_key.digest(), SHIP, own.is_ship, own.salt)
    arguments[2:5] = neighbour.is_ship, neighbour.salt, [own_leaf, *own.proof[1:]]
    assert_convicted(duel, arguments)


def test_a_second_opposite_leaf_in_a_padding_slot(contract, chain, open_game, monkeypatch):
    """The tree of 36 cells has 28 slots more; one holds 'cell 0 is water', which sorted pairs accept."""
    from battleship.commitment import Commitment

    def with_spare_leaf(board):
        key = board.game_key.digest()
        cells = range(board.game_key.size**2)
        leaves = [leaf(key, i, i in board.ship_cells, board.salt(i)) for i in cells]
        return tree((*leaves, leaf(key, SHIP, False, board.salt(SHIP))))

    monkeypatch.setattr(Commitment, "levels", property(with_spare_leaf))
    duel = open_game()
    duel.fire(SHIP)
    board, slot = duel.boards[duel.turn.onTurn], 36
    proof = [level[slot >> height ^ 1] for height, level in enumerate(board.levels[:-1])]
    assert_convicted_in_padding(duel, (duel.id, SHIP, False, board.salt(SHIP), proof, 0))


def assert_convicted_in_padding(duel, arguments):
    """Their own board has a spare leaf too, so nobody here can prove: the verdict is what counts."""
    cheat = duel.turn.onTurn
    receipt = duel.table.answer(*arguments, sender=duel.on_turn)
    assert duel.table.OpeningFalse(duel.id, cheat, SHIP) in receipt.events
    with reverts(duel.table.Battleship_WrongRoot, id=duel.id, seat=1 - cheat):
        duel.reveal(1 - cheat)


def test_an_empty_proof_with_the_leaf_as_root(contract, chain, open_game):
    """Refused for its length; nothing has changed, and the clock still runs."""
    duel = open_game()
    duel.fire(SHIP)
    before = duel.turn.deadline
    with reverts(contract.Battleship_WrongProofLength, given=0, expected=6):
        contract.answer(duel.id, SHIP, False, bytes(32), [], 0, sender=duel.on_turn)
    assert duel.turn.deadline == before


def test_an_inner_node_as_leaf(asked):
    """64 bytes are hashed for a node, 128 for a leaf: a shorter proof has no leaf to show."""
    duel, arguments = asked(WATER)
    arguments[3] = keccak(arguments[3] + arguments[4][0])
    assert_convicted(duel, arguments)


def test_a_cheater_gains_nothing_by_revealing_afterwards(asked):
    duel, arguments = asked(WATER)
    cheat = duel.turn.onTurn
    arguments[2] = True
    assert_convicted(duel, arguments)
    assert duel.gains(lambda: duel.reveal(cheat)) == [0, 0]


def test_who_will_not_answer_loses_on_time(asked):
    duel, _ = asked(SHIP)
    silent = duel.turn.onTurn
    duel.expire()
    duel.table.claimTimeout(duel.id, sender=duel.players[1 - silent])
    assert duel.gains(lambda: duel.reveal(1 - silent))[1 - silent] == duel.prize
