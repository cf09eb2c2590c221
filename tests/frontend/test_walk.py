"""Every path of the API, every field of its bodies and queries, with every kind of JSON: typed answers.

Nothing that is refused changes anything. The app is asked in this process; what is random elsewhere
(tests/frontend/test_openapi.py) is spelled out here.
"""

import json
import time

import pytest
from fastapi.testclient import TestClient

from frontend.app.limits import AtOnce, Rate
from tests.frontend.index.contents import contents

SECONDS = 5.0  # for one answer, on a busy machine
WITHOUT_END = "/api/stream"
DEEP = 200_000
STRINGS = [
    "",
    "a",
    "0x",
    "0x" + "zz" * 20,
    "0x" + "11" * 20,
    "é" * 300,
    "\u0000",
    "'; --",
    "-1",
    "1e400",
]
INTEGERS = [0, -1, 1, 2**31, 2**53, 2**63, 2**64, 2**256, -(2**256), 10**4000]
ATOMS = [None, True, False, 0.5, -0.0, 1e308, [], {}, [[]], {"a": 1}, *STRINGS, *INTEGERS]
RAW = {
    "nothing": b"",
    "no JSON": b"{",
    "no text": b"\xff\xfe\x00",
    "NaN": b'{"id": NaN, "address": Infinity}',
    "beyond numbers": b'{"id": 1e400, "address": -1e400}',
    "half a pair": b'{"id": "\\ud800", "address": "\\udfff", "signature": "\\ud800"}',
    "deep lists": b"[" * DEEP + b"]" * DEEP,
    "deep objects": b'{"a":' * DEEP + b"1" + b"}" * DEEP,
    "one name often": b"{" + b",".join(b'"id": 1' for _ in range(1000)) + b"}",
    "many names": json.dumps({f"n{number}": 1 for number in range(1000)}).encode(),
    "an integer without end": b'{"id": 1' + b"0" * 10_000 + b"}",
}


@pytest.fixture
def app(client, seats, open_game, catch_up, host, guest, monkeypatch):
    """An app that knows games, and answers as often as it is asked."""
    monkeypatch.setattr(Rate, "seconds", lambda *_: 0.0)
    seats(host).resign(open_game())
    seats(guest).open(b"", 2)
    catch_up()
    return client.app


@pytest.fixture
def http(app):
    return TestClient(app, base_url="http://127.0.0.1:8080", raise_server_exceptions=False)


@pytest.fixture
def operations(app):
    """Each path with its method and what it takes."""
    return [
        (path, method, operation)
        for path, item in app.openapi()["paths"].items()
        for method, operation in item.items()
        if path != WITHOUT_END
    ]


def filled(path, value=None):
    """A path to what there is; `value` in place of each of its names."""
    given = {"kind": "sandbox", "id": "1", "address": "0x" + "11" * 20}
    for name, usual in given.items():
        path = path.replace(f"{{{name}}}", usual if value is None else value)
    return path


def check(answer, where, begun):
    """The answer is no failure of the server, and in the API's form where it is a refusal."""
    assert time.monotonic() - begun < SECONDS, where
    assert answer.status_code < 500 or answer.status_code == 502, where
    if answer.status_code >= 400:
        error = answer.json()["error"]
        assert error.keys() == {"code", "message"}, where
        assert error["code"], where
        assert 0 < len(error["message"]) < 1000, where


def ask(http, method, url, **given):
    begun = time.monotonic()
    answer = http.request(method, url, **given)
    check(answer, (method, url[:200], str(given)[:200]), begun)
    return answer


def bodies(app, operation):
    """Every field of the body with every kind of JSON, alone and beside good ones."""
    reference = operation["requestBody"]["content"]["application/json"]["schema"].get("$ref", "")
    schema = app.openapi()["components"]["schemas"].get(reference.rpartition("/")[2], {})
    names = list(schema.get("properties", {"game": {}, "events": {}}))
    good = {"id": 1, "address": "0x" + "11" * 20, "signature": "0x" + "11" * 65}
    for name in names:
        for value in ATOMS:
            yield {known: good[known] for known in names if known in good} | {name: value}
        yield {known: good[known] for known in names if known in good and known != name}
    yield from ATOMS


