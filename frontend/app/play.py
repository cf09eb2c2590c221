"""`fogbound-web play`: the local stack, and the web app as one more of its processes."""

import sys
from collections.abc import Callable

from fogbound.errors import StackRunning
from fogbound.leftovers import wait_for_leftovers
from fogbound.locks import is_running
from fogbound.process import is_answered
from fogbound.progress import Progress
from fogbound.supervisor import Service
from fogbound.up import Options, run_stack
from frontend.app.beforehand import check_page, check_port
from frontend.app.settings import LOOPBACK, WebSettings


def run_play(
    options: Options, settings: WebSettings, progress: Progress, say: Callable[[str], None]
) -> None:
    """Start everything, say the address to open, and watch over it until SIGINT or SIGTERM.

    Raises StackRunning, ProcessFailed where a port is in use or the page is not built, and as run_stack does.
    """
    if is_running(options.data):  # which is why the port would be in use
        raise StackRunning(options.data)
    check_page(settings)
    wait_for_leftovers(options.data, progress)
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
    return Service("web", command, log, lambda: _answers(settings))


def _answers(settings: WebSettings) -> bool:
    """Whether it serves, and knows the chain."""
    return is_answered(f"http://{settings.reached_at}:{settings.port}/api/config")


def _welcome(settings: WebSettings) -> str:
    """Behind a reverse proxy, its operator knows the address that is for others."""
    others = () if settings.proxies or settings.host == LOOPBACK else settings.names
    addresses = [f"http://{name}:{settings.port}" for name in (settings.reached_at, *others)]
    return f"Play at {' or '.join(addresses)} (Ctrl-C stops everything; the games are kept)"
