"""The web app as a process."""

import logging
from functools import partial

import uvicorn

from fogbound.errors import ProcessFailed
from frontend.app.beforehand import check_page, check_port
from frontend.app.settings import WebSettings

log = logging.getLogger(__name__)

GOODBYE_SECONDS = 2  # for answers on their way; streams are cut


def run_server(settings: WebSettings) -> None:
    """Serve until SIGINT or SIGTERM.

    The chain may be away meanwhile. Raises ProcessFailed where the port is in use, StackNotRunning,
    SettingsInvalid.
    """
    from frontend.app.main import create_app
    from frontend.app.network import find_network

    check_port(settings)
    try:
        check_page(settings)
    except ProcessFailed as error:  # the API serves programs all the same
        log.warning("%s", error)
    find_network(settings)  # what is wrong there will not come right by itself
    server = uvicorn.Server(make_config(create_app(settings), settings))
    try:
        server.run()
    except KeyboardInterrupt:  # uvicorn raises the signal again once it has stopped
        pass
    except SystemExit:  # how uvicorn says that it could not start
        raise ProcessFailed("the web app did not start") from None


def make_config(app: object, settings: WebSettings) -> uvicorn.Config:
    """How uvicorn serves; X-Forwarded-For is believed from `settings.proxies` alone."""
    from fhevm.connections import Connections
    from fhevm.listening import bounded_config
    from frontend.app.connections import Clients, CountedProtocol

    clients = Clients(settings.connections_per_client, settings.proxies)
    return bounded_config(
        app,
        settings.host,
        settings.port,
        partial(CountedProtocol, clients, Connections(), settings.request_seconds),
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
        timeout_graceful_shutdown=GOODBYE_SECONDS,
    )
