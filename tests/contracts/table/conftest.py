"""More seats, contracts and games for the table's tests."""

import pytest

from tests.contracts.table.match import NOBODY, STAKE, Match

CLOCKS = (20, 30, 10)  # move, wait, notice


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
    return owner.deploy(project.Sandbox, owner, CLOCKS)


@pytest.fixture
def open_game(table, chain, seated, keeper):
    """Factory: a game of `seats`, of which the first `taken` are taken; drawn once all are."""

    def open_game(seats=2, taken=None, *, stake=STAKE, opponent=NOBODY, draw=True, on=table):
        players = seated[: seats if taken is None else taken]
        on.open(b"", seats, opponent, value=stake, sender=players[0])
        match = Match(on, chain, on.gameCount(), players, stake)
        for player in players[1:]:
            on.join(match.id, value=stake, sender=player)
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
        table.open(b"", 2, NOBODY, value=stake, sender=host)
        match = Match(table, chain, table.gameCount(), [host, puppet], stake)
        data = table.join.encode_input(match.id)
        puppet.act(table, data, value=stake, sender=keeper)
        match.draw(keeper)
        return match

    return puppet_game
