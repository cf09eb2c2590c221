"""What stands between the network and the web app: limits, guards, ways on, and the page.

Outermost first: the access log, the headers of every answer, the guard against foreign pages, the limits.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from frontend.app.access_log import AccessLog
from frontend.app.answers import answer_errors
from frontend.app.api.bots import bots_router
from frontend.app.bots.service import BotService
from frontend.app.faucet import Faucet, faucet_router
from frontend.app.gateway_proxy import gateway_router
from frontend.app.guard import Guard
from frontend.app.headers import SecurityHeaders
from frontend.app.limits import AtOnce, BodyLimits, BodyTime, Rate, RateLimit
from frontend.app.rpc import rpc_router
from frontend.app.services import Services
from frontend.app.settings import WebSettings
from frontend.app.static import PageMount
from frontend.app.upstream import Upstream

BODY_BYTES = {"": 16 << 10, "/rpc": 256 << 10, "/v2/": 1 << 20, "/api/records": 4 << 20}
AT_ONCE = {"": 100, "/rpc": 24, "/v2/": 24, "/api/records": 3, "/api/bots": 4, "/api/faucet": 4}
"""Requests of one client. Behind the last five are connections, threads and memory that all share."""


def add_edge(app: FastAPI, settings: WebSettings) -> None:
    """Add all that is not the index's. To be called last: the page takes every path that is left.

    `app.state.services` must be there. `app.state.edge.running()` is to surround the app's life.
    """
    services: Services = app.state.services
    app.state.edge = edge = Edge(services)
    services.bots = edge.bots
    app.include_router(bots_router(edge.bots))
    app.include_router(rpc_router(edge.upstream, settings.requests_per_second))
    app.include_router(gateway_router(edge.upstream))
    app.include_router(faucet_router(Faucet(settings.faucet_wei)))
    answer_errors(app)
    app.router.routes.append(PageMount(settings.page, services.specs))
    _add_middleware(app, settings)


class Edge:
    """What of the edge lives as long as the app runs."""

    def __init__(self, services: Services) -> None:
        self.upstream = Upstream(services.connector.network)
        self.bots = BotService(services)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Surrounds the app's life."""
        self.bots.start()
        try:
            yield
        finally:
            await asyncio.to_thread(self.bots.stop)
            await self.upstream.close()


def _add_middleware(app: FastAPI, settings: WebSettings) -> None:
    """The last one added is outermost."""
    app.add_middleware(BodyLimits, limits=BODY_BYTES)
    app.add_middleware(BodyTime, seconds=settings.request_seconds)
    at_once = AT_ONCE | {"/api/stream": settings.streams_per_client}
    for prefix, limit in sorted(at_once.items(), reverse=True):
        app.add_middleware(AtOnce, prefix=prefix, limit=limit)
    app.add_middleware(RateLimit, rates=_rates(settings))
    app.add_middleware(Guard, names=settings.known_as)
    app.add_middleware(SecurityHeaders)
    app.add_middleware(AccessLog, file=settings.data / "logs" / "access.log")


def _rates(settings: WebSettings) -> list[Rate]:
    """What costs much has a rate of its own."""
    everything = settings.requests_per_second
    return [
        Rate("", everything, 2 * everything),
        Rate("/v2/", 10, 60, "POST"),
        Rate("/api/", 5, 30, "POST"),
        Rate("/api/records", 2, 20),
        Rate("/api/records/verify", 0.2, 10),  # thousands of proofs may be in one
    ]
