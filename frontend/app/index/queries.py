"""What the API asks of the index; each of these is one query, or two."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Select, and_, func, or_, select
from sqlalchemy.orm import Session

from frontend.app.errors import NotFound
from frontend.app.index.schema import CursorRow, EventRow, GameRow, SeatRow, StandingRow
from frontend.app.index.summary import LIVE


@dataclass(frozen=True)
class Wanted:
    """Which games: of what kind and status; in which `player` sits; whose free seat is `invited`'s;
    opened before the place `before`; at most `limit`.
    """

    kind: str | None = None
    status: str | None = None
    player: str | None = None
    invited: str | None = None
    before: int | None = None
    limit: int = 50


def games(session: Session, wanted: Wanted) -> Sequence[GameRow]:
    """The newest first. Open games that are unlisted are for who sits in them or is invited."""
    query, opened = select(GameRow), GameRow.opened
    if wanted.player is not None:
        opened = SeatRow.opened
        seated = and_(SeatRow.kind == GameRow.kind, SeatRow.game == GameRow.id)
        query = query.join(SeatRow, seated).where(SeatRow.player == wanted.player)
    if wanted.invited is not None:
        query = query.where(GameRow.invited == wanted.invited)
    if wanted.player is None and wanted.invited is None:
        query = query.where(or_(GameRow.listed, GameRow.status != "open"))
    if wanted.before is not None:
        query = query.where(opened < wanted.before)
    query = _of(query, wanted.kind, wanted.status)
    return session.scalars(query.order_by(opened.desc()).limit(wanted.limit)).all()


def sequence(session: Session) -> int:
    """The number of the last change, as of which this session reads; 0 where nothing was read yet."""
    return session.scalar(select(CursorRow.sequence)) or 0


def game(session: Session, kind: str, game_id: int) -> GameRow:
    """One game. Raises NotFound."""
    row = session.get(GameRow, (kind, game_id))
    if row is None:
        raise NotFound(f"there is no {kind} game {game_id}")
    return row


def events(session: Session, kind: str, game_id: int) -> Sequence[EventRow]:
    """One game's events, in order."""
    of_game = select(EventRow).where(EventRow.kind == kind, EventRow.game == game_id)
    return session.scalars(of_game.order_by(EventRow.sequence)).all()


def standings(session: Session, player: str) -> dict[str, StandingRow]:
    """A player's standings by kind, where they have finished a game."""
    rows = session.scalars(select(StandingRow).where(StandingRow.player == player))
    return {row.kind: row for row in rows}


def running(session: Session, player: str) -> int:
    """How many games a player is in the middle of."""
    query = select(func.count()).select_from(SeatRow)
    return session.scalar(query.where(SeatRow.player == player, SeatRow.status == LIVE)) or 0


def leaderboard(session: Session, kind: str, limit: int) -> Sequence[StandingRow]:
    """Rated players, the best first."""
    rated = select(StandingRow).where(StandingRow.kind == kind, StandingRow.rated > 0)
    order = (StandingRow.score.desc(), StandingRow.player)
    return session.scalars(rated.order_by(*order).limit(limit)).all()


def _of(query: Select[GameRow], kind: str | None, status: str | None) -> Select[GameRow]:
    if kind is not None:
        query = query.where(GameRow.kind == kind)
    return query if status is None else query.where(GameRow.status == status)
