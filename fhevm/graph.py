"""What is to be computed, and in which order: a graph of operations, pure.

An operation is *needed* once something needs its handle, or a needed operation reads it, and *ready* once all
its operands are available. Only what is needed and not finished is held here: of the others, `find` tells
when they become needed. `Graph.ready` holds what can start now, each operation once.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterator

from fhevm.handles import Handle
from fhevm.ready import Ready
from fhevm.tasks import Task

MOST_AWAITED = 4096


class Graph:
    """Operations between handles. The callables tell about those that the graph does not hold."""

    def __init__(
        self,
        available: Callable[[Handle], bool],
        failure: Callable[[Handle], str | None],
        find: Callable[[Handle], Task | None],
    ) -> None:
        """`find`: the operation that makes a handle, where the chain has asked for it."""
        self._available = available
        self._failure = failure
        self._find = find
        self._tasks: dict[Handle, Task] = {}  # needed
        self._missing: dict[Handle, set[Handle]] = {}  # needed → operands not available yet
        self._users: dict[Handle, list[Handle]] = {}
        self._urgent: set[Handle] = set()
        self._awaited: OrderedDict[Handle, bool] = OrderedDict()  # nothing makes it yet → urgent
        self.ready = Ready()
        self._failed: dict[Handle, str] = {}

    def __len__(self) -> int:
        """How many needed operations are not finished."""
        return len(self._tasks)

    def held(self) -> Iterator[Handle]:
        """Every handle that is still to be made or read."""
        for handle, task in self._tasks.items():
            yield handle
            yield from task.operands

    def learn(self, handle: Handle) -> None:
        """`find` knows of `handle` from now on."""
        if handle in self._awaited:
            self.need(handle, urgent=self._awaited.pop(handle))

    def need(self, handle: Handle, *, urgent: bool = False) -> None:
        """Something will read `handle`: it and all that it depends on is to be computed."""
        if handle not in self._tasks:
            if self._is_settled(handle):
                return
            if (task := self._find(handle)) is None:
                self._await(handle, urgent)
                return
            self._tasks[handle] = task
        stack = [handle]
        while stack:
            stack += self._need_operation(stack.pop(), urgent)

    def _await(self, handle: Handle, urgent: bool) -> None:
        self._awaited[handle] = urgent or self._awaited.get(handle, False)
        if len(self._awaited) > MOST_AWAITED:
            self._awaited.popitem(last=False)

    def _need_operation(self, handle: Handle, urgent: bool) -> list[Handle]:
        """Mark an operation; its operands that are still to be marked."""
        task = self._tasks.get(handle)
        if task is None:
            return []
        if urgent:
            self._urgent.add(handle)
            self.ready.hasten(task)
        if handle in self._missing:
            return [each for each in self._missing[handle] if urgent and each not in self._urgent]
        found: dict[Handle, Task] = {}
        for operand in task.operands:
            if fault := self._fault(operand, found):
                self.fail(handle, fault)
                return []
        self._tasks.update(found)
        self._expect(handle, [each for each in task.operands if each in self._tasks])
        return list(self._missing[handle])

    def _fault(self, operand: Handle, found: dict[Handle, Task]) -> str | None:
        """Why `operand` will never be there; else its operation, where it is new, is added to `found`."""
        if error := self._failed.get(operand) or self._failure(operand):
            return _blame(operand, error)
        if operand in self._tasks or self._available(operand):
            return None
        if (task := self._find(operand)) is None:
            return f"operand {operand} is unknown"
        found[operand] = task
        return None

    def _expect(self, handle: Handle, missing: list[Handle]) -> None:
        self._missing[handle] = set(missing)
        for operand in missing:
            self._users.setdefault(operand, []).append(handle)
        if not missing:
            self._make_ready(handle)

    def _make_ready(self, handle: Handle) -> None:
        self.ready.add(self._tasks[handle], urgent=handle in self._urgent)

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
        self._tasks.pop(handle, None)
        self._missing.pop(handle, None)
        self._urgent.discard(handle)


def _blame(operand: Handle, error: str) -> str:
    """Why what reads `operand` fails: the first failure of all."""
    return error if error.startswith("operand ") else f"operand {operand} failed: {error}"
