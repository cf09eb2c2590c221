"""All that an index holds, and what it answers."""

from collections.abc import Iterator

from sqlalchemy import select
from sqlalchemy.orm import Session

from frontend.app.index import queries
from frontend.app.index.database import Database
from frontend.app.index.queries import Wanted
from frontend.app.index.schema import Base

COUNTS = ("sequence", "reset")  # number the changes, so they tell how the index grew


def contents(database: Database) -> dict[str, list[tuple]]:
    """Every row by table, but for the numbers of changes."""
    found = {}
    with database.reading() as session:
        for table in Base.metadata.sorted_tables:
            columns = [each for each in table.columns if each.name not in COUNTS]
            rows = session.execute(select(*columns)).all()
            found[table.name] = sorted((tuple(row) for row in rows), key=repr)
    return found


def answers(database: Database, kind: str, players: list[str]) -> list[object]:
    """What each query of the API finds: the games' numbers, the players' figures."""
    with database.reading() as session:
        lists = [
            [(game.kind, game.id) for game in queries.games(session, wanted)]
            for wanted in _wanted(session, kind, players)
        ]
        ranked = [(row.player, row.score) for row in queries.leaderboard(session, kind, 50)]
        figures = [
            (queries.running(session, player), sorted(queries.standings(session, player)))
            for player in players
        ]
    return [*lists, ranked, *figures]


def _wanted(session: Session, kind: str, players: list[str]) -> Iterator[Wanted]:
    yield Wanted()
    newest = queries.games(session, Wanted(limit=3))
    yield Wanted(before=newest[-1].opened, limit=3)
    for status in ("open", "live", "finished"):
        yield Wanted(kind=kind, status=status)
    for player in players:
        yield Wanted(player=player, status="finished")
        yield Wanted(invited=player)
