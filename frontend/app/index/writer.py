"""Writes batches into the index: one transaction each, all of it or nothing."""

from collections.abc import Callable, Collection, Container, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import delete, func, insert, or_, select, tuple_, update
from sqlalchemy.orm import Session

from fogbound.events import to_json
from fogbound.game import Game
from frontend.app.errors import Overtaken
from frontend.app.index.batch import Batch, Found, Key
from frontend.app.index.database import Database
from frontend.app.index.links import add_links, forget_links
from frontend.app.index.schema import (
    BlockRow,
    CursorRow,
    EventRow,
    GameRow,
    SeatRow,
    StaleRow,
    UnlistedRow,
)
from frontend.app.index.standings import count_ended, forget_ended, has_uncounted
from frontend.app.index.summary import CANCELLED, ENDED, OPENED, summarise

Parameters = Callable[[bytes], dict[str, Any]]
OF_A_GAME = ((SeatRow, (SeatRow.kind, SeatRow.game)), (StaleRow, (StaleRow.kind, StaleRow.game)))


class Writer:
    """Brings the index from one block to another. `parameters`: each kind's, of GameSpec."""

    def __init__(self, database: Database, parameters: Mapping[str, Parameters]) -> None:
        self._database = database
        self._parameters = parameters

    def stale(self, common: int) -> set[Key]:
        """The games whose rows a rewind to block `common` makes wrong, or that are stale already."""
        with self._database.reading() as session:
            return _undone(session, common) | _stale(session)

    def is_behind(self) -> bool:
        """Whether games are stale, or have ended and are not rated yet."""
        with self._database.reading() as session:
            return bool(_stale(session, limit=1)) or has_uncounted(session)

    def apply(self, batch: Batch) -> None:
        """Raises Overtaken where the index does not stand at `batch.after` (any more)."""
        with self._database.writing() as session:
            cursor = _advance(session, batch)
            if batch.common != batch.after.number:
                _rewind(session, cursor, batch.common)
            _insert(session, cursor, batch)
            if batch.states:
                cursor.sequence += 1
                self._summarise(session, batch.states, cursor.sequence)
            if not _stale(session, limit=1):  # else games that ended earlier may be among them
                count_ended(session, cursor)

    def _summarise(self, session: Session, states: Mapping[Key, Game], sequence: int) -> None:
        """Write these games' rows anew: a few statements, however many they are."""
        keys = list(states)
        for table, columns in ((GameRow, (GameRow.kind, GameRow.id)), *OF_A_GAME):
            session.execute(delete(table).where(tuple_(*columns).in_(keys)))
        events, unlisted = _milestones(session, keys), _unlisted(session, keys)
        rows = [
            self._row(states[key], key, sequence, events[key], unlisted)
            for key in keys
            if key in events  # else it was opened in a block that is no longer there
        ]
        if rows:
            session.execute(insert(GameRow), rows)
        if seats := [seat for row in rows for seat in _seats(row)]:
            session.execute(insert(SeatRow), seats)

    def _row(
        self,
        game: Game,
        key: Key,
        sequence: int,
        events: Sequence[EventRow],
        unlisted: Container[tuple[str, int, str]],
    ) -> dict[str, Any]:
        columns = summarise(game, events, self._parameters[key[0]])
        listed = (*key, columns["creator"]) not in unlisted
        return {"kind": key[0], "id": key[1], "sequence": sequence, "listed": listed, **columns}


def _advance(session: Session, batch: Batch) -> CursorRow:
    """Move the cursor, which also keeps other writers out until the commit."""
    head, after = batch.head, batch.after
    cursor: CursorRow | None = session.scalar(
        update(CursorRow)
        .where(CursorRow.block == after.number, CursorRow.hash == after.hash)
        .values(block=head.number, hash=head.hash, timestamp=head.timestamp)
        .returning(CursorRow)
    )
    if cursor is None:
        raise Overtaken(f"the index does not stand at block {after.number}")
    return cursor


def _undone(session: Session, common: int) -> set[Key]:
    undone = select(EventRow.kind, EventRow.game).where(EventRow.block > common).distinct()
    return {(kind, game) for kind, game in session.execute(undone)}


def _rewind(session: Session, cursor: CursorRow, common: int) -> None:
    """Forget all that came in blocks after `common`."""
    _mark_stale(session, _undone(session, common))
    session.execute(delete(EventRow).where(EventRow.block > common))
    session.execute(delete(BlockRow).where(BlockRow.number > common))
    forget_links(session, common)
    forget_ended(session, cursor, common)
    cursor.sequence += 1
    cursor.reset = cursor.sequence


def _insert(session: Session, cursor: CursorRow, batch: Batch) -> None:
    session.add_all(BlockRow(number=block.number, hash=block.hash) for block in batch.blocks)
    of_games = [found for found in batch.found if found.key]
    first = cursor.sequence + 1
    if of_games:
        rows = [_event_row(found, first + place) for place, found in enumerate(of_games)]
        session.execute(insert(EventRow), rows)
        cursor.sequence += len(of_games)
    add_links(session, batch.found)
    _mark_stale(session, {found.key for found in of_games if found.key} - batch.states.keys())


def _event_row(found: Found, sequence: int) -> dict[str, Any]:
    event = found.event
    return {
        "sequence": sequence,
        "kind": found.kind,
        "game": event.game_id,
        "name": event.name,
        "arguments": to_json(event.arguments),
        "block": event.block,
        "index": event.index,
        "transaction": event.transaction,
        "time": found.time,
    }


def _stale(session: Session, limit: int | None = None) -> set[Key]:
    found = session.execute(select(StaleRow.kind, StaleRow.game).limit(limit))
    return {(kind, game) for kind, game in found}


def _mark_stale(session: Session, keys: set[Key]) -> None:
    fresh = keys - _stale(session)
    if fresh:
        session.execute(insert(StaleRow), [{"kind": kind, "game": game} for kind, game in fresh])


def _unlisted(session: Session, keys: Collection[Key]) -> set[tuple[str, int, str]]:
    """Kind, id and creator of those that their creators keep out of the lobby."""
    of_games = tuple_(UnlistedRow.kind, UnlistedRow.game).in_(keys)
    columns = (UnlistedRow.kind, UnlistedRow.game, UnlistedRow.creator)
    rows = session.execute(select(*columns).where(of_games))
    return {(kind, game, creator) for kind, game, creator in rows}


def _milestones(session: Session, keys: Collection[Key]) -> dict[Key, list[EventRow]]:
    """By game, the events that a summary needs: the first, how it ended, and the last; in order."""
    of_games = tuple_(EventRow.kind, EventRow.game).in_(keys)
    last = select(func.max(EventRow.sequence)).where(of_games)
    last = last.group_by(EventRow.kind, EventRow.game)
    wanted = or_(EventRow.name.in_((OPENED, ENDED, CANCELLED)), EventRow.sequence.in_(last))
    found: dict[Key, list[EventRow]] = {}
    query = select(EventRow).where(of_games, wanted).order_by(EventRow.sequence)
    for row in session.scalars(query):
        found.setdefault((row.kind, row.game), []).append(row)
    return found


def _seats(game: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    shared = {name: game[name] for name in ("kind", "opened", "status", "sequence")}
    for seat, player in enumerate(game["players"]):
        if player:
            yield {"game": game["id"], "seat": seat, "player": player, **shared}
