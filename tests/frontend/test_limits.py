"""Limits: floods, many at once, large bodies. Whoever keeps them is served meanwhile."""

import asyncio
from threading import Event, Semaphore

import httpx
import pytest
from fastapi.testclient import TestClient
from starlette.responses import PlainTextResponse

from frontend.app.edge import AT_ONCE, BODY_BYTES
from frontend.app.errors import TooManyRequests
from frontend.app.limits import REMEMBERED, AtOnce, Buckets, Places, client_of
from tests.frontend.bare import bare_app


@pytest.fixture
def app(tmp_path):
    app = bare_app(tmp_path, requests_per_second=20.0)
    yield app
    app.state.services.database.close()


def client_at(app, address):
    return TestClient(app, base_url="http://127.0.0.1:8080", client=(address, 5))


def test_a_flood_is_refused_while_others_are_served(app):
    flooding, other = client_at(app, "203.0.113.5"), client_at(app, "203.0.113.6")
    answered = [flooding.get("/api/bots") for _ in range(1000)]
    refused = [each for each in answered if each.status_code == 429]
    assert len(refused) > 500
    assert all(int(each.headers["retry-after"]) >= 1 for each in refused)
    assert refused[0].json()["error"]["code"] == "too_many_requests"
    assert {each.status_code for each in answered} == {200, 429}
    assert other.get("/api/bots").status_code == 200


def test_what_costs_much_has_a_rate_of_its_own(app):
    client = client_at(app, "203.0.113.5")
    answered = [client.post("/v2/input-proof", json={}).status_code for _ in range(200)]
    assert 429 in answered
    verifying = client_at(app, "203.0.113.6")
    answered = [verifying.post("/api/records/verify", json={}).status_code for _ in range(15)]
    assert 429 in answered


def test_a_bucket_fills_again():
    now = [0.0]
    buckets = Buckets(rate=2, burst=4, clock=lambda: now[0])
    assert [buckets.take("one") for _ in range(4)] == [0] * 4
    assert buckets.take("one") == 0.5
    assert buckets.take("other") == 0
    now[0] = 0.5
    assert buckets.take("one") == 0
    now[0] = 1000.0
    assert [buckets.take("one") for _ in range(4)] == [0] * 4
    assert buckets.take("one", 3) == 1.5


def test_what_is_given_back_can_be_taken_again():
    buckets = Buckets(rate=1, burst=1, clock=lambda: 0.0)
    assert buckets.take("one") == 0
    buckets.give_back("one", 5)
    assert (buckets.take("one"), buckets.take("one")) == (0, 1)


def test_memory_is_bounded():
    buckets = Buckets(rate=1, burst=1, clock=lambda: 0.0)
    for number in range(REMEMBERED + 100):
        buckets.take(str(number))
    assert len(buckets._levels) == REMEMBERED


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("203.0.113.5", "203.0.113.6", False),
        ("203.0.113.5", "::ffff:203.0.113.5", True),
        ("2001:db8::1", "2001:db8::ffff:2", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
    ],
)
def test_who_is_one_client(one, other, same):
    assert (client_of({"client": (one, 1)}) == client_of({"client": (other, 2)})) is same


def test_streams_at_once():
    """Three are asked for by one client where two may be: the third is refused until one is over."""

    async def check():
        going = asyncio.Event()

        async def stream(scope, receive, send):
            await going.wait()
            await PlainTextResponse("over")(scope, receive, send)

        limited = AtOnce(stream, "/api/stream", 2)

        def begin(path="/api/stream", address="203.0.113.5"):
            return asyncio.create_task(_status(limited, path, address))

        waiting = [begin(), begin()]
        await asyncio.sleep(0)
        assert await begin() == 429
        others = [begin(address="203.0.113.6"), begin(path="/api/games")]
        await asyncio.sleep(0)
        going.set()
        assert await asyncio.gather(*waiting, *others) == [200] * 4
        assert await begin() == 200
        assert not limited._running

    asyncio.run(check())


def test_one_client_does_not_take_all_threads_and_memory(app, monkeypatch):
    """A record of 4 MB takes 100 MB to check, and a thread of those that answer everybody."""
    going, entered = Event(), Semaphore(0)

    def check(_services, _body):
        entered.release()
        assert going.wait(120)

    monkeypatch.setattr("frontend.app.api.records.check", check)

    async def flood():
        flooding, other = (asking(app, f"203.0.113.{number}") for number in (5, 6))

        def verify(client):
            return asyncio.create_task(client.post("/api/records/verify", json={}))

        waiting = [verify(flooding) for _ in range(AT_ONCE["/api/records"])]
        for _ in waiting:
            assert await asyncio.to_thread(entered.acquire, timeout=60)
        assert (await verify(flooding)).status_code == 429
        assert (await flooding.get("/api/bots")).status_code == 200
        waiting.append(verify(other))
        assert await asyncio.to_thread(entered.acquire, timeout=60)
        going.set()
        assert {each.status_code for each in await asyncio.gather(*waiting)} == {200}

    asyncio.run(flood())


def asking(app, address):
    """A client in this event loop."""
    transport = httpx.ASGITransport(app, client=(address, 5))
    return httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8080", timeout=120)


async def _status(app, path, address):
    statuses = []

    async def send(message):
        statuses.append(message.get("status"))

    async def receive():
        return {"type": "http.request"}

    scope = {"type": "http", "method": "GET", "path": path, "client": (address, 1), "headers": []}
    await app(scope, receive, send)
    return statuses[0]


@pytest.mark.parametrize(
    ("path", "limit"),
    [
        ("/rpc", BODY_BYTES["/rpc"]),
        ("/v2/input-proof", BODY_BYTES["/v2/"]),
        ("/api/faucet", BODY_BYTES[""]),
        ("/api/bots/sandbox", BODY_BYTES[""]),
        ("/", BODY_BYTES[""]),
    ],
)
def test_large_bodies(app, path, limit):
    """With and without a length; as large as may be, it is at least not too large."""
    client = client_at(app, "203.0.113.5")
    for body in (b" " * (limit + 1), (b" " * 4096 for _ in range(limit // 4096 + 1))):
        answered = client.post(path, content=body)
        assert answered.status_code == 413
        assert answered.json()["error"]["code"] == "too_large"
    assert client.post(path, content=b" " * limit).status_code != 413


def test_who_finds_no_place_in_time_is_refused():
    asyncio.run(_look_for_a_third_place())


async def _look_for_a_third_place():
    places = Places(of_all=2, of_one=1, patience=0.01)
    async with places.taken("one"):
        with pytest.raises(TooManyRequests):
            await _take(places, "one")
        async with places.taken("another"):
            with pytest.raises(TooManyRequests):
                await _take(places, "third")
        await _take(places, "third")
    await _take(places, "one")


async def _take(places, key):
    async with places.taken(key):
        pass
