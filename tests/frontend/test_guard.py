"""Foreign pages, names that were made to lead here, and what every answer tells the browser."""

import asyncio

import httpx
import pytest
from fastapi.testclient import TestClient

from frontend.app.guard import Guard
from frontend.app.headers import HEADERS
from frontend.app.limits import Rate
from frontend.app.server import make_config
from frontend.app.settings import WebSettings
from tests.frontend.bare import bare_app

OWN = {"Origin": "http://127.0.0.1:8080", "Sec-Fetch-Site": "same-origin"}
CALL = {"id": 1, "method": "evm_mine"}  # refused, but answered by us


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    app = bare_app(tmp_path_factory.mktemp("guard"))
    yield TestClient(app, base_url="http://127.0.0.1:8080")
    app.state.services.database.close()


@pytest.fixture(autouse=True)
def unlimited(monkeypatch):
    monkeypatch.setattr(Rate, "seconds", lambda *_: 0.0)


@pytest.mark.parametrize("path", ["/rpc", "/v2/clock", "/api/faucet", "/api/bots/sandbox", "/"])
@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "https://127.0.0.1:8080.evil.example"},
        {"Origin": "http://localhost:3000"},
        {"Origin": "http://127.0.0.1"},
        {"Origin": "null"},
        {"Origin": ""},
        {"Origin": "http://["},
        {"Origin": "http://[::1"},
        {"Origin": "http://[not-an-address]"},
        {"Origin": "chrome-extension://["},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"},
        {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors"},
        {"Host": "evil.example"},
        {"Host": "evil.example:8080", "Origin": "http://evil.example:8080"},
        {"Host": "127.0.0.1.evil.example"},
        {"Host": "[::1"},
        {"Host": "["},
        {"Host": "[]"},
        {"Host": "[127.0.0.1]"},
        {"Host": "127.0.0.1/x"},
        {"Host": "somebody@127.0.0.1"},
        {"Host": ""},
    ],
)
def test_foreign_pages_get_nothing(client, path, headers):
    for method in ("GET", "POST"):
        answered = client.request(method, path, headers=headers)
        assert (answered.status_code, answered.json()["error"]["code"]) == (403, "foreign_page")


@pytest.mark.parametrize(
    "headers",
    [
        {},
        OWN,
        {"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate"},
        {"Host": "localhost:8080", "Origin": "http://localhost:8080"},
        {"Host": "LOCALHOST:8080", "Origin": "http://localhost:8080"},
        {"Host": "[::1]:8080", "Origin": "http://[::1]:8080"},
    ],
)
def test_the_own_page_and_programs_are_served(client, headers):
    assert client.post("/rpc", json=CALL, headers=headers).status_code == 200
    assert client.get("/api/bots", headers=headers).status_code == 200


def test_a_link_on_another_page_leads_here(client):
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert client.get("/battleship/7", headers=headers).status_code != 403
    foreign_form = headers | {"Origin": "http://evil.example"}
    assert client.post("/api/faucet", headers=foreign_form).status_code == 403


def test_a_wallet_asks_the_chain_and_nothing_else(client):
    headers = {"Origin": "chrome-extension://abcdefgh", "Sec-Fetch-Site": "none"}
    assert client.post("/rpc", json=CALL, headers=headers).status_code == 200
    assert client.post("/api/faucet", json={}, headers=headers).status_code == 403
    lookalike = {"Origin": "http://x-extension"}
    assert client.post("/rpc", json=CALL, headers=lookalike).status_code == 403


@pytest.mark.parametrize(
    ("settings", "host", "status"),
    [
        (WebSettings(names=("play.example.org",)), "play.example.org", 200),
        (WebSettings(names=("play.example.org",)), "other.example.org", 403),
        (WebSettings(host="192.0.2.7"), "192.0.2.7:8080", 200),
        (WebSettings(host="0.0.0.0"), "192.0.2.7:8080", 403),
    ],
)
def test_names_of_this_server(settings, host, status):
    assert asyncio.run(_status(settings, host)) == status


async def _status(settings, host):
    async def app(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body"})

    transport = httpx.ASGITransport(Guard(app, settings.known_as))
    async with httpx.AsyncClient(transport=transport, base_url="http://x") as client:
        return (await client.get("/", headers={"Host": host})).status_code


def test_every_answer_has_the_headers(client):
    answers = [
        client.get("/"),
        client.get("/api/bots"),
        client.get("/api/nowhere"),
        client.post("/rpc", json=CALL),
        client.post("/rpc", content=b" " * 1_000_000),
        client.get("/v2/clock"),
        client.get("/", headers={"Host": "evil.example"}),
    ]
    assert {each.status_code for each in answers} >= {200, 403, 404, 413, 503}
    for answered in answers:
        assert HEADERS.items() <= dict(answered.headers).items()
        assert "access-control-allow-origin" not in answered.headers
    assert all(each.headers["cache-control"] == "no-store" for each in answers[1:6])


def test_the_policy_allows_no_other_host_and_no_inline_script():
    policy = HEADERS["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    for dangerous in ("unsafe", "http", "*", "script-src", "connect-src"):
        assert dangerous not in policy


@pytest.mark.parametrize(
    ("proxies", "seen"),
    [((), "127.0.0.1"), (("127.0.0.1",), "203.0.113.9"), (("10.0.0.1",), "127.0.0.1")],
)
def test_who_asks_is_taken_from_a_header_only_where_that_is_configured(proxies, seen, monkeypatch):
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")
    assert asyncio.run(_client_seen(WebSettings(proxies=proxies), "203.0.113.9")) == seen


async def _client_seen(settings, forwarded):
    seen = []

    async def app(scope, receive, send):
        seen.append(scope["client"][0])
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body"})

    config = make_config(app, settings)
    config.load()
    transport = httpx.ASGITransport(config.loaded_app, client=("127.0.0.1", 5))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        await client.get("/", headers={"X-Forwarded-For": forwarded})
    return seen[0]
