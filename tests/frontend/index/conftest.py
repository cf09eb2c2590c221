"""An index of the test game in a file of its own."""

import pytest

from frontend.app.index.database import Database
from frontend.app.index.reader import Reader
from tests.fogbound.sandbox import GAME


@pytest.fixture
def database(tmp_path):
    opened = Database.open(None, tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def reader(connection):
    return Reader(connection, [GAME])
