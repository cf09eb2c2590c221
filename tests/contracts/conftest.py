"""For every contract test: who plays, and no stale artifacts."""

import pytest

from scripts.compile_contracts import compile_contracts


def pytest_configure(config):
    """Compile once, before there are workers; each of them would."""
    if not hasattr(config, "workerinput"):
        compile_contracts()


@pytest.fixture(scope="module")
def owner(accounts):
    """Owns the pool."""
    return accounts[0]


@pytest.fixture(scope="module")
def host(accounts):
    """Opens games: seat 0."""
    return accounts[1]


@pytest.fixture(scope="module")
def guest(accounts):
    """Joins: seat 1."""
    return accounts[2]


@pytest.fixture(scope="module")
def outsider(accounts):
    """Sits in no game."""
    return accounts[5]


@pytest.fixture(scope="module")
def keeper(accounts):
    """Makes the calls that are open to anyone."""
    return accounts[6]
