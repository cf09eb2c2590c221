"""The web app: its API over the index, and what stands at its edge."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from fastapi import FastAPI

from fogbound.games import GameSpec, installed_games
from frontend.app.api import config, games, live, players, records, unlisted
from frontend.app.connector import Connector
from frontend.app.edge import add_edge
from frontend.app.index.database import Database
from frontend.app.index.indexing import Indexing
from frontend.app.network import find_network
from frontend.app.services import NoBots, Services
from frontend.app.settings import WebSettings
from frontend.app.stream import Hub

ROUTERS = (
    config.router,
    games.router,
    unlisted.router,
    players.router,
    records.router,
    live.router,
)


def create_app(
    settings: WebSettings,
    *,
    connector: Connector | None = None,
    specs: Sequence[GameSpec] | None = None,
) -> FastAPI:
    """The application; while it runs, a thread follows the chain.

    `connector`: by default to what the settings name; `specs`: by default the installed games. The chain
    may be away at the start: paths that need it answer 502 until it is there.
    """
    app = FastAPI(
        title="Fogbound",
        version="1",
        summary="Hidden-information games on a chain: the public state of their games.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=_following,
    )
    app.state.services = make_services(settings, connector, specs)
    for router in ROUTERS:
        app.include_router(router)
    add_edge(app, settings)
    return app


def make_services(
    settings: WebSettings,
    connector: Connector | None = None,
    specs: Sequence[GameSpec] | None = None,
) -> Services:
    """What the app works with; nothing runs yet."""
    by_name = installed_games() if specs is None else {spec.name: spec for spec in specs}
    connector = connector or Connector(lambda: find_network(settings))
    database = Database.open(settings.database, settings.folder)
    hub = Hub(database)
    indexing = Indexing(connector, database, by_name.values(), hub.publish)
    return Services(settings, by_name, connector, database, indexing, hub, NoBots())


@asynccontextmanager
async def _following(app: FastAPI) -> AsyncIterator[None]:
    services: Services = app.state.services
    services.hub.publish()
    services.indexing.start()
    try:
        async with app.state.edge.running():
            yield
    finally:
        services.indexing.stop()
        services.database.close()
