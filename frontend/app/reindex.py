"""`fogbound-web reindex`: the index made anew from the chain."""

from fogbound.progress import Progress
from frontend.app.errors import Overtaken
from frontend.app.main import make_services
from frontend.app.services import Services
from frontend.app.settings import WebSettings


def run_reindex(settings: WebSettings, progress: Progress) -> int:
    """Empty the index and read the chain from the first deployment on; the block that was reached.

    A server may run on it meanwhile: it tells its listeners to fetch anew. Raises what connecting to the
    chain and reading it do.
    """
    services = make_services(settings)
    try:
        progress("emptying the index")
        services.database.forget()
        progress("reading the chain")
        return _read_all(services)
    finally:
        services.database.close()


def _read_all(services: Services) -> int:
    while True:
        try:
            services.indexing.catch_up()
        except Overtaken:  # a server that runs reads the same chain
            continue
        cursor = services.database.cursor()
        assert cursor is not None, "it was caught up with"
        return cursor.block
