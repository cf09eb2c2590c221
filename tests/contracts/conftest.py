"""For every contract test: who plays, and no stale artifacts.

ape compiles a changed file anew, but not the contracts that import it. So whatever is older than the
newest source goes, before ape reads it.
"""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MANIFEST = ROOT / ".build" / "__local__.json"


def drop_stale_artifacts() -> None:
    sources = [path for path in ROOT.glob("contracts/**/*.sol") if ".cache" not in path.parts]
    newest = max(path.stat().st_mtime for path in sources)
    if MANIFEST.exists() and MANIFEST.stat().st_mtime < newest:
        MANIFEST.unlink(missing_ok=True)


drop_stale_artifacts()


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
