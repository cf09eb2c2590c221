"""All that an index holds."""

from sqlalchemy import select

from frontend.app.index.database import Database
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
