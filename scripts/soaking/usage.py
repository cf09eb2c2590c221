"""Memory and disk of a stack over time, and whether they are level."""

import time
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from scripts.soaking.stack import SoakedStack

LEVEL = 0.10  # that either may grow over the second half
ENDS = 0.1  # of a run: what its middle and its end are the mean of
HISTORY = ("chain", "web")  # folders
KILOBYTE, MEGABYTE = 1024, 10**6


@dataclass(frozen=True)
class Sample:
    """In MB. `memory`: of all processes, shared pages counted once (PSS); `disk`: of the data folder without
    `history`, the chain and its index, which grow with every block as they must.
    """

    seconds: float
    memory: float
    disk: float
    history: float

    def __str__(self) -> str:
        return f"memory {self.memory:.0f} MB, disk {self.disk:.1f} + history {self.history:.1f} MB"


class Usage:
    """Samples of one stack, in order."""

    def __init__(self, stack: SoakedStack) -> None:
        self._stack, self._begun = stack, time.monotonic()
        self.samples: list[Sample] = []

    def take(self) -> Sample:
        """One more sample."""
        data = self._stack.data
        memory = sum(map(_pss, self._stack.pids())) / MEGABYTE
        history = sum(_size(data / name) for name in HISTORY)
        seconds = time.monotonic() - self._begun
        self.samples.append(Sample(seconds, memory, _size(data) - history, history))
        return self.samples[-1]

    @property
    def middle(self) -> Sample:
        """The sample nearest to half of the time."""
        half = self.samples[-1].seconds / 2
        return min(self.samples, key=lambda sample: abs(sample.seconds - half))

    def growth(self, name: str) -> float:
        """By which part `memory` or `disk` grew from the middle to the end, each the mean of a tenth."""
        last = self.samples[-1].seconds
        width = ENDS * last
        middle = [s for s in self.samples if abs(s.seconds - last / 2) <= width / 2]
        end = [s for s in self.samples if s.seconds >= last - width]
        before, after = (mean(getattr(s, name) for s in part) for part in (middle or end, end))
        return after / before - 1

    def verdict(self) -> str:
        """What the summary says of both."""
        grown = {name: self.growth(name) for name in ("memory", "disk")}
        level = all(part <= LEVEL for part in grown.values())
        told = ", ".join(f"{name} {part:+.1%}" for name, part in grown.items())
        return f"second half {'level' if level else 'NOT level'} ({told})"


def _pss(pid: int) -> int:
    """Bytes; 0 of a process that has ended."""
    try:
        fields = Path(f"/proc/{pid}/smaps_rollup").read_text().split()
    except OSError:
        return 0
    return int(fields[fields.index("Pss:") + 1]) * KILOBYTE if "Pss:" in fields else 0


def _size(folder: Path) -> float:
    total = 0
    for file in folder.rglob("*"):
        try:
            total += file.stat().st_blocks * 512
        except OSError:  # gone meanwhile
            continue
    return total / MEGABYTE
