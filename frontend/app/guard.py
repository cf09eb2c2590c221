"""Who may call this server: its own page, programs, and nobody's page else.

A browser sends what other pages make it send. A page of another origin is told by Origin and
Sec-Fetch-Site; one whose name was made to lead here, by Host.
"""

from collections.abc import Collection
from urllib.parse import SplitResult, urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from frontend.app.answers import refusal
from frontend.app.errors import ForeignPage

LOCAL = ("127.0.0.1", "localhost", "::1")
OWN_SITES = ("same-origin", "none")  # none: the person themselves, by a bookmark or an extension
EXTENSION = "-extension"  # how the schemes of browsers' extensions end


class Guard:
    """ASGI middleware: answers 403 to foreign pages. `names`: this server's, besides the local ones."""

    def __init__(self, app: ASGIApp, names: Collection[str] = ()) -> None:
        self._app = app
        self._names = {*LOCAL, *(name.lower() for name in names)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand on what is nobody else's."""
        app = self._app
        if scope["type"] == "http" and (error := self._objection(scope)):
            app = refusal(error)
        await app(scope, receive, send)

    def _objection(self, scope: Scope) -> ForeignPage | None:
        headers = Headers(scope=scope)
        if _name(headers.get("host", "")) not in self._names:
            return ForeignPage("this server is not known by that name (see --name)")
        if not _is_own(headers, scope["path"]):
            return ForeignPage("only this server's own page may do this")
        return None


def _is_own(headers: Headers, path: str) -> bool:
    origin = _split(headers.get("origin", ""))
    if origin is None:
        return False
    if origin.scheme.endswith(EXTENSION) and path == "/rpc":  # a wallet asks for its person
        return True
    if "origin" in headers and origin.netloc.lower() != headers.get("host", "").lower():
        return False
    follows_link = headers.get("sec-fetch-mode") == "navigate"
    return follows_link or headers.get("sec-fetch-site", OWN_SITES[0]) in OWN_SITES


def _name(host: str) -> str | None:
    """Without the port; None where it is more than a name and a port."""
    parts = _split(f"http://{host}")
    return parts.hostname if parts and parts.netloc == host and "@" not in host else None


def _split(url: str) -> SplitResult | None:
    try:
        return urlsplit(url)
    except ValueError:
        return None
