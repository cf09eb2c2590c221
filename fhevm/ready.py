"""Operations that could start, in flows: what one account asked for through one contract, of one kind.

In a flow it is first come first served; the scheduler chooses between flows.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from itertools import count

from fhevm.costs import steps
from fhevm.handles import Handle
from fhevm.tasks import Task

LIGHT_STEPS = 64


class Kind(IntEnum):
    """What an operation is, in itself."""

    PUBLIC = 0  # a public decryption waits for it
    OTHER = 1
    HEAVY = 2  # of more than LIGHT_STEPS steps, whoever waits for it


@dataclass(frozen=True)
class Flow:
    """Where an operation queues."""

    account: str
    caller: str
    kind: Kind


class Ready:
    """A task is small: its operands are loaded when it starts."""

    def __init__(self) -> None:
        self._flows: dict[Flow, dict[Handle, tuple[int, Task]]] = {}
        self._numbers = count()

    def __len__(self) -> int:
        return sum(map(len, self._flows.values()))

    def add(self, task: Task, *, urgent: bool, heavy: bool = False) -> None:
        """Put `task` at the end of its flow; `heavy`: it has turned out to be."""
        kind = Kind.PUBLIC if urgent else Kind.OTHER
        if heavy or steps(task.operation) > LIGHT_STEPS:
            kind = Kind.HEAVY
        self._put(Flow(task.account, task.operation.caller, kind), next(self._numbers), task)

    def hasten(self, task: Task) -> None:
        """A public decryption waits for `task` from now on; nothing happens where it is not here."""
        flow = Flow(task.account, task.operation.caller, Kind.OTHER)
        if task.result in self._flows.get(flow, ()):
            number, _ = self._remove(flow, task.result)
            self._put(Flow(flow.account, flow.caller, Kind.PUBLIC), number, task)

    def firsts(self) -> Iterator[tuple[Flow, int, Task]]:
        """Each flow that has something to start, with when its first came (earlier is less), and that."""
        for flow, tasks in self._flows.items():
            yield flow, *next(iter(tasks.values()))

    def take(self, flow: Flow) -> Task:
        """The first task of one of `firsts()`."""
        _, task = self._remove(flow, next(iter(self._flows[flow])))
        return task

    def _put(self, flow: Flow, number: int, task: Task) -> None:
        self._flows.setdefault(flow, {})[task.result] = number, task

    def _remove(self, flow: Flow, handle: Handle) -> tuple[int, Task]:
        found = self._flows[flow].pop(handle)
        if not self._flows[flow]:
            del self._flows[flow]
        return found
