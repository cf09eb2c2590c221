"""More seats, contracts and games for the table's tests."""

import pytest
from ape import networks

from tests.contracts.table.match import NOBODY, STAKE, Match

CLOCKS = WAIT, NOTICE, PROOF = (600, 100, 200)  # seconds
CONTROLS = [(60, 3), (300, 1)]  # seconds for a move, keep-alives
MOVE = CONTROLS[0][0]


@pytest.fixture
def chain_with_history():
    """A chain that has the contract of EIP-2935: the hashes of 8,191 blocks. It is not reverted."""
    prague = {"hardfork": "prague"}
    with networks.parse_network_choice("ethereum:local:fhevm", prague) as provider:
        yield provider.chain_manager


@pytest.fixture(scope="module")
def third(accounts):
    """Takes the third seat."""
    return accounts[3]


@pytest.fixture(scope="module")
def fourth(accounts):
    """Takes the fourth seat."""
    return accounts[4]


@pytest.fixture(scope="module")
def seated(host, guest, third, fourth):
    """Who takes the seats, in order."""
    return [host, guest, third, fourth]


@pytest.fixture(scope="module")
def table(project, owner):
    """A game without rules, whose moves are what the table offers."""
    return owner.deploy(project.Sandbox, owner, CLOCKS, CONTROLS)


@pytest.fixture
def open_game(table, chain, seated, keeper):
    """Factory: a game of `seats`, of which the first `taken` are taken; drawn once all are."""

    def open_game(seats=2, taken=None, *, stake=STAKE, opponent=NOBODY, control=0, draw=True):
        players = seated[: seats if taken is None else taken]
        table.open(b"", seats, control, opponent, value=stake, sender=players[0])
        match = Match(table, chain, table.gameCount(), players, stake)
        for player in players[1:]:
            table.join(match.id, value=stake, sender=player)
        if draw and len(players) == seats:
            match.draw(keeper)
        return match

    return open_game


@pytest.fixture
def open_wait(open_game):
    """Factory: a game that waits for a value from outside."""

    def open_wait(**options):
        match = open_game(**options)
        match.table.beginWait(match.id, sender=match.on_turn)
        return match

    return open_wait


@pytest.fixture
def puppet_game(table, chain, host, keeper):
    """Factory: a game between `host` and a contract account, drawn."""

    def puppet_game(puppet, stake=STAKE):
        table.open(b"", 2, 0, NOBODY, value=stake, sender=host)
        match = Match(table, chain, table.gameCount(), [host, puppet], stake)
        data = table.join.encode_input(match.id)
        puppet.act(table, data, value=stake, sender=keeper)
        match.draw(keeper)
        return match

    return puppet_game
