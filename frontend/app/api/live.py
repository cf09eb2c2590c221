"""Live changes, as server-sent events."""

import re
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Depends, Header, Query
from fastapi.concurrency import run_in_threadpool
from fastapi.sse import EventSourceResponse, ServerSentEvent
from web3 import Web3

from frontend.app.api.parameters import failures
from frontend.app.errors import Malformed
from frontend.app.services import Needed
from frontend.app.stream import Hub, News, Topics

router = APIRouter(tags=["live"])

TOPIC = re.compile(r"lobby|game:([A-Za-z0-9_-]{1,40}):([1-9]\d{0,15})|player:(0x[0-9a-fA-F]{40})")
MOST_TOPICS = 50


def parse_topics(
    topics: Annotated[
        str,
        Query(
            description="Which changes: `lobby`, `game:KIND:ID`, `player:0x…`, divided by commas.",
            max_length=5000,
            examples=["lobby,game:battleship:7"],
        ),
    ],
) -> Topics:
    """The topics of a request. Raises Malformed."""
    given = topics.split(",")
    found = [TOPIC.fullmatch(topic) for topic in given]
    if len(given) > MOST_TOPICS or not all(found):
        raise Malformed(f"topics: at most {MOST_TOPICS} of lobby, game:KIND:ID, player:0x…")
    parts = [each.groups() for each in found if each]
    return Topics(
        lobby="lobby" in given,
        games=frozenset((kind, int(number)) for kind, number, _ in parts if kind),
        players=frozenset(Web3.to_checksum_address(who) for *_, who in parts if who),
    )


LastEventId = Annotated[
    str | None,
    Header(description="The last `id` that was received: to go on there.", pattern=r"^\d{1,18}$"),
]


Since = Annotated[
    str | None,
    Query(description="As `Last-Event-ID`, for a first connection.", pattern=r"^\d{1,18}$"),
]


@router.get("/api/stream", response_class=EventSourceResponse, responses=failures(422))
async def stream(
    services: Needed,
    topics: Annotated[Topics, Depends(parse_topics)],
    last_event_id: LastEventId = None,
    since: Since = None,
) -> AsyncIterator[ServerSentEvent]:
    """Server-sent events: `game` (a Summary that changed), `events` (new events of a `game:` topic, as
    GameEvents), `block` (the newest block), `reset` (what was told before may not hold: fetch anew).

    Open the stream first, then fetch: what changes in between is told. A `block` ends each batch of
    changes and carries the id to go on from.
    """
    last = last_event_id or since  # a browser that resumes by itself sends both
    async for news in _all_news(services.hub, None if last is None else int(last)):
        for message in news.messages(topics):
            yield message


async def _all_news(hub: Hub, since: int | None) -> AsyncIterator[News]:
    async with hub.listening() as queue:
        begun = await run_in_threadpool(hub.since, since)
        if begun is not None:
            yield begun
        while True:
            news = await queue.get()
            if begun is None or news.sequence > begun.sequence or news.head != begun.head:
                yield news
