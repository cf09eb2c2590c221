"""The built page: hashed assets for ever, everything else asked for anew, deep links lead to the page."""

from collections.abc import Iterable
from os import PathLike, stat_result
from pathlib import Path
from typing import Any

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response
from starlette.routing import Match, Mount
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import Scope

FOR_EVER = "public, max-age=31536000, immutable"
ANEW = "no-cache"
HASHED = "assets"  # the folder whose names tell their contents
SERVICES = ("api", "rpc", "v2")  # where nothing is a page
PAGES = (
    ".",
    "players",
    "leaderboard",
    "records",
    "settings",
    "about",
)  # as in the page's routes.ts
ENCODINGS = {"br": ".br", "gzip": ".gz"}  # best first; made by the build, beside the file
NOT_BUILT = """\
<!doctype html><html lang="en"><meta charset="utf-8"><title>Fogbound</title>
<h1>The page is not built</h1>
<p>Run <code>make page</code>, and load this again.</p>
"""


class Page(StaticFiles):
    """The files of a build, which may be made anew while this runs."""

    def __init__(self, folder: Path, kinds: Iterable[str]) -> None:
        super().__init__(directory=folder, check_dir=False)
        self._folder = folder
        self._first = {*PAGES, *kinds}

    async def check_config(self) -> None:
        """Nothing: a folder that is missing may be built later."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """The file, else the page where the path may be one of its own; 404 and 405 as HTTPException."""
        try:
            return await super().get_response("index.html" if path == "." else path, scope)
        except HTTPException as error:
            if error.status_code != 404 or not _may_be_a_page(path):
                raise
        try:
            found = await super().get_response("index.html", scope)
        except HTTPException:
            return HTMLResponse(NOT_BUILT, 503, {"cache-control": "no-store"})
        if path.partition("/")[0] not in self._first:  # as the page says to people
            found.status_code = 404
        return found

    def file_response(
        self,
        full_path: str | PathLike[str],
        stat_result: stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        """The file, in the best form that the browser takes."""
        original = Path(full_path)
        headers = {"cache-control": self._keeping(original), "vary": "accept-encoding"}
        encoding, served = _best(original, Headers(scope=scope).get("accept-encoding", ""))
        stat = stat_result if served == original else served.stat()
        response = super().file_response(served, stat, scope, status_code)
        if encoding:
            headers["content-encoding"] = encoding
        if not isinstance(response, NotModifiedResponse):
            headers["content-type"] = _content_type(super(), original, stat_result, scope)
        response.headers.update(headers)
        return response

    def _keeping(self, file: Path) -> str:
        hashed = self._folder.resolve() / HASHED in file.resolve().parents
        return FOR_EVER if hashed else ANEW


class PageMount(Mount):
    """The page at every path but the services': a wrong method there is for their own routes to refuse."""

    def __init__(self, folder: Path, kinds: Iterable[str]) -> None:
        """`kinds`: the games, each of which has pages of its own."""
        super().__init__("/", Page(folder, kinds), name="page")

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Nothing where the first part of the path is a service's."""
        _, first, *_ = f"{scope['path']}/".split("/", 2)
        return (Match.NONE, {}) if first in SERVICES else super().matches(scope)


def _may_be_a_page(path: str) -> bool:
    """The page's own paths have no dot in them, so a file that is missing is told as such."""
    return path == "." or ("." not in path and not path.startswith((*SERVICES, HASHED)))


def _best(file: Path, accepted: str) -> tuple[str | None, Path]:
    """The encoding and the file in it; those that the build has left beside the file."""
    wanted = [each.replace(" ", "").split(";") for each in accepted.split(",")]
    offered = {name for name, *quality in wanted if quality not in (["q=0"], ["q=0.0"])}
    for encoding, suffix in ENCODINGS.items():
        encoded = file.with_name(file.name + suffix)
        if encoding in offered and encoded.is_file():
            return encoding, encoded
    return None, file


def _content_type(files: Any, file: Path, stat: stat_result, scope: Scope) -> str:
    return str(files.file_response(file, stat, scope).headers["content-type"])
