"""What the API's paths share, made once for each app."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Protocol

from fastapi import Depends, Request

from fogbound.games import GameSpec
from frontend.app.connector import Connector
from frontend.app.errors import NotFound
from frontend.app.index.database import Database
from frontend.app.index.indexing import Indexing
from frontend.app.settings import WebSettings
from frontend.app.stream import Hub


class OfferedBot(Protocol):
    """A bot that can be asked to play."""

    @property
    def kind(self) -> str:
        """Which game it plays."""
        ...

    @property
    def address(self) -> str:
        """Its account."""
        ...

    @property
    def name(self) -> str:
        """What people call it."""
        ...


class Bots(Protocol):
    """The bots of this server."""

    def offered(self) -> Sequence[OfferedBot]:
        """Those that can be asked now."""
        ...


class NoBots:
    """A server without bots."""

    def offered(self) -> Sequence[OfferedBot]:
        """None."""
        return ()


@dataclass
class Services:
    """`specs`: the installed games by kind. `bots` is set by whoever plays them."""

    settings: WebSettings
    specs: Mapping[str, GameSpec]
    connector: Connector
    database: Database
    indexing: Indexing
    hub: Hub
    bots: Bots

    def spec(self, kind: str) -> GameSpec:
        """The game of that name. Raises NotFound."""
        if kind not in self.specs:
            raise NotFound(f"no game is named {kind[:40]}")
        return self.specs[kind]

    def bot_addresses(self) -> set[str]:
        """The accounts of all bots."""
        return {bot.address for bot in self.bots.offered()}


def services_of(request: Request) -> Services:
    """The services of the app that answers this request."""
    found: Services = request.app.state.services
    return found


Needed = Annotated[Services, Depends(services_of)]
