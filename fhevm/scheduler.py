"""Puts the steps of many computations into batches, fairly between the accounts that asked for them.

In every batch each account gets the same share of the steps; what is left over goes to whoever has more
to do. An account for which a public decryption waits is served first, and of one account's computations
the urgent ones, then the oldest. So a huge computation slows the others down by its share, not by its size.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from fhevm.backends.base import Ciphertext, Computation, Evaluator, Step
from fhevm.handles import Handle
from fhevm.tasks import Task

BATCH_STEPS = 64


@dataclass(frozen=True)
class Outcome:
    """A finished computation: its ciphertext, or the error that ended it."""

    task: Task
    ciphertext: Ciphertext | None = None
    error: str | None = None


@dataclass
class _Running:
    task: Task
    computation: Computation
    steps: list[Step] = field(default_factory=list)
    results: list[Any] = field(default_factory=list)
    given: int = 0  # steps that are in a batch or done

    @property
    def open_steps(self) -> int:
        return len(self.steps) - self.given


class Scheduler:
    """Computations under way. `is_urgent`: whether a public decryption waits for a handle."""

    def __init__(
        self,
        evaluator: Evaluator,
        is_urgent: Callable[[Handle], bool],
        batch_steps: int = BATCH_STEPS,
    ) -> None:
        self._evaluator = evaluator
        self._is_urgent = is_urgent
        self._batch_steps = batch_steps
        self._running: dict[Handle, _Running] = {}
        self._turn: list[str] = []  # accounts, who is next first
        self._finished: list[Outcome] = []

    def __bool__(self) -> bool:
        """Whether anything is under way or finished and not collected."""
        return bool(self._running or self._finished)

    def start(self, task: Task, computation: Computation) -> None:
        """Join a computation to those under way; one without steps finishes at once."""
        running = _Running(task, computation)
        self._running[task.result] = running
        if task.account not in self._turn:
            self._turn.append(task.account)
        self._resume(running, None)

    def fail(self, task: Task, error: str) -> None:
        """Report a computation that could not even start."""
        self._finished.append(Outcome(task, error=error))

    def clear(self) -> None:
        """Forget everything under way."""
        self._running.clear()
        self._turn.clear()
        self._finished.clear()

    def run_batch(self) -> tuple[list[Outcome], dict[int, int]]:
        """Run one batch; what finished, and how many steps were run for each block."""
        batch = list(self._compose())
        if batch:
            steps = [running.steps[place] for running, place in batch]
            for (running, _), result in zip(batch, self._evaluator.run(steps), strict=True):
                running.results.append(result)
            for running in {running.task.result: running for running, _ in batch}.values():
                if len(running.results) == len(running.steps):
                    self._resume(running, running.results)
        finished, self._finished = self._finished, []
        return finished, _count(running.task.block for running, _ in batch)

    def _resume(self, running: _Running, results: list[Any] | None) -> None:
        """Drive a computation to its next steps, or to its end."""
        try:
            running.steps = running.computation.send(results)  # type: ignore[arg-type]
            while not running.steps:
                running.steps = running.computation.send([])
            running.results, running.given = [], 0
        except StopIteration as stop:
            self._end(Outcome(running.task, ciphertext=stop.value))
        except Exception as error:  # noqa: BLE001 - whatever a backend raises is that operation's failure
            self._end(Outcome(running.task, error=f"{type(error).__name__}: {error}"))

    def _end(self, outcome: Outcome) -> None:
        del self._running[outcome.task.result]
        self._finished.append(outcome)
        accounts = {running.task.account for running in self._running.values()}
        self._turn = [account for account in self._turn if account in accounts]

    # -- who is next ---------------------------------------------------------------------------------

    def _compose(self) -> Iterator[tuple[_Running, int]]:
        """The steps of the next batch, as (computation, place among its steps)."""
        queues = self._queues()
        self._turn = self._turn[1:] + self._turn[:1]
        left = self._batch_steps
        share = max(1, left // max(1, len(queues)))
        for limit in (share, left):  # everybody's share, then what is left over
            for queue in queues:
                for taken in _take(queue, min(limit, left)):
                    left -= 1
                    yield taken

    def _queues(self) -> list[list[_Running]]:
        """Each account's computations, the urgent first; accounts in their turn, the urgent first."""
        urgent: dict[str, list[_Running]] = {account: [] for account in self._turn}
        others: dict[str, list[_Running]] = {account: [] for account in self._turn}
        for running in self._running.values():
            group = urgent if self._is_urgent(running.task.result) else others
            group[running.task.account].append(running)
        accounts = sorted(self._turn, key=lambda account: not urgent[account])
        return [urgent[account] + others[account] for account in accounts]


def _take(queue: Sequence[_Running], limit: int) -> Iterator[tuple[_Running, int]]:
    for running in queue:
        for _ in range(min(limit, running.open_steps)):
            limit -= 1
            running.given += 1
            yield running, running.given - 1


def _count(blocks: Iterator[int]) -> dict[int, int]:
    counts: dict[int, int] = {}
    for block in blocks:
        counts[block] = counts.get(block, 0) + 1
    return counts
