"""The contract, and games that have begun."""

import pytest

from tests.contracts.bunkerwar.battle import NOBODY, STAKE, Battle

CLOCKS = (20, 30, 10)  # move, wait, notice


@pytest.fixture(scope="module")
def contract(project, fhevm, owner):
    """Bunker War Z, on a chain that has an fhEVM."""
    return owner.deploy(project.BunkerWar, owner, CLOCKS)


@pytest.fixture
def open_game(contract, fhevm, chain, host, guest, keeper):
    """Factory: a game that has begun."""

    def open_game(lanes=4, depth=4, stacked=False, *, stake=STAKE, draw=True):
        contract.open(lanes, depth, stacked, NOBODY, value=stake, sender=host)
        battle = Battle(contract, fhevm, chain, contract.gameCount(), (host, guest), keeper)
        contract.join(battle.id, value=stake, sender=guest)
        if draw:
            chain.mine(battle.turn.mark - chain.blocks.height)
            contract.settleDraw(battle.id, sender=keeper)
        return battle

    return open_game
