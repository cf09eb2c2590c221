"""The web app as a process."""

import socket

import uvicorn

from fogbound.errors import ProcessFailed
from frontend.app.settings import WebSettings

CONNECTIONS = 2_000
GOODBYE_SECONDS = 2  # for answers on their way; streams are cut


def run_server(settings: WebSettings) -> None:
    """Serve until SIGINT or SIGTERM.

    Raises ProcessFailed where the port is in use, StackNotRunning, SettingsInvalid, and what connecting
    to the chain raises.
    """
    from frontend.app.main import create_app

    check_port(settings)
    server = uvicorn.Server(_config(create_app(settings), settings))
    try:
        server.run()
    except KeyboardInterrupt:  # uvicorn raises the signal again once it has stopped
        pass
    except SystemExit:  # how uvicorn says that it could not start
        raise ProcessFailed("the web app did not start") from None


def check_port(settings: WebSettings) -> None:
    """Raise ProcessFailed where nobody can listen at the settings' address and port."""
    try:
        with socket.create_server((settings.host, settings.port)):
            pass
    except OSError as error:
        address = f"{settings.host}:{settings.port}"
        reason = error.strerror or "no such address"
        raise ProcessFailed(f"{address}: {reason.lower()} (choose another --web-port)") from None


def _config(app: object, settings: WebSettings) -> uvicorn.Config:
    """X-Forwarded-For is believed from `settings.proxies` alone."""
    return uvicorn.Config(
        app,  # type: ignore[arg-type]
        settings.host,
        settings.port,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
        limit_concurrency=CONNECTIONS,
        timeout_graceful_shutdown=GOODBYE_SECONDS,
    )
