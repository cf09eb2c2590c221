"""The API does what its OpenAPI document says, whatever it is asked (schemathesis)."""

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.generation import GenerationMode

from frontend.app.limits import Rate
from tests.amount import enough
from tests.fogbound.sandbox import GAME

EXAMPLES = enough(12, 100)  # a path
WITHOUT_END = ["/api/stream"]  # tests/frontend/api/test_live.py


@pytest.fixture
def api(client, seats, open_game, catch_up, host, guest, monkeypatch):
    """An app that knows an open, a live and a finished game, and answers as often as it is asked."""
    monkeypatch.setattr(Rate, "seconds", lambda *_: 0.0)
    seats(host).resign(open_game())
    open_game()
    seats(guest).open(b"", 2)
    catch_up()
    return schemathesis.openapi.from_asgi("/api/openapi.json", client.app)


schema = schemathesis.pytest.from_fixture("api").exclude(path=WITHOUT_END)


@schema.parametrize()
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
def test_every_answer_is_as_documented(case):
    case.call_and_validate()
    if case.meta.generation.mode is GenerationMode.POSITIVE:
        ask_for_what_there_is(case)
        case.call_and_validate()


def ask_for_what_there_is(case):
    """A name at random is hardly ever a game's."""
    if "kind" in case.path_parameters:
        case.path_parameters["kind"] = GAME.name
    if "id" in case.path_parameters:
        case.path_parameters["id"] = 1 + int(case.path_parameters["id"]) % 3
    if "kind" in case.query:
        case.query["kind"] = GAME.name
