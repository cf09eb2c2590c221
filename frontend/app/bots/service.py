"""The bots as the rest of the app sees them."""

from collections.abc import Sequence

from fogbound.errors import FogboundError
from frontend.app.bots.accounts import Bot, make_bots
from frontend.app.bots.invitations import Invitations
from frontend.app.bots.playing import Playing
from frontend.app.bots.purse import Purse
from frontend.app.errors import NotOffered, UpstreamFailed
from frontend.app.services import Services


class BotService:
    """Offers bots where the settings say so; by default on a local chain only."""

    def __init__(self, services: Services) -> None:
        self._settings = services.settings
        self._connector = services.connector
        self._indexing = services.indexing
        self._bots = make_bots(services.settings.folder, services.specs.values())
        purse = Purse(services.settings.bot_stake_limit)
        connector, database = services.connector, services.database
        self._invitations = Invitations(connector, services.indexing, database, self._bots, purse)
        self.playing = Playing(connector, database, self._bots)

    def offered(self) -> Sequence[Bot]:
        """Those that can be asked, of the games that are on this chain."""
        if not self._enabled():
            return ()
        try:
            there = self._indexing.reader.specs
        except UpstreamFailed:
            return self._bots
        return [bot for bot in self._bots if bot.kind in there]

    def invite(self, kind: str, game_id: int, signature: str | None, client: str) -> Bot:
        """As Invitations.accept; NotOffered where no bots play."""
        if not self._enabled():
            raise NotOffered("no bots play on this server")
        return self._invitations.accept(kind, game_id, signature, client)

    def start(self) -> None:
        """Play, unless the settings say no."""
        if self._settings.bots is not False:
            self._indexing.tell(self.playing.wake)
            self.playing.start(self._settings.folder)

    def stop(self) -> None:
        """End all play."""
        self.playing.stop()

    def _enabled(self) -> bool:
        if self._settings.bots is not None:
            return self._settings.bots
        try:
            return self._connector.network().local
        except FogboundError:
            return False
