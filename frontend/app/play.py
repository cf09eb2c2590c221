"""`fogbound-web play`: the local stack, and the web app as one more of its processes."""

import sys
from collections.abc import Callable

from fogbound.process import is_listening
from fogbound.progress import Progress
from fogbound.supervisor import Service
from fogbound.up import Options, run_stack
from frontend.app.server import check_port
from frontend.app.settings import WebSettings


def run_play(
    options: Options, settings: WebSettings, progress: Progress, say: Callable[[str], None]
) -> None:
    """Start everything, say the address to open, and watch over it until SIGINT or SIGTERM.

    Raises ProcessFailed where a port is in use, and as run_stack does.
    """
    check_port(settings)
    run_stack(options, progress, lambda _: say(_welcome(settings)), [web_service(settings)])


def web_service(settings: WebSettings) -> Service:
    """The web app as a process of the stack on `settings.data`."""
    command = [sys.executable, "-m", "frontend.app.cli", "serve", "--data", str(settings.data)]
    command += ["--host", settings.host, "--web-port", str(settings.port)]
    for option, values in (("--name", settings.names), ("--proxy", settings.proxies)):
        for value in values:
            command += [option, value]
    log = settings.data / "logs" / "web.log"
    return Service("web", command, log, lambda: is_listening(settings.port))


def _welcome(settings: WebSettings) -> str:
    return f"Play at http://127.0.0.1:{settings.port} (Ctrl-C stops everything; the games are kept)"
