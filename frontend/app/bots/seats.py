"""Where the bots sit: their own unfinished games, as the index shows them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Select, and_, select
from sqlalchemy.orm import Session

from fogbound.tasks import Key
from frontend.app.bots.accounts import Bot
from frontend.app.index.database import ONLY, Database
from frontend.app.index.schema import CursorRow, GameRow, SeatRow
from frontend.app.index.summary import LIVE

FINISHED = "finished"
LATE = 50  # ended games that are looked at after a start: a loser may still show the board


@dataclass
class Seat:
    """A bot in a game. `done`: the game has to change before there is something to do again."""

    bot: Bot
    row: GameRow
    done: bool = False

    @property
    def key(self) -> Key:
        """The game's."""
        return self.row.kind, self.row.id

    @property
    def to_act(self) -> bool:
        """Whether it has, or may have, to act."""
        if self.row.phase == "playing":
            return not self.done and self._on_turn
        return not self.done and self.row.phase in ("proving", "ended")

    @property
    def claimable(self) -> float:
        """The second from which on the other can be made to lose on time; infinite where they cannot."""
        waits = self.row.phase == "playing" and not self._on_turn and self.row.deadline is not None
        return (self.row.deadline or 0) + 1 if waits else float("inf")

    @property
    def _on_turn(self) -> bool:
        return self.row.on_turn == self.row.players.index(self.bot.address)


class Seats:
    """Kept up to date by what has changed: the games of others cost nothing."""

    def __init__(self, database: Database, bots: Mapping[str, Bot]) -> None:
        """`bots`: by address."""
        self._database = database
        self._bots = bots
        self._seats: dict[Key, Seat] = {}
        self._read: int | None = None

    def refresh(self) -> None:
        """Read what has changed since the last time."""
        with self._database.reading() as session:
            cursor = session.get(CursorRow, ONLY)
            if cursor is None or cursor.sequence == self._read:
                return
            rows = self._changed(session, cursor)
        for row in rows:
            self._put(row)
        self._read = cursor.sequence

    def all(self) -> list[Seat]:
        """Those whose clocks end first are first."""
        return sorted(self._seats.values(), key=lambda seat: seat.row.deadline or 0)

    def forget(self) -> None:
        """Read all anew the next time."""
        self._read = None

    def _changed(self, session: Session, cursor: CursorRow) -> Sequence[GameRow]:
        if self._read is None or cursor.reset > self._read:
            self._seats.clear()
            return [*games_of(session, self._bots), *_lately_ended(session, self._bots)]
        mine = and_(SeatRow.player.in_(self._bots), SeatRow.sequence > self._read)
        return session.scalars(_seated().where(mine)).all()

    def _put(self, row: GameRow) -> None:
        self._seats.pop((row.kind, row.id), None)
        bots = (self._bots[player] for player in row.players if player and player in self._bots)
        seat = next((Seat(bot, row) for bot in bots), None)
        if seat and row.status in (LIVE, FINISHED):
            self._seats[seat.key] = seat

    def settle(self, seat: Seat) -> None:
        """Nothing is left to do there until the game changes; an ended one need not be looked at again."""
        seat.done = True
        if seat.row.status == FINISHED:
            self._seats.pop(seat.key, None)


def games_of(session: Session, players: Collection[str]) -> Sequence[GameRow]:
    """The games that have begun and not ended in which one of these sits."""
    mine = and_(SeatRow.player.in_(players), SeatRow.status == LIVE)
    return session.scalars(_seated().where(mine)).all()


def _lately_ended(session: Session, players: Collection[str]) -> Sequence[GameRow]:
    mine = and_(SeatRow.player.in_(players), SeatRow.status == FINISHED)
    query = _seated().where(mine).order_by(SeatRow.sequence.desc()).limit(LATE)
    return session.scalars(query).all()


def _seated() -> Select[GameRow]:
    of_game = and_(SeatRow.kind == GameRow.kind, SeatRow.game == GameRow.id)
    return select(GameRow).join(SeatRow, of_game)
