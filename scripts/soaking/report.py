"""What a soak has done and found; filled by many threads."""

import threading
import traceback
from collections import Counter

from fogbound.progress import Progress


class Report:
    """Counts of what was done, and the differences: whatever is not as it must be."""

    def __init__(self, progress: Progress) -> None:
        self._progress, self._lock = progress, threading.Lock()
        self.counts: Counter[str] = Counter()
        self.differences: list[str] = []

    def count(self, what: str, number: int = 1) -> None:
        with self._lock:
            self.counts[what] += number

    def differ(self, what: str) -> None:
        with self._lock:
            self.differences.append(what)
        self._progress(f"DIFFERENCE: {what}")

    def expect(self, found: object, wanted: object, what: str) -> None:
        """A difference, unless both are equal."""
        if found != wanted:
            self.differ(f"{what}: {found}, not {wanted}")

    def failed(self, doing: str, error: BaseException) -> None:
        """An exception that nobody expects is a difference, too."""
        trace = "".join(traceback.format_exception(error))
        self.differ(f"{doing}: {type(error).__name__}: {error}\n{trace}")

    def __str__(self) -> str:
        with self._lock:
            return ", ".join(f"{number} {what}" for what, number in sorted(self.counts.items()))
