"""What stands between the network and the web app."""

from fastapi import FastAPI

from frontend.app.answers import answer_errors
from frontend.app.settings import WebSettings
from frontend.app.static import Page


def add_edge(app: FastAPI, settings: WebSettings) -> None:
    """Add all that is not the index's. To be called last: the page takes every path that is left."""
    answer_errors(app)
    app.mount("/", Page(settings.page), name="page")
