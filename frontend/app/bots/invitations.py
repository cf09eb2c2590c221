"""Asking a bot to join a game.

Into a game that was opened for a bot, anybody may call it. Into one that waits for anybody, only who opened
it may: else nobody in the lobby would ever meet a person.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from threading import Lock

from fogbound.errors import ContractError
from fogbound.game import Game, Phase
from fogbound.table import TableClient
from frontend.app.bots.accounts import Bot
from frontend.app.bots.places import Places
from frontend.app.bots.purse import Purse
from frontend.app.bots.seats import games_of
from frontend.app.connector import Connector, reaching
from frontend.app.errors import BotUnwilling, NotFound, NotPermitted, TooManyRequests
from frontend.app.index.database import Database
from frontend.app.index.indexing import Indexing
from frontend.app.signatures import may_speak_for

WAIT_SECONDS = 30.0


class Invitations:
    """Decides whether a bot joins, and lets it."""

    def __init__(
        self,
        connector: Connector,
        indexing: Indexing,
        database: Database,
        bots: Sequence[Bot],
        purse: Purse,
    ) -> None:
        self._connector = connector
        self._indexing = indexing
        self._database = database
        self._bots = bots
        self._purse = purse
        self._locks: Mapping[str, Lock] = {bot.kind: Lock() for bot in bots}
        self._places = {bot.address: Places() for bot in bots}

    def accept(self, kind: str, game_id: int, signature: str | None, client: str) -> Bot:
        """The bot that sits in the game from now on, or did already; `client` has asked.

        Raises NotFound, NotPermitted, BotUnwilling, TooManyRequests, UpstreamFailed.
        """
        if kind not in self._locks:
            raise NotFound(f"no bot plays {kind[:40]}")
        if not self._locks[kind].acquire(timeout=WAIT_SECONDS):
            raise TooManyRequests("the bots are busy; ask again", 5)
        try:
            with reaching():
                return self._accepted(kind, game_id, signature, client)
        finally:
            self._locks[kind].release()

    def _accepted(self, kind: str, game_id: int, signature: str | None, client: str) -> Bot:
        bots = [bot for bot in self._bots if bot.kind == kind]
        table = self._indexing.reader.table(kind)
        game = table.game(game_id)
        seated = next((bot for bot in bots if bot.address in game.players), None)
        if seated and not game.phase.final:
            return seated
        bot = _chosen(bots, table, game, signature)
        connection = self._connector.connection()
        local = self._connector.network().local
        self._purse.provide(connection, bot, game.stake, local=local)
        player: TableClient = bot.client(connection)
        self._make_room(bot, player, game, client)
        try:
            player.join(game_id)
        except ContractError as error:
            raise BotUnwilling(f"the game does not take the bot: {error.name}") from None
        self._places[bot.address].note((kind, game_id), client, staked=game.stake > 0)
        return bot

    def _make_room(self, bot: Bot, player: TableClient, game: Game, client: str) -> None:
        with self._database.reading() as session:
            rows = games_of(session, [bot.address])
        places = self._places[bot.address]
        if game.stake:
            places.check_stake(rows, client)
        for row in places.giving_way(rows, client):
            with suppress(ContractError):  # it may have ended meanwhile
                player.resign(row.id)
                return


def _chosen(bots: Sequence[Bot], table: TableClient, game: Game, signature: str | None) -> Bot:
    """The bot that the game was opened for; else, where its creator asks, the first."""
    if game.phase is Phase.NONE:
        raise NotFound(f"there is no game {game.id}")
    if game.phase is not Phase.OPEN:
        raise BotUnwilling("that game has begun or is over")
    if game.invited is not None:
        invited = next((bot for bot in bots if bot.address == game.invited), None)
        if invited is None:
            raise BotUnwilling("the free seat is kept for somebody else")
        return invited
    text = statement(bots[0].kind, game.id, table.contract.address)
    if not any(may_speak_for(table, player, text, signature) for player in game.players if player):
        raise NotPermitted("only who opened the game may call a bot into it")
    return bots[0]


def statement(kind: str, game_id: int, contract: str) -> str:
    """What the creator of a game that waits for anybody signs, to play a bot instead."""
    return f"Fogbound: let a bot join {kind} game {game_id} at {contract}"
