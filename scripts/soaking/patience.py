"""Trying again what fails only because a process has just been killed."""

import time
from collections.abc import Callable
from typing import Any, TypeVar

from fhevm.errors import FhevmError
from fogbound.bots import PASSING
from fogbound.errors import ContractError, RecordInvalid

PATIENCE_SECONDS = 120.0
PAUSE_SECONDS = 0.2

T = TypeVar("T")


def patiently(call: Callable[..., T], *given: Any) -> T:
    """What a call that only reads returns, once it does. What goes on failing is raised."""
    until = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return call(*given)
        except (*PASSING, FhevmError):
            if time.monotonic() > until:
                raise
            time.sleep(PAUSE_SECONDS)


def attempt(act: Callable[..., Any], *given: Any, **options: Any) -> Any:
    """What a call that sends returns (True for nothing); False where it did not come through.

    It may yet have been mined: the chain says. Where the chain went back between two of its reads, a game
    is not yet what it was; one that stays so is found to be stuck.
    """
    try:
        done = act(*given, **options)
    except (*PASSING, ContractError, FhevmError, RecordInvalid):
        time.sleep(PAUSE_SECONDS)
        return False
    return True if done is None else done
