"""What every answer tells the browser: run nothing and send nothing that is not this server's."""

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = "; ".join(
    (
        "default-src 'self'",
        "img-src 'self' data:",  # wallets announce their icons so
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
UNUSED = ("camera", "microphone", "geolocation", "payment", "usb", "midi", "display-capture")
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "permissions-policy": ", ".join(f"{feature}=()" for feature in UNUSED),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
UNKEPT = ("/api", "/rpc", "/v2")  # answers that no cache may keep, unless they say so


class SecurityHeaders:
    """ASGI middleware: adds HEADERS to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand on; the answer's head gets what it lacks."""

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                if scope["path"].startswith(UNKEPT):
                    headers.setdefault("cache-control", "no-store")
            await send(message)

        await self._app(scope, receive, sending if scope["type"] == "http" else send)
