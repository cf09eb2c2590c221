"""What the bots may lose: a stake up to a limit; on a local chain, gifts up to so much an hour."""

from fogbound.connection import Connection
from frontend.app.bots.accounts import Bot
from frontend.app.errors import BotUnwilling
from frontend.app.limits import Buckets

ETHER = 10**18
LOCAL_STAKE_LIMIT = ETHER  # where none was set; where money is worth something, it is 0
GAS_MONEY = ETHER // 100  # that a game may cost on a public chain
LOCAL_FLOAT = 5 * ETHER  # that a bot has beside the stake, on a local one
GIFTS_PER_HOUR = 200.0  # ether, to all bots together
ALL = "all"


class Purse:
    """Sees to it that a bot can pay."""

    def __init__(self, stake_limit: int | None) -> None:
        """`stake_limit` in wei; None: as is safe on the chain that is played on."""
        self._limit = stake_limit
        self._gifts = Buckets(GIFTS_PER_HOUR / 3600, GIFTS_PER_HOUR)

    def provide(self, connection: Connection, bot: Bot, stake: int, *, local: bool) -> None:
        """Raise BotUnwilling unless the bot can pay `stake` and the gas; on a local chain, fund it."""
        limit = self._stake_limit(local)
        if stake > limit:
            raise BotUnwilling(f"the bot stakes {limit} wei at most")
        missing = stake + GAS_MONEY - connection.chain.balance(bot.address)
        if missing <= 0:
            return
        gift = missing + LOCAL_FLOAT
        if not local or self._gifts.take(ALL, gift / ETHER):
            raise BotUnwilling("the bot cannot pay that now")
        connection.fund(bot.address, stake + GAS_MONEY + LOCAL_FLOAT)

    def _stake_limit(self, local: bool) -> int:
        if self._limit is not None:
            return self._limit
        return LOCAL_STAKE_LIMIT if local else 0
