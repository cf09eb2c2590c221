"""Puts the steps of many computations into batches, fairly between the accounts that asked for them.

In every batch each account gets the same share of the steps; what is left over goes to whoever has more
to do. An account for which a public decryption waits is served first, and of one account's computations
the urgent ones, then the oldest. So a huge computation slows the others down by its share, not by its size.

At most MOST_RUNNING computations are under way, so that memory is bounded whatever waits: about 3 MB each on
an euint256, up to 140 MB for a product of two euint128. A free place goes to the account that has the fewest.
Where none is free, an account that has none takes one from the account that has the most, if that has
more than one, and something urgent takes the place of what is not urgent of the same account; what had
to leave starts anew later.
"""

import logging
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from fhevm.backends.base import Ciphertext, Computation, Evaluator, Step
from fhevm.handles import Handle
from fhevm.ready import Ready
from fhevm.tasks import Task

log = logging.getLogger(__name__)

BATCH_STEPS = 64
MOST_RUNNING = 16


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
        most_running: int = MOST_RUNNING,
    ) -> None:
        self._evaluator = evaluator
        self._is_urgent = is_urgent
        self._batch_steps = batch_steps
        self._most_running = most_running
        self._running: dict[Handle, _Running] = {}
        self._turn: list[str] = []  # accounts, who is next first
        self._finished: list[Outcome] = []

    def __bool__(self) -> bool:
        """Whether anything is under way or finished and not collected."""
        return bool(self._running or self._finished)

    def admit(self, ready: Ready) -> Iterator[Task]:
        """Take what may start now; each task is to be started, or failed, before the next is asked for."""
        while (account := self._next_account(ready)) is not None:
            yield ready.take(account)

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
            if (results := self._try_to_run(steps)) is None:
                self._run_apart(batch)
            else:
                self._hand_out(batch, results)
        finished, self._finished = self._finished, []
        return finished, _count(running.task.block for running, _ in batch)

    def _try_to_run(self, steps: list[Step]) -> list[Any] | None:
        try:
            return self._evaluator.run(steps)
        except Exception:
            log.exception("a batch failed; its computations are run one by one")
            return None

    def _run_apart(self, batch: Sequence[tuple[_Running, int]]) -> None:
        """Find whose steps raised: only these computations fail."""
        for running in _distinct(batch):
            own = [each for each in batch if each[0] is running]
            try:
                results = self._evaluator.run([running.steps[place] for _, place in own])
            except Exception as error:  # noqa: BLE001 - as in `_resume`
                self._end(Outcome(running.task, error=f"{type(error).__name__}: {error}"))
            else:
                self._hand_out(own, results)

    def _hand_out(self, batch: Sequence[tuple[_Running, int]], results: Sequence[Any]) -> None:
        for (running, _), result in zip(batch, results, strict=True):
            running.results.append(result)
        for running in _distinct(batch):
            if len(running.results) == len(running.steps):
                self._resume(running, running.results)

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
        self._remove(outcome.task)
        self._finished.append(outcome)

    def _remove(self, task: Task) -> None:
        del self._running[task.result]
        accounts = {running.task.account for running in self._running.values()}
        self._turn = [account for account in self._turn if account in accounts]

    # -- who is next ---------------------------------------------------------------------------------

    def _next_account(self, ready: Ready) -> str | None:
        """Whose task may start; a place is free then."""
        counts = Counter(running.task.account for running in self._running.values())
        ranked = sorted(
            ready.accounts(), key=lambda each: (counts[each], not ready.is_urgent(each))
        )
        if len(self._running) + len(self._finished) < self._most_running:
            return ranked[0] if ranked else None
        for account in ranked:
            if victims := self._victims(account, counts, ready):
                self._remove(victims[-1])
                ready.add(victims[-1], urgent=self._is_urgent(victims[-1].result))
                return account
        return None

    def _victims(self, account: str, counts: Counter[str], ready: Ready) -> list[Task]:
        """What may have to leave for a task of `account`, the last one first."""
        if counts[account]:
            of_own = self._of(account) if ready.is_urgent(account) else []
            return [task for task in of_own if not self._is_urgent(task.result)]
        largest = max(counts, key=counts.__getitem__, default=account)
        candidates = self._of(largest) if counts[largest] > 1 else []
        return sorted(candidates, key=lambda task: not self._is_urgent(task.result))

    def _of(self, account: str) -> list[Task]:
        tasks = (running.task for running in self._running.values())
        return [task for task in tasks if task.account == account]

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


def _distinct(batch: Sequence[tuple[_Running, int]]) -> list[_Running]:
    return list({running.task.result: running for running, _ in batch}.values())


def _count(blocks: Iterator[int]) -> dict[int, int]:
    counts: dict[int, int] = {}
    for block in blocks:
        counts[block] = counts.get(block, 0) + 1
    return counts
