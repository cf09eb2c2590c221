"""The one thing in the index that is not on the chain: which open games are not in the lobby."""

from sqlalchemy import update

from frontend.app.index import queries
from frontend.app.index.database import Database
from frontend.app.index.schema import CursorRow, GameRow, UnlistedRow


def unlist(database: Database, kind: str, game_id: int) -> GameRow:
    """Keep a game out of the lobby from now on, also in an index that is made anew. Raises NotFound."""
    with database.writing() as session:
        sequence = session.scalar(
            update(CursorRow).values(sequence=CursorRow.sequence + 1).returning(CursorRow.sequence)
        )
        row = queries.game(session, kind, game_id)
        row.listed, row.sequence = False, sequence or 0
        session.merge(UnlistedRow(kind=kind, game=game_id, creator=row.creator))
        return row
