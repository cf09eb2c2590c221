"""Common set-up: the pinned tools must be known before ape looks for a compiler or a chain."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from fhevm.toolchain import export_environment
from tests.amount import enough
from tests.postgresql import running_postgresql

export_environment()

# How fast a machine is decides no test.
settings.register_profile("suite", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("suite")


def pytest_report_header() -> str:
    """How much is compared."""
    return f"amount: {enough('enough', 'all')}"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that take long come first, else the last of them keeps one worker busy alone."""
    long = {
        item.path for item in items if item.get_closest_marker("slow") or "e2e" in item.path.parts
    }
    items.sort(key=lambda item: item.path not in long)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Callable[[], str]]:
    """Makes an empty database at each call and returns its URL."""
    with running_postgresql() as create_schema:
        yield create_schema


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database, of each kind that is promised to work."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'base.sqlite'}"
    return request.getfixturevalue("postgresql")()
