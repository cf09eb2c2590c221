"""What each call costs (transaction included), against the committed figures in gas.json; the code's size."""

from pathlib import Path

import pytest

from tests.contracts.bunkerwar.battle import NOBODY, STAKE
from tests.contracts.figures import check_figures

RUNTIME_LIMIT = 24_576


@pytest.fixture
def measured(contract, open_game, host, guest):
    """Gas by call, for players who have played before."""
    finish(open_game(1, 2))
    gas = {}

    def note(name, receipt):
        gas[name] = receipt.gas_used
        return receipt

    contract.open(4, 4, False, 0, NOBODY, value=STAKE, sender=host)  # somebody waits already
    note("open", contract.open(4, 4, False, 0, NOBODY, value=STAKE, sender=host))
    note("join", contract.join(contract.gameCount(), value=STAKE, sender=guest))
    battle = open_game(2, 8, draw=False)
    note("settleDraw", battle.draw())
    builds(battle, note)
    missiles(open_game(), note)
    note("settle", finish(open_game(1, 2)))
    return gas


def builds(battle, note):
    """Buildings of one player in one lane, all of them hidden."""
    note("build, first in its lane", battle.build(0, 0))
    battle.skip()
    note("build, outermost", battle.build(0, 7))
    battle.skip()
    note("build, below hidden ones", battle.build(0, 3))


def missiles(battle, note):
    """One at an empty lane, one at a lane of which nobody knows what stands there."""
    note("sendMissile, known lane", battle.launch(0))
    battle.play("B a1", "B a1", "H b1")
    note("sendMissile", battle.launch(0))
    note("resolveMissile", battle.resolve())


def finish(battle):
    """The first player wins."""
    battle.play("H a1", "B a1", "H a2", "H a2")
    return battle.settle()


def test_gas(measured):
    check_figures(Path(__file__).parent, measured)


def test_gas_aims(measured):
    """At most 290 k for a building beside others, 80 k for a missile, 100 k for where it stops."""
    assert measured["build, outermost"] <= 290_000
    assert measured["build, below hidden ones"] <= 290_000
    assert measured["sendMissile"] <= 80_000
    assert measured["resolveMissile"] <= 100_000


def test_the_code_fits(contract, chain):
    assert len(chain.provider.get_code(contract.address)) < RUNTIME_LIMIT


def test_a_full_board_of_the_largest_size_can_be_counted(contract, open_game):
    """Within the protocol's 20,000,000 HCU, 5,000,000 in depth, and an Ethereum block's gas."""
    battle = open_game(8, 8)
    for action in range(128):
        cell = action // 2
        receipt = battle.build(cell // 8, cell % 8, action % 3 == 0)
    assert receipt.gas_used < 5_000_000
    (settled,) = battle.settle().decode_logs(contract.ResultSettled)
    scores = [battle.board(seat).score for seat in (0, 1)]
    expected = 2 if scores[0] == scores[1] else int(scores[1] > scores[0])
    assert settled.result == expected
