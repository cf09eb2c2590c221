"""Who asks the gateway, as far as sharing goes."""

import pytest
from starlette.requests import Request

from fhevm.clients import CLIENT_HEADER, TOKEN_HEADER, client_of

TOKEN = "ab" * 32


def request(**headers):
    named = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return Request({"type": "http", "client": ("127.0.0.1", 4321), "headers": named})


def headers(client, token):
    return {CLIENT_HEADER.replace("-", "_"): client, TOKEN_HEADER.replace("-", "_"): token}


def test_an_address_is_a_client():
    assert client_of(request(), TOKEN) == client_of(request()) == "127.0.0.1"


def test_a_proxy_with_the_token_names_the_client():
    asked = request(**headers("203.0.113.5", TOKEN))
    assert client_of(asked, TOKEN) == "127.0.0.1 for 203.0.113.5"


@pytest.mark.parametrize("shown", ["", "cd" * 32, TOKEN[:-1], TOKEN + "0", "é"])
def test_attack_nobody_else_does(shown):
    asked = request(**headers("203.0.113.5", shown))
    assert client_of(asked, TOKEN) == "127.0.0.1"
    assert client_of(asked) == "127.0.0.1"


def test_a_long_name_is_cut():
    asked = request(**headers("x" * 10_000, TOKEN))
    assert len(client_of(asked, TOKEN)) < 100
