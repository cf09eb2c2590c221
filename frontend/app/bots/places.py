"""Whose games the bots have room for.

Accounts cost nothing, so places are counted by client. Where all are taken, the client with most of them
gives one up: the bot resigns the game in which it has waited longest. Only games without a stake give way, so
nobody loses money by it; games for stakes have so few places that they never fill all.
"""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fogbound.tasks import Key
from frontend.app.errors import BotUnwilling
from frontend.app.index.schema import GameRow

PLACES = 40  # of a bot
STAKED = 20  # of these, in games for a stake
STAKED_OF_ONE = 3  # of these, by one client
IDLE_SECONDS = 120.0  # after which also a client's only game gives way
UNSEEN_SECONDS = 10.0  # until the index shows a game at the latest
REMEMBERED = 4 * PLACES
GIVING_WAY = ("drawing", "playing", "waiting")  # phases in which one can resign


@dataclass(frozen=True)
class Brought:
    """A game that a client has brought a bot into, and when."""

    client: str
    staked: bool
    at: float


class Places:
    """Those of one bot. Which client brought a game is not kept over a restart: who brought it before is
    counted as one client.
    """

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._brought: dict[Key, Brought] = {}

    def note(self, key: Key, client: str, *, staked: bool) -> None:
        """The bot sits in this game because this client has asked."""
        self._brought[key] = Brought(client, staked, self._clock())
        while len(self._brought) > REMEMBERED:  # long over, since no bot plays so many
            del self._brought[next(iter(self._brought))]

    def check_stake(self, rows: Sequence[GameRow], client: str) -> None:
        """Raise BotUnwilling where there is no room for one more game with a stake."""
        staked = [self._client(row) for row in rows if row.stake != "0"]
        staked += [each.client for each in self._unseen(rows) if each.staked]
        if len(staked) >= STAKED or staked.count(client) >= STAKED_OF_ONE:
            raise BotUnwilling("the bot plays enough games for stakes; play one without")

    def giving_way(self, rows: Sequence[GameRow], client: str) -> list[GameRow]:
        """The games to resign for one more of this client's, the best first; none is needed while there is
        room. Raises BotUnwilling where there is none.
        """
        unseen = [each.client for each in self._unseen(rows)]
        if len(rows) + len(unseen) < PLACES:
            return []
        held = Counter([*map(self._client, rows), *unseen, client])
        free = [row for row in _idlest(rows) if held[self._client(row)] > 1 or self._is_idle(row)]
        if not free:
            raise BotUnwilling("all places are taken by games that go on; try again later")
        return sorted(free, key=lambda row: -held[self._client(row)])

    def _unseen(self, rows: Sequence[GameRow]) -> list[Brought]:
        """What the index does not show yet."""
        seen = {(row.kind, row.id) for row in rows}
        since = self._clock() - UNSEEN_SECONDS
        new = self._brought.items()
        return [each for key, each in new if key not in seen and each.at > since]

    def _is_idle(self, row: GameRow) -> bool:
        return self._clock() - row.updated_at > IDLE_SECONDS

    def _client(self, row: GameRow) -> str:
        brought = self._brought.get((row.kind, row.id))
        return brought.client if brought else ""


def _idlest(rows: Sequence[GameRow]) -> list[GameRow]:
    resignable = [row for row in rows if row.stake == "0" and row.phase in GIVING_WAY]
    return sorted(resignable, key=lambda row: row.updated_at)
