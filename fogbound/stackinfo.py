"""Where a stack's parts are: what `fogbound up` tells other programs by a file."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from fogbound.errors import StackNotRunning


@dataclass(frozen=True)
class StackInfo:
    """What `fogbound up` writes to `stack.json` once all is ready, and after a restart of a process.

    `pid` is the supervisor's; `processes` are its children's ids by name; `fingerprint` is that of the
    public keys in the data folder, which its gateway must show.
    """

    pid: int
    rpc: str
    gateway: str
    chain_id: int
    backend: str
    fingerprint: str
    processes: dict[str, int]

    def write(self, data: Path) -> None:
        """Put it into the data folder, all at once."""
        partial = data / f"stack.{self.pid}"
        partial.write_text(json.dumps(asdict(self), indent=1))
        partial.replace(data / "stack.json")

    @classmethod
    def read(cls, data: Path) -> "StackInfo":
        """The running stack's. Raises StackNotRunning."""
        try:
            return cls(**json.loads((data / "stack.json").read_text()))
        except (OSError, ValueError, TypeError):
            raise StackNotRunning(data) from None
