"""The contract, and games that have begun."""

import pytest

from tests.contracts.battleship.duel import Duel, commit, sent
from tests.contracts.table.match import NOBODY, STAKE

CLOCKS = (_, _, PROOF) = (600, 100, 200)  # wait, notice, proof, in seconds
CONTROLS = [(60, 3), (300, 3)]  # seconds for a move, keep-alives
MOVE = CONTROLS[0][0]
DEPLOYMENT_ID = b"\xd1" * 32


@pytest.fixture(scope="module")
def contract(project, owner):
    return owner.deploy(project.Battleship, owner, CLOCKS, CONTROLS, DEPLOYMENT_ID)


@pytest.fixture
def open_game(contract, chain, host, guest, keeper):
    """Factory: a game that has begun. `fleets` and `cells` say what each seat commits."""

    def open_game(size=6, *, fleets=(None, None), cells=(None, None), stake=STAKE, draw=True):
        players = (host, guest)
        boards = [
            commit(contract, chain, player, size, ships, cells=held)
            for player, ships, held in zip(players, fleets, cells, strict=True)
        ]
        contract.open(size, sent(boards[0]), 0, NOBODY, value=stake, sender=host)
        duel = Duel(contract, chain, contract.gameCount(), players, stake, size, boards)
        contract.join(duel.id, sent(boards[1]), value=stake, sender=guest)
        if draw:
            duel.draw(keeper)
        return duel

    return open_game


@pytest.fixture
def lone_winner(open_game):
    """Factory: a game in which `winner` is to prove their board, and how they came to that."""

    def lone_winner(how, winner=0, **options):
        duel = open_game(**options)
        if how == "shooting":
            duel.shoot_down(winner)
        elif how == "resignation":
            duel.table.resign(duel.id, sender=duel.players[1 - winner])
        elif how == "timeout":
            if duel.turn.onTurn == winner:
                duel.fire(duel.size**2 - 1)
            duel.expire()
            duel.table.claimTimeout(duel.id, sender=duel.players[winner])
        elif how == "verdict":
            if duel.turn.onTurn != winner:
                duel.fire(duel.size**2 - 1)
                duel.answer()
            duel.fire(duel.size**2 - 1)
            game, cell, is_ship, salt, proof, sunk = duel.arguments()
            false = (game, cell, not is_ship, salt, proof, sunk)
            duel.table.answer(*false, sender=duel.players[1 - winner])
        return duel

    return lone_winner
