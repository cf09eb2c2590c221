"""What reaches an application behind a limit on bodies."""

import asyncio

import pytest

from fhevm.limits import BodyLimit

HTTP = {"type": "http", "method": "POST", "path": "/", "headers": []}


@pytest.fixture
def bodies():
    """Those that the application was given."""
    return []


@pytest.fixture
def statuses():
    """Of the answers that the client was sent."""
    return []


@pytest.fixture
def post(bodies, statuses):
    """Send messages to an application that takes four bytes at most."""

    async def application(scope, receive, send):
        bodies.append((await receive())["body"])
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def send(message):
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    def post(*messages):
        incoming = iter(messages)

        async def receive():
            return next(incoming)

        asyncio.run(BodyLimit(application, 4)(HTTP, receive, send))

    return post


def part(body, more=False):
    return {"type": "http.request", "body": body, "more_body": more}


def test_a_body_in_parts_is_handed_on_whole(post, bodies, statuses):
    post(part(b"ab", more=True), part(b"cd"))
    assert (bodies, statuses) == ([b"abcd"], [200])


def test_a_body_beyond_the_limit_is_answered_before_it_ends(post, bodies, statuses):
    post(part(b"abc", more=True), part(b"de", more=True))
    assert (bodies, statuses) == ([], [413])


def test_a_body_that_breaks_off_is_nobodys(post, bodies, statuses):
    post(part(b"ab", more=True), {"type": "http.disconnect"})
    assert (bodies, statuses) == ([], [])


def test_a_body_of_very_many_values_is_refused(post, bodies, statuses, monkeypatch):
    monkeypatch.setattr("fhevm.jsonsize.FEW_VALUES", 2)
    post(part(b"[[[]"))
    post(part(b"[[]]"))
    assert (bodies, statuses) == ([b"[[]]"], [413, 200])
