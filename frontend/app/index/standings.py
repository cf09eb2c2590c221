"""The standings in the database: ratings.py folded over the games that ended since."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict
from functools import partial

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from fogbound.game import Outcome
from frontend.app.index.links import are_linked
from frontend.app.index.ratings import Ended, Ladder, Standing, pairs
from frontend.app.index.schema import CursorRow, GameRow, PairRow, StandingRow, place_of

COUNTED = 200  # games a step


def has_uncounted(session: Session) -> bool:
    """Whether games have ended that the standings do not count yet."""
    rated = select(CursorRow.rated).scalar_subquery()
    return session.scalar(select(GameRow.id).where(GameRow.ended > rated).limit(1)) is not None


def count_ended(session: Session, cursor: CursorRow) -> None:
    """Count the games that have ended since `cursor.rated`, in order of their ends; at most COUNTED."""
    ladders: dict[str, Ladder] = defaultdict(lambda: Ladder({}, {}, partial(are_linked, session)))
    ended = select(GameRow).where(GameRow.ended > cursor.rated).order_by(GameRow.ended)
    for row in session.scalars(ended.limit(COUNTED)).all():
        game, ladder = _ended(row), ladders[row.kind]
        _load(session, row.kind, ladder, game)
        ladder.add(game)
        cursor.rated = game.place
    _save(session, ladders)


def forget_ended(session: Session, cursor: CursorRow, common: int) -> None:
    """Forget all standings where they count an end in a block after `common`."""
    if cursor.rated >= place_of(common + 1, 0):
        session.execute(delete(StandingRow))
        session.execute(delete(PairRow))
        cursor.rated = 0


def standing_of(row: StandingRow) -> Standing:
    """A row as a value."""
    return Standing(**{name: getattr(row, name) for name in Standing.__dataclass_fields__})


def _load(session: Session, kind: str, ladder: Ladder, game: Ended) -> None:
    """What is known of this game's players, where the ladder has not got it yet."""
    for player in game.players:
        row = session.get(StandingRow, (kind, player))
        if row and player not in ladder.standings:
            ladder.standings[player] = standing_of(row)
    for pair in pairs(game.players):
        met = session.get(PairRow, (kind, *pair))
        if met and pair not in ladder.met:
            ladder.met[pair] = met.games


def _save(session: Session, ladders: Mapping[str, Ladder]) -> None:
    for kind, ladder in ladders.items():
        for player, each in ladder.standings.items():
            session.merge(StandingRow(kind=kind, player=player, score=each.score, **asdict(each)))
        for (one, other), games in ladder.met.items():
            session.merge(PairRow(kind=kind, one=one, other=other, games=games))


def _ended(row: GameRow) -> Ended:
    assert row.ended is not None, "it was selected by its end"
    players = tuple(player for player in row.players if player)
    outcome = Outcome[row.outcome.upper()]
    return Ended(row.opened, row.ended, players, frozenset(row.winners), outcome, int(row.stake))
