"""The web app's index, row by row, against one that is made anew from the chain."""

import tempfile
from pathlib import Path
from typing import Any

from sqlalchemy import select

from frontend.app.index.database import Database
from frontend.app.index.schema import Base
from frontend.app.main import make_services
from frontend.app.settings import WebSettings
from scripts.soaking.report import Report

OWN = {"cursor", "unlisted", "stale"}  # what is not made from the chain
SEQUENCE = "sequence"  # counts an index's own changes


def check_index(data: Path, report: Report) -> None:
    """The chain must stand still."""
    settings = WebSettings(data=data, bots=False)
    with tempfile.TemporaryDirectory() as folder:
        anew = WebSettings(data=data, bots=False, database=f"sqlite:///{folder}/anew.sqlite")
        services = make_services(anew)
        services.indexing.catch_up()
        made = _rows(services.database)
        services.database.close()
    kept = Database.open(settings.database, settings.folder)
    for table, rows in _rows(kept).items():
        compare(table, rows, made[table], report)
    kept.close()


def _rows(database: Database) -> dict[str, set[str]]:
    with database.reading() as session:
        return {
            table.name: {_text(row._mapping) for row in session.execute(select(table))}
            for table in Base.metadata.sorted_tables
            if table.name not in OWN
        }


def _text(row: Any) -> str:
    """A row as text, without what differs between two indexes of one chain."""
    return repr(sorted((name, value) for name, value in row.items() if name != SEQUENCE))


def compare(table: str, kept: set[str], made: set[str], report: Report) -> None:
    report.count("index rows", len(made))
    for row in sorted(kept - made)[:3]:
        report.differ(f"index, {table}: a row that the chain does not say: {row}")
    for row in sorted(made - kept)[:3]:
        report.differ(f"index, {table}: a row is missing: {row}")
