"""What must be so before the web app starts: a page to show, and a port to show it at."""

import os
import socket

from fogbound.errors import ProcessFailed
from frontend.app.settings import WebSettings


def check_page(settings: WebSettings) -> None:
    """Raise ProcessFailed where the page is not built."""
    if not (settings.page / "index.html").is_file():
        raise ProcessFailed(f"the page is not built in {settings.page}: run `make page`")


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
