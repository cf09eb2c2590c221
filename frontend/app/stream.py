"""Tells many listeners what is new in the index: read once, handed to each."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from threading import Lock

from fastapi.sse import ServerSentEvent

from frontend.app.api.models import BlockModel, EventModel, GameEvents, Summary
from frontend.app.index.batch import Key
from frontend.app.index.changes import Changes, changes_since
from frontend.app.index.database import Database
from frontend.app.index.schema import EventRow

WAITING = 64  # news that a slow listener may leave waiting, before they must fetch anew


@dataclass(frozen=True)
class Topics:
    """What a listener wants to hear of: all games (`lobby`), some, or those of some players."""

    lobby: bool = False
    games: frozenset[Key] = frozenset()
    players: frozenset[str] = frozenset()

    def want(self, game: "GameNews") -> bool:
        """Whether this game's summary is wanted."""
        return self.lobby or game.key in self.games or not self.players.isdisjoint(game.players)


@dataclass(frozen=True)
class GameNews:
    """One game that has changed, ready to be sent; `players`: who sit in it or are invited."""

    key: Key
    players: frozenset[str]
    text: str


@dataclass(frozen=True)
class News:
    """All that is new up to `sequence`, ready to be sent. `reset`: fetch anew."""

    sequence: int
    head: str
    reset: bool = False
    games: tuple[GameNews, ...] = ()
    events: Mapping[Key, list[EventRow]] = field(default_factory=dict)
    _texts: dict[Key, str] = field(default_factory=dict, compare=False)

    def messages(self, topics: Topics) -> Iterator[ServerSentEvent]:
        """What a listener gets. Only the last message carries the id: to resume there misses nothing."""
        if self.reset:
            yield ServerSentEvent(event="reset", raw_data="{}")
        for game in self.games:
            if topics.want(game):
                yield ServerSentEvent(event="game", raw_data=game.text)
        for key in self.events.keys() & topics.games:
            yield ServerSentEvent(event="events", raw_data=self._told(key))
        yield ServerSentEvent(event="block", raw_data=self.head, id=str(self.sequence))

    def _told(self, key: Key) -> str:
        """Of thousands of events only those of games that somebody looks at are written out, once."""
        if key not in self._texts:
            events = [EventModel.model_validate(row) for row in self.events[key]]
            news = GameEvents(kind=key[0], id=key[1], events=events)
            self._texts[key] = news.model_dump_json(by_alias=True)
        return self._texts[key]


Queue = asyncio.Queue[News]


class Hub:
    """Listeners in one event loop; news from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = Lock()
        self._told: tuple[int, str] | None = None
        self._queues: dict[Queue, asyncio.AbstractEventLoop] = {}

    def publish(self) -> None:
        """Tell all listeners what is new since the last time. Reads the index: not for the event loop."""
        with self._lock:
            news = self.since(self._told[0] if self._told else 0)
            if news is None or (news.sequence, news.head) == self._told:
                return
            self._told = (news.sequence, news.head)
            for queue, loop in list(self._queues.items()):
                if not loop.is_closed():
                    loop.call_soon_threadsafe(_put, queue, news)

    def since(self, sequence: int | None) -> News | None:
        """All that is new since a sequence; with None the head alone. None where there is no index yet."""
        with self._database.reading() as session:
            changes = changes_since(session, sequence)
            return None if changes is None else _news(changes)

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[Queue]:
        """A queue that gets all news from now on."""
        queue: Queue = asyncio.Queue(WAITING)
        loop = asyncio.get_running_loop()
        with self._registered(queue, loop):
            yield queue

    @contextmanager
    def _registered(self, queue: Queue, loop: asyncio.AbstractEventLoop) -> Iterator[None]:
        self._queues[queue] = loop
        try:
            yield
        finally:
            del self._queues[queue]


def _put(queue: Queue, news: News) -> None:
    """Who does not listen fast enough is told to fetch anew."""
    if queue.full():
        while not queue.empty():
            queue.get_nowait()
        news = News(news.sequence, news.head, reset=True)
    queue.put_nowait(news)


def _news(changes: Changes) -> News:
    head = BlockModel(number=changes.block, timestamp=changes.timestamp)
    return News(
        sequence=changes.sequence,
        head=head.model_dump_json(by_alias=True),
        reset=changes.reset,
        games=tuple(
            GameNews(
                (row.kind, row.id),
                frozenset(player for player in (*row.players, row.invited) if player),
                Summary.model_validate(row).model_dump_json(by_alias=True),
            )
            for row in changes.games
        ),
        events=changes.events,
    )
