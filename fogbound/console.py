"""What the commands of this project share: progress, errors in one line, exit codes."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import typer
from rich.console import Console

from fhevm.errors import FhevmError
from fogbound.errors import FogboundError
from fogbound.progress import Progress

stderr = Console(stderr=True, highlight=False)


def run(app: typer.Typer, name: str, *errors: type[Exception]) -> None:
    """Run a command; what it raises, of ours or of `errors`, becomes one line and exit code 1."""
    expected: tuple[type[Exception], ...] = (FogboundError, FhevmError, *errors)
    try:
        app(prog_name=name)
    except expected as error:
        stderr.print(f"{name}: {_one_line(error)}", markup=False, soft_wrap=True)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)


def _one_line(error: Exception) -> str:
    words = str(error).strip() or type(error).__name__
    return words.splitlines()[0]


@contextmanager
def progress() -> Iterator[Progress]:
    """Tells on stderr what begins: a spinner in a terminal, lines elsewhere."""
    if not stderr.is_terminal:
        yield lambda step: stderr.print(f"· {step}", markup=False)
        return
    with stderr.status("") as status:
        yield lambda step: status.update(f"{step} …")


def ask_passphrase(words: str) -> str:
    """Ask in the terminal; what is typed is not shown."""
    return str(typer.prompt(words, hide_input=True, err=True))
