"""Has a stack prepared by a process of its own, so that the supervisor stays small."""

import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from fogbound.clocks import Clocks, TimeControl
from fogbound.errors import ProcessFailed
from fogbound.process import Process
from fogbound.progress import Progress


@dataclass(frozen=True)
class Wanted:
    """`rpc`: of the chain. `backend`: None: that of the folder's keys. Clocks as of TableTerms."""

    data: str
    rpc: str
    backend: str | None
    clocks: Clocks
    controls: tuple[TimeControl, ...]

    @classmethod
    def parse(cls, text: str) -> "Wanted":
        """From JSON."""
        given = json.loads(text)
        clocks = Clocks(**given.pop("clocks"))
        controls = tuple(TimeControl(**each) for each in given.pop("controls"))
        return cls(**given, clocks=clocks, controls=controls)


@dataclass(frozen=True)
class Prepared:
    """What the parts of a stack are started with."""

    backend: str
    fingerprint: str
    chain_id: int


def have_prepared(wanted: Wanted, progress: Progress) -> Prepared:
    """Keys, host contracts, games and the keeper's money, all of which may be there already.

    Raises ProcessFailed with the words of what went wrong.
    """
    command = [sys.executable, "-m", "fogbound.preparing", json.dumps(asdict(wanted))]
    log = Path(wanted.data) / "logs" / "preparing.log"
    process = Process("the preparation", command, log, is_heard=True)
    try:
        for line in process.lines():
            told = json.loads(line)
            if "step" in told:
                progress(told["step"])
            elif "failed" in told:
                raise ProcessFailed(told["failed"])
            else:
                return Prepared(**told["prepared"])
        raise ProcessFailed(f"the preparation ended: {process.last_words()}")
    finally:
        process.stop()
