"""A PostgreSQL of the suite's own: the programs that pgserver brings, on a folder that goes with it."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

import psycopg

PACKAGE = "pgserver"
SUPERUSER = "postgres"
UNPRIVILEGED = "nobody"  # the server refuses to run as root
INITDB = ("--username", SUPERUSER, "--auth=trust", "--encoding=UTF8", "--no-locale", "--no-sync")
START_SECONDS = "120"


@contextmanager
def running_postgresql() -> Iterator[Callable[[], str]]:
    """Runs until the end, reached by a socket in its folder alone.

    What is given makes an empty schema, which is a database of its own to all who use it by the URL that is
    returned; PostgreSQL's databases would take 7 MB and a tenth of a second each.
    """
    with TemporaryDirectory() as name:  # not pytest's: a socket's path has 100 characters at most
        folder = Path(name)
        run = partial(_run, _programs(folder), folder / "data")
        run("initdb", *INITDB)
        options = f"-F -k {folder} -c listen_addresses="
        log = str(folder / "log")
        run("pg_ctl", "start", "--wait", "--timeout", START_SECONDS, "--log", log, "-o", options)
        numbers = count(1)
        try:
            yield lambda: _create_schema(folder, f"test{next(numbers)}")
        finally:
            run("pg_ctl", "stop", "--mode=immediate")


def _programs(folder: Path) -> Path:
    """Where they are. Whom we run as instead of root may not reach ours: they get copies, and the folder."""
    spec = find_spec(PACKAGE)
    assert spec is not None, f"{PACKAGE} is not installed"
    assert spec.origin is not None
    packages = Path(spec.origin).parents[1]
    if _is_root():
        for each in packages.glob(f"{PACKAGE}*"):  # the libraries are beside the package
            shutil.copytree(each, folder / each.name)
        for each in (folder, *folder.rglob("*")):
            shutil.chown(each, UNPRIVILEGED)
        packages = folder
    return packages / PACKAGE / "pginstall" / "bin"


def _is_root() -> bool:
    return os.geteuid() == 0


def _run(programs: Path, data: Path, name: str, *arguments: str) -> None:
    subprocess.run(
        [programs / name, "--pgdata", data, *arguments],
        check=True,
        stdout=subprocess.DEVNULL,
        cwd=data.parent,
        user=UNPRIVILEGED if _is_root() else None,
    )


def _create_schema(folder: Path, name: str) -> str:
    with psycopg.connect(host=str(folder), user=SUPERUSER) as connection:
        connection.execute(f"CREATE SCHEMA {name}")
    search_path = quote(f"-csearch_path={name}")
    return f"postgresql+psycopg://{SUPERUSER}@/postgres?host={folder}&options={search_path}"
