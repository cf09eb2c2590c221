"""What each call costs (transaction included), against the committed figures in gas.json."""

from pathlib import Path

import pytest

from tests.contracts.figures import check_figures
from tests.contracts.table.match import NOBODY


@pytest.fixture
def measured(table, open_game, host, guest, outsider, keeper):
    """Gas by call, each after the same call has been made once (no first-time storage)."""
    gas = {}

    def note(name, receipt):
        gas[name] = receipt.gas_used

    warm = open_game()
    table.resign(warm.id, sender=host)
    open_game(taken=1, stake=1)  # somebody waits already
    note("open", table.open(b"", 2, 0, NOBODY, value=1, sender=host))
    note("join", table.join(table.gameCount(), value=1, sender=guest))
    note("quickMatch joining", table.quickMatch(b"", 2, 0, value=1, sender=guest))
    match = open_game(draw=False)
    note("settleDraw", match.draw(keeper))
    table.skip(match.id, sender=match.on_turn)
    note("a bare move", table.skip(match.id, sender=match.on_turn))
    note("keepAlive", table.keepAlive(match.id, sender=match.on_turn))
    note("offerDraw", table.offerDraw(match.id, 2, sender=host))
    note("resign", table.resign(match.id, sender=host))
    late = open_game()
    if late.on_turn == host:  # whoever sits on seat 0 is found with one read less
        table.skip(late.id, sender=host)
    late.expire()
    note("claimTimeout", table.claimTimeout(late.id, sender=host))
    left = open_game(taken=1)
    note("cancel", table.cancel(left.id, sender=host))
    return gas


def test_gas(measured):
    check_figures(Path(__file__).parent, measured)


def test_games_fit_into_a_contract(project):
    for name in ("Sandbox", "DiceRace", "Secrets", "BunkerWar", "Battleship"):
        code = project.get_contract(name).contract_type.runtime_bytecode.bytecode
        size = len(code.removeprefix("0x")) // 2
        print(name, size)
        assert size <= 24_576, name
