"""Writes batches into the index: one transaction each, all of it or nothing."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from sqlalchemy import delete, or_, select, update
from sqlalchemy.orm import Session

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
from frontend.app.index.standings import count_ended, forget_ended
from frontend.app.index.summary import CANCELLED, ENDED, OPENED, summarise, to_json

Parameters = Callable[[bytes], dict[str, Any]]


class Writer:
    """Brings the index from one block to another. `parameters`: each kind's, of GameSpec."""

    def __init__(self, database: Database, parameters: Mapping[str, Parameters]) -> None:
        self._database = database
        self._parameters = parameters

    def unsummarised(self, common: int) -> set[Key]:
        """The games whose rows a rewind to block `common` makes wrong, or that are stale already."""
        with self._database.reading() as session:
            stale = select(StaleRow.kind, StaleRow.game)
            return _undone(session, common) | {
                (kind, game) for kind, game in session.execute(stale)
            }

    def apply(self, batch: Batch) -> None:
        """Raises Overtaken where the index does not stand at `batch.after` (any more)."""
        with self._database.writing() as session:
            cursor = _advance(session, batch)
            if batch.common != batch.after.number:
                _rewind(session, cursor, batch.common)
            _insert(session, cursor, batch)
            if batch.states is not None:
                cursor.sequence += 1
                self._summarise_all(session, batch.states, cursor.sequence)
                count_ended(session, cursor)

    def _summarise_all(self, session: Session, states: Mapping[Key, Game], sequence: int) -> None:
        for key, game in states.items():
            self._summarise(session, key, game, sequence)
        session.execute(delete(StaleRow))
        session.flush()

    def _summarise(self, session: Session, key: Key, game: Game, sequence: int) -> None:
        kind, game_id = key
        session.execute(delete(SeatRow).where(SeatRow.kind == kind, SeatRow.game == game_id))
        events = _milestones(session, key)
        if not events:  # it was opened in a block that is no longer there
            session.execute(delete(GameRow).where(GameRow.kind == kind, GameRow.id == game_id))
            return
        columns = summarise(game, events, self._parameters[kind])
        unlisted = session.get(UnlistedRow, (kind, game_id, columns["creator"]))
        listed = unlisted is None
        session.merge(GameRow(kind=kind, id=game_id, sequence=sequence, listed=listed, **columns))
        session.add_all(
            SeatRow(kind=kind, game=game_id, seat=seat, player=player, opened=columns["opened"])
            for seat, player in enumerate(game.players)
            if player
        )


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
    for found in batch.found:
        if found.key:
            cursor.sequence += 1
            session.add(_event_row(found, cursor.sequence))
    add_links(session, batch.found)
    if batch.states is None:
        _mark_stale(session, {found.key for found in batch.found if found.key})
    session.flush()


def _event_row(found: Found, sequence: int) -> EventRow:
    event = found.event
    return EventRow(
        sequence=sequence,
        kind=found.kind,
        game=event.game_id,
        name=event.name,
        arguments=to_json(event.arguments),
        block=event.block,
        index=event.index,
        transaction=event.transaction,
        timestamp=found.timestamp,
    )


def _mark_stale(session: Session, keys: Iterable[Key]) -> None:
    for kind, game in keys:
        session.merge(StaleRow(kind=kind, game=game))
    session.flush()


def _milestones(session: Session, key: Key) -> list[EventRow]:
    """The events that a summary needs: the first, how it ended, and the last; in order."""
    of_game = (EventRow.kind == key[0], EventRow.game == key[1])
    last = select(EventRow.sequence).where(*of_game).order_by(EventRow.sequence.desc()).limit(1)
    wanted = or_(
        EventRow.name.in_((OPENED, ENDED, CANCELLED)), EventRow.sequence == last.scalar_subquery()
    )
    rows = session.scalars(select(EventRow).where(*of_game, wanted).order_by(EventRow.sequence))
    return list(rows)
