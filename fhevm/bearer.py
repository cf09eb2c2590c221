"""Asks for a token before anything of a request's body is read."""

import hmac

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from fhevm.errors import SignatureRefused
from fhevm.statuses import STATUS, failure


class BearerToken:
    """ASGI middleware: answers 401 to whoever does not know the token."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._expected = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand on what shows the token, and the server's own start and stop."""
        app = self._app if scope["type"] == "lifespan" or self._is_known(scope) else _refusal()
        await app(scope, receive, send)

    def _is_known(self, scope: Scope) -> bool:
        shown = Headers(scope=scope).get("authorization", "")
        return hmac.compare_digest(shown.encode(), self._expected)


def _refusal() -> JSONResponse:
    error = SignatureRefused("not the gateway's token")
    return JSONResponse(failure(error), STATUS[SignatureRefused], headers={"connection": "close"})
