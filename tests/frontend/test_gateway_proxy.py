"""The relayer's paths lead to the gateway, and no other path leads anywhere."""

import httpx
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from fhevm.clients import CLIENT_HEADER, TOKEN_HEADER
from fogbound.contracts import Registry
from frontend.app.gateway_proxy import gateway_router
from frontend.app.network import Network
from frontend.app.upstream import Upstream

GATEWAY = "http://gateway.invalid:1"
KINDS = ("input-proof", "user-decrypt", "delegated-user-decrypt", "public-decrypt")
TRICKS = [
    "/v2/",
    "/v2/keyurl/",
    "/v2/keyurl/..",
    "/v2/%2e%2e/admin",
    "/v2//other.invalid/keyurl",
    "/v2/http://other.invalid",
    "/v2/openapi.json",
    "/v2/user-decrypt/..%2f..%2fadmin",
    "/v2/user-decrypt/a%2fb",
    "/v2/user-decrypt/a%3fb",
    "/v2/user-decrypt/a%23b",
    "/v2/user-decrypt/a@other.invalid",
    "/v2/user-decrypt/" + "a" * 65,
    "/v2/user-decrypt/a%0d%0aX: y",
    "/v2/unknown/1",
]


@pytest.fixture
def asked():
    return []


@pytest.fixture
def make_client(asked):
    def make(gateway=GATEWAY, answer=None):
        def answers(request):
            asked.append((request.method, str(request.url), request.content))
            return answer(request) if answer else httpx.Response(202, json={"jobId": "7"})

        network = Network("http://node.invalid", gateway, 31337, Registry())
        upstream = Upstream(lambda: network, httpx.MockTransport(answers))
        app = FastAPI()
        app.include_router(gateway_router(upstream))
        return TestClient(app)

    return make


@pytest.mark.parametrize("kind", KINDS)
def test_requests_and_their_results(make_client, asked, kind):
    client = make_client()
    answered = client.post(f"/v2/{kind}?to=http://other.invalid", content=b'{"a": 1}')
    assert (answered.status_code, answered.json()) == (202, {"jobId": "7"})
    client.get(f"/v2/{kind}/0f-A_7?x=1")
    assert asked == [
        ("POST", f"{GATEWAY}/v2/{kind}", b'{"a": 1}'),
        ("GET", f"{GATEWAY}/v2/{kind}/0f-A_7", b""),
    ]


@pytest.mark.parametrize("path", ["/v2/keyurl", "/v2/clock"])
def test_what_everybody_may_read(make_client, asked, path):
    assert make_client().get(path).status_code == 202
    assert asked == [("GET", GATEWAY + path, b"")]


@pytest.mark.parametrize("path", TRICKS)
def test_no_other_path_leads_to_the_gateway(make_client, asked, path):
    client = make_client()
    for method in ("GET", "POST"):
        answered = client.request(method, path, follow_redirects=False)
        assert answered.status_code in {307, 404, 405, 422}
    assert asked == []


def test_other_methods_do_not_either(make_client, asked):
    client = make_client()
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS"):
        assert client.request(method, "/v2/keyurl").status_code == 405
    assert asked == []


def test_only_status_and_json_come_back(make_client):
    told = httpx.Response(401, text="{}", headers={"set-cookie": "a=b", "location": "/x"})
    answered = make_client(answer=lambda _: told).get("/v2/clock")
    assert (answered.status_code, answered.headers["content-type"]) == (401, "application/json")
    assert not {"set-cookie", "location"} & set(answered.headers)


def test_a_gateway_that_is_away_is_told_in_its_own_form(make_client):
    def away(request):
        raise httpx.ConnectError(f"no route to {request.url}")

    for client in (make_client(answer=away), make_client(gateway=None)):
        answered = client.get("/v2/clock")
        assert answered.status_code == 503
        assert answered.json()["error"]["label"] == "Unavailable"
        assert "invalid" not in answered.text


@pytest.mark.parametrize("token", ["ab" * 32, None])
def test_the_gateway_is_told_for_whom_it_works(token):
    """By the server's word alone: what a client says of themselves is not passed on."""
    seen = []

    def answers(request):
        seen.append({name: request.headers.get(name) for name in (CLIENT_HEADER, TOKEN_HEADER)})
        return httpx.Response(
            429, json={"status": "failed"}, headers={"retry-after": "1", "x-a": "b"}
        )

    network = Network("http://node.invalid", GATEWAY, 31337, Registry(), proxy_token=token)
    upstream = Upstream(lambda: network, httpx.MockTransport(answers))
    app = FastAPI()
    app.include_router(gateway_router(upstream))
    client = TestClient(app, client=("203.0.113.5", 1234))
    lies = {CLIENT_HEADER: "198.51.100.7", TOKEN_HEADER: "cd" * 32}
    refused = client.post("/v2/public-decrypt", json={}, headers=lies)
    told = {CLIENT_HEADER: "203.0.113.5" if token else None, TOKEN_HEADER: token}
    assert seen == [told]
    assert (refused.headers["retry-after"], refused.headers.get("x-a")) == ("1", None)
