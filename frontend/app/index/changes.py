"""What is new in the index since a sequence."""

from dataclasses import dataclass, field, replace
from typing import TypeVar

from sqlalchemy import select
from sqlalchemy.orm import Session

from frontend.app.index.batch import Key
from frontend.app.index.database import ONLY
from frontend.app.index.schema import CursorRow, EventRow, GameRow

Row = TypeVar("Row", GameRow, EventRow)
LIMIT = 500  # games, or ten times as many events; whoever has missed more had better fetch anew
EVENTS_LIMIT = 10 * LIMIT


@dataclass(frozen=True)
class Changes:
    """All that came after one sequence, up to `sequence`; `block` and `timestamp` are the head's.

    `reset`: what was told before may no longer be so, or there is too much of it to tell.
    """

    sequence: int
    block: int
    timestamp: int
    reset: bool = False
    games: list[GameRow] = field(default_factory=list)
    events: dict[Key, list[EventRow]] = field(default_factory=dict)


def changes_since(session: Session, since: int | None) -> Changes | None:
    """What is new; with None nothing but the head. None where there is no index yet."""
    cursor = session.get(CursorRow, ONLY)
    if cursor is None:
        return None
    head = Changes(cursor.sequence, cursor.block, cursor.timestamp)
    if since is None or since == cursor.sequence:
        return head
    if since < cursor.reset or since > cursor.sequence:
        return replace(head, reset=True)
    games = _newer(session, GameRow, since, LIMIT)
    events = _newer(session, EventRow, since, EVENTS_LIMIT)
    if len(games) > LIMIT or len(events) > EVENTS_LIMIT:
        return replace(head, reset=True)
    by_game: dict[Key, list[EventRow]] = {}
    for event in events:
        by_game.setdefault((event.kind, event.game), []).append(event)
    return replace(head, games=games, events=by_game)


def _newer(session: Session, table: type[Row], since: int, limit: int) -> list[Row]:
    """In order; one more than `limit` where there are more."""
    query = select(table).where(table.sequence > since).order_by(table.sequence)
    return list(session.scalars(query.limit(limit + 1)))
