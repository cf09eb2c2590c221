"""What the bots may lose: a stake up to a limit; on a local chain, gifts up to so much an hour."""

from fogbound.connection import Connection
from frontend.app.bots.accounts import Bot
from frontend.app.errors import BotUnwilling
from frontend.app.limits import Buckets

ETHER = 10**18
GAS_MONEY = ETHER // 100  # that a game may cost on a public chain
LOCAL_FLOAT = 5 * ETHER  # that a bot has beside the stake, on a local one
GIFTS_PER_HOUR = 200.0  # ether, to all bots together
ALL = "all"


class Purse:
    """Sees to it that a bot can pay."""

    def __init__(self, stake_limit: int) -> None:
        self._limit = stake_limit
        self._gifts = Buckets(GIFTS_PER_HOUR / 3600, GIFTS_PER_HOUR)

    def provide(self, connection: Connection, bot: Bot, stake: int, *, local: bool) -> None:
        """Raise BotUnwilling unless the bot can pay `stake` and the gas; on a local chain, fund it."""
        if stake > self._limit:
            raise BotUnwilling(f"the bot stakes {self._limit} wei at most")
        missing = stake + GAS_MONEY - connection.chain.balance(bot.address)
        if missing <= 0:
            return
        gift = missing + LOCAL_FLOAT
        if not local or self._gifts.take(ALL, gift / ETHER):
            raise BotUnwilling("the bot cannot pay that now")
        connection.fund(bot.address, stake + GAS_MONEY + LOCAL_FLOAT)
