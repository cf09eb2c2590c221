"""The contract, and games that have begun."""

import pytest

from tests.contracts.bunkerwar.battle import NOBODY, STAKE, Battle

CLOCKS = WAIT, NOTICE, _ = (600, 100, 200)  # seconds
CONTROLS = [(60, 3), (300, 3)]  # seconds for a move, keep-alives


@pytest.fixture(scope="module")
def contract(project, fhevm, owner):
    """Bunker War Z, on a chain that has an fhEVM."""
    return owner.deploy(project.BunkerWar, owner, CLOCKS, CONTROLS)


@pytest.fixture
def open_game(contract, fhevm, chain, host, guest, keeper):
    """Factory: a game that has begun."""

    def open_game(lanes=4, depth=4, stacked=False, *, stake=STAKE, draw=True):
        contract.open(lanes, depth, stacked, 0, NOBODY, value=stake, sender=host)
        battle = Battle(contract, fhevm, chain, contract.gameCount(), (host, guest), keeper)
        contract.join(battle.id, value=stake, sender=guest)
        if draw:
            battle.draw()
        return battle

    return open_game
