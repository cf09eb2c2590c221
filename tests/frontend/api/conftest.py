"""The API over an index on each kind of database."""

import pytest

from frontend.app.settings import WebSettings


@pytest.fixture
def settings(settings: WebSettings, database_url: str) -> WebSettings:
    return settings.model_copy(update={"database": database_url})
