"""What each call costs (transaction included), against the committed figures in gas.json.

What a reveal costs depends on the hits at the board, not on the misses: the contract does not read them
again.
"""

import random
from pathlib import Path
from statistics import median

import pytest

from tests.contracts.battleship.duel import commit, sent
from tests.contracts.figures import check_figures
from tests.contracts.table.match import NOBODY

SHOTS = 60


@pytest.fixture
def measured(contract, chain, open_game, host, guest):
    """Gas by call, for players who have played before."""
    warm = open_game(10)
    contract.resign(warm.id, sender=host)
    contract.open(10, sent(commit(contract, chain, host, 10)), 0, NOBODY, value=1, sender=host)
    gas = {
        "open": contract.open(
            10, sent(commit(contract, chain, host, 10)), 0, NOBODY, value=1, sender=host
        ).gas_used
    }
    joined = contract.join(
        contract.gameCount(), sent(commit(contract, chain, guest, 10)), value=1, sender=guest
    )
    gas["join"] = joined.gas_used
    return gas | turns(open_game(10)) | reveals(open_game)


def turns(duel):
    """A game of 10 x 10 in which both fire at random."""
    rng = random.Random(5)
    cells = [iter(rng.sample(range(100), 100)) for _ in range(2)]
    gas = {"fire": duel.fire(next(cells[duel.turn.onTurn])).gas_used}
    both = [duel.answer_and_fire(next(cells[duel.turn.onTurn])).gas_used for _ in range(SHOTS)]
    gas["answer"] = duel.answer().gas_used
    return gas | {"answerAndFire median": int(median(both)), "answerAndFire most": max(both)}


def reveals(open_game):
    """The winner of a resignation proves their board, of which one cell was not hit."""
    gas = {}
    for size in (6, 10, 20):
        duel = open_game(size)
        ships = iter(sorted(duel.boards[0].ship_cells)[:-1])
        waters = duel.misses()
        duel.fire(next(ships) if duel.turn.onTurn == 1 else next(waters))
        while duel.turn.onTurn == 0 or duel.shooting.hits[0] < len(duel.boards[0].ship_cells) - 1:
            seat = duel.turn.onTurn
            duel.answer_and_fire(next(waters) if seat == 0 else next(ships, size * size - 1))
        duel.table.resign(duel.id, sender=duel.players[1])
        gas[f"reveal {size}"] = duel.reveal(0).gas_used
    return gas


def test_gas(measured):
    check_figures(Path(__file__).parent, measured)


def test_gas_aims(measured):
    """At most 65 k for a turn on 10 x 10, at most 450 k to prove the largest board."""
    assert measured["answerAndFire median"] <= 65_000
    assert measured["reveal 20"] <= 450_000
