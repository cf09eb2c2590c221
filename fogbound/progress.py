"""Telling what takes a while."""

from collections.abc import Callable

Progress = Callable[[str], None]  # is told what begins, in few words


def silent(step: str) -> None:
    """The progress of whoever does not want to know."""
    del step
