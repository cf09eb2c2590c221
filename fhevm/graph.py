"""What is to be computed, and in which order: a graph of operations, pure.

An operation is *known* once the chain emitted it, *needed* once a needed handle depends on it, and *ready*
once all its operands are available. What nothing needs is never ready, and stays known: it may be allowed
later. `Graph.ready` holds what can start now, each operation once.
"""

from collections.abc import Callable, Iterable

from fhevm.handles import Handle
from fhevm.ready import Ready
from fhevm.tasks import Task


class Graph:
    """Operations between handles. `available` and `failure` tell about those that the graph does not hold."""

    def __init__(
        self, available: Callable[[Handle], bool], failure: Callable[[Handle], str | None]
    ) -> None:
        self._available = available
        self._failure = failure
        self._known: dict[Handle, Task] = {}
        self._wanted: set[Handle] = set()  # allowed, whether known or not
        self._missing: dict[Handle, set[Handle]] = {}  # needed → operands not available yet
        self._users: dict[Handle, list[Handle]] = {}
        self._urgent: set[Handle] = set()
        self.ready = Ready()
        self._failed: dict[Handle, str] = {}

    def __len__(self) -> int:
        """How many needed operations are not finished."""
        return len(self._missing)

    def add(self, task: Task) -> None:
        """Learn an operation; the same one again changes nothing."""
        handle = task.result
        if handle in self._known or self._is_settled(handle):
            return
        self._known[handle] = task
        if handle in self._wanted:
            self.need(handle, urgent=handle in self._urgent)

    def need(self, handle: Handle, *, urgent: bool = False) -> None:
        """Something will read `handle`: it and all that it depends on is to be computed."""
        if handle not in self._known and self._is_settled(handle):
            return
        self._wanted.add(handle)
        if urgent:
            self._urgent.add(handle)
        stack = [handle]
        while stack:
            if (current := stack.pop()) in self._known:
                stack += self._need_operation(current, urgent)

    def _need_operation(self, handle: Handle, urgent: bool) -> list[Handle]:
        """Mark a known operation; its operands that are still to be marked."""
        operands = self._known[handle].operands
        if urgent:
            self._urgent.add(handle)
            self.ready.hasten(self._known[handle])
        if handle in self._missing:
            return [each for each in self._missing[handle] if urgent and each not in self._urgent]
        if fault := self._fault(operands):
            self.fail(handle, fault)
            return []
        missing = [each for each in operands if each in self._known]
        self._missing[handle] = set(missing)
        for operand in missing:
            self._users.setdefault(operand, []).append(handle)
        if not missing:
            self._make_ready(handle)
        return missing

    def _fault(self, operands: Iterable[Handle]) -> str | None:
        for operand in operands:
            if error := self._failed.get(operand) or self._failure(operand):
                return _blame(operand, error)
            if operand not in self._known and not self._available(operand):
                return f"operand {operand} is unknown"
        return None

    def _make_ready(self, handle: Handle) -> None:
        self.ready.add(self._known[handle], urgent=handle in self._urgent)

    def is_urgent(self, handle: Handle) -> bool:
        """Whether a public decryption waits for it."""
        return handle in self._urgent

    def finish(self, handle: Handle) -> None:
        """`handle` is available from now on."""
        self._forget(handle)
        for user in self._users.pop(handle, []):
            missing = self._missing.get(user)
            if missing is not None and handle in missing:
                missing.remove(handle)
                if not missing:
                    self._make_ready(user)

    def fail(self, handle: Handle, error: str) -> None:
        """`handle` cannot be computed, nor what depends on it."""
        stack = [(handle, error)]
        while stack:
            current, reason = stack.pop()
            if current in self._failed:
                continue
            self._failed[current] = reason
            self._forget(current)
            stack += [(user, _blame(current, reason)) for user in self._users.pop(current, [])]

    def take_failed(self) -> list[tuple[Handle, str]]:
        """What failed since the last call."""
        failed = list(self._failed.items())
        self._failed.clear()
        return failed

    def _is_settled(self, handle: Handle) -> bool:
        return self._available(handle) or self._failure(handle) is not None

    def _forget(self, handle: Handle) -> None:
        self._known.pop(handle, None)
        self._missing.pop(handle, None)
        self._wanted.discard(handle)
        self._urgent.discard(handle)


def _blame(operand: Handle, error: str) -> str:
    """Why what reads `operand` fails: the first failure of all."""
    return error if error.startswith("operand ") else f"operand {operand} failed: {error}"
