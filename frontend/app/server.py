"""The web app as a process."""

import os
import socket
from functools import partial

import uvicorn

from fogbound.errors import ProcessFailed
from frontend.app.settings import WebSettings

CONNECTIONS = 2_000  # of all clients together
GOODBYE_SECONDS = 2  # for answers on their way; streams are cut


def run_server(settings: WebSettings) -> None:
    """Serve until SIGINT or SIGTERM.

    The chain may be away meanwhile. Raises ProcessFailed where the port is in use, StackNotRunning,
    SettingsInvalid.
    """
    from frontend.app.main import create_app
    from frontend.app.network import find_network

    check_port(settings)
    find_network(settings)  # what is wrong there will not come right by itself
    server = uvicorn.Server(make_config(create_app(settings), settings))
    try:
        server.run()
    except KeyboardInterrupt:  # uvicorn raises the signal again once it has stopped
        pass
    except SystemExit:  # how uvicorn says that it could not start
        raise ProcessFailed("the web app did not start") from None


def check_port(settings: WebSettings) -> None:
    """Raise ProcessFailed where nobody can listen at the settings' address and port."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        with socket.create_server((settings.host, settings.port), family=family):
            pass
    except OSError as error:
        address = f"{settings.host}:{settings.port}"
        code = error.errno or 0  # negative: there is no such name
        reason = os.strerror(code).lower() if code > 0 else "no such address"
        raise ProcessFailed(f"{address}: {reason} (choose another --web-port)") from None


def make_config(app: object, settings: WebSettings) -> uvicorn.Config:
    """How uvicorn serves; X-Forwarded-For is believed from `settings.proxies` alone."""
    from frontend.app.connections import BoundedProtocol, Connections

    connections = Connections(
        settings.connections_per_client, settings.request_seconds, settings.proxies
    )
    return uvicorn.Config(
        app,  # type: ignore[arg-type]
        settings.host,
        settings.port,
        http=partial(BoundedProtocol, connections),  # type: ignore[arg-type]
        ws="none",  # there are none, and they would leave the protocol
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
        limit_concurrency=CONNECTIONS,
        timeout_graceful_shutdown=GOODBYE_SECONDS,
    )
