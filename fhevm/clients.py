"""Who asks, as far as sharing goes: an address, or whom a proxy with the token says that it asks for."""

import hmac

from starlette.requests import Request

CLIENT_HEADER = "x-fhevm-client"
TOKEN_HEADER = "x-fhevm-proxy-token"
_MOST_CHARACTERS = 64


def client_of(request: Request, token: str | None = None) -> str:
    """The client of a request; `token`: what a proxy must show to speak for others."""
    address = request.client.host if request.client else ""
    named, shown = request.headers.get(CLIENT_HEADER), request.headers.get(TOKEN_HEADER, "")
    if token is None or named is None or not hmac.compare_digest(shown.encode(), token.encode()):
        return address
    return f"{address} for {named[:_MOST_CHARACTERS]}"