def test_every_field_of_every_body(http, app, operations, services, monkeypatch):
    asked = 0
    before = contents(services.database)
    for path, method, operation in operations:
        if "requestBody" not in operation:
            continue
        for body in bodies(app, operation):
            if body == {"address": "0x" + "11" * 20}:
                continue  # the faucet gives
            answer = ask(http, method, filled(path), content=json.dumps(body))
            assert answer.status_code >= 400 or path.startswith("/api/records"), body
            asked += 1
    assert asked > 100
    assert contents(services.database) == before


@pytest.mark.parametrize("name", RAW)
def test_every_body_that_is_none(http, operations, name):
    for path, method, operation in operations:
        if "requestBody" in operation:
            answer = ask(http, method, filled(path), content=RAW[name])
            refused = answer.status_code in (404, 409, 413, 422)
            assert refused or answer.json().get("valid") is False, (path, name, answer.text[:200])


@pytest.mark.parametrize(
    "content_type",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "é", ""],
)
def test_every_type_of_content(http, operations, content_type):
    for path, method, operation in operations:
        if "requestBody" in operation:
            headers = {"content-type": content_type.encode()}
            ask(http, method, filled(path), content=b'{"id": 0}', headers=headers)


def test_every_name_in_a_path(http, operations):
    texts = [
        "0",
        "-1",
        "1.5",
        "1e3",
        "9" * 400,
        "x" * 3000,
        "%00",
        "%ff",
        "..%2f..",
        "é",
        "NaN",
        "0x",
    ]
    for path, method, _ in operations:
        if "{" in path:
            for text in texts:
                answer = ask(http, method, filled(path, text))
                assert answer.status_code in (404, 405, 409, 422), (path, text)


def test_every_field_of_every_query(http, operations):
    texts = [*STRINGS, *map(str, INTEGERS[:-1]), "%ff", "%00", "null", "true", "NaN", "open,live"]
    for path, method, operation in operations:
        for parameter in operation.get("parameters", []):
            if parameter["in"] == "query":
                for text in texts:
                    ask(
                        http,
                        method,
                        f"{filled(path)}?kind=sandbox",
                        params={parameter["name"]: text},
                    )
                ask(http, method, f"{filled(path)}?{parameter['name']}=1&{parameter['name']}=2")


METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "QUERY")


def test_every_method(http, operations):
    for path in {path for path, *_ in operations}:
        offered = {method.upper() for known, method, _ in operations if known == path}
        for method in set(METHODS) - offered:
            begun = time.monotonic()
            answer = http.request(method, filled(path))
            assert time.monotonic() - begun < SECONDS
            assert answer.status_code in (404, 405), (path, method)


def test_types_are_not_guessed(http):
    """What reads like the right value is not it."""
    for value in ("1", 1.5, True, [1]):
        assert ask(http, "POST", "/api/bots/sandbox", json={"id": value}).status_code == 422
    known = {"id": 1, "more": 1}
    assert ask(http, "POST", "/api/bots/sandbox", json=known).status_code == 422


def test_headers_of_any_size(http):
    for headers in ({"x": "y" * 60_000}, {f"x{number}": "y" for number in range(500)}):
        assert ask(http, "GET", "/api/games", headers=headers).status_code == 200
    for last in ("x", "-1", "9" * 400, "é".encode()):
        answer = ask(http, "GET", "/api/stream?topics=lobby", headers={"last-event-id": last})
        assert answer.status_code == 422


@pytest.mark.parametrize("path", ["/api", "/api/", "/api/nowhere", "/v2", "/rpc/x"])
def test_there_is_nothing_else(http, path):
    answer = ask(http, "GET", path)
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")


def test_requests_that_are_refused_hold_nothing(http, app, operations):
    """Whoever is refused has all their requests at once free again."""
    for path, method, _ in operations:
        ask(http, method, filled(path, "%ff"), content=b"[")
    layer, held = app.middleware_stack, []
    while layer is not None:
        held += [layer._running] if isinstance(layer, AtOnce) else []
        layer = getattr(layer, "_app", getattr(layer, "app", None))
    assert held
    assert all(not each for each in held)
