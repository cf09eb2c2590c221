"""Puts the steps of many computations into batches, so that no one keeps the others waiting.

Accounts are free, so what is fair between accounts is not enough. There are four lanes, each with places of
its own and a quarter of every batch; what a lane does not use goes to the others, in this order:

1. VALUE: light work of contracts that hold ether;
2. PUBLIC: light work that a public decryption waits for;
3. OTHER: light work;
4. HEAVY: operations of more than LIGHT_STEPS steps, whoever's they are.

Within a lane the next place goes to an account that has none, of these as `shares` says, of these to whoever
came first. So who asks for little waits for nobody who asks for much. Light work that turns out to be heavy
leaves its place when another wants it, and starts anew as heavy.

The first light operation of an account starts after at most as many steps as it takes itself for each other
account that waits, and LIGHT_STEPS for each place of its lane: `docs/security.md` gives seconds.

Memory is bounded by the places: 3 MB for a light computation, up to 140 MB for a product of two euint128.
"""

import logging
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import count
from typing import Any

from fhevm.backends.base import Ciphertext, Computation, Evaluator, Step
from fhevm.costs import steps as cost
from fhevm.handles import Handle
from fhevm.ready import LIGHT_STEPS, Flow, Kind, Ready
from fhevm.shares import Shares
from fhevm.tasks import Task

log = logging.getLogger(__name__)

BATCH_STEPS = 32


class Lane(IntEnum):
    """See above."""

    VALUE = 0
    PUBLIC = 1
    OTHER = 2
    HEAVY = 3


PLACES = {Lane.VALUE: 6, Lane.PUBLIC: 6, Lane.OTHER: 6, Lane.HEAVY: 4}
MOST_RUNNING = sum(PLACES.values())


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
    lane: Lane
    rank: tuple[int, int]  # when it would end by its account's clock, and when it started
    steps: list[Step] = field(default_factory=list)
    results: list[Any] = field(default_factory=list)
    given: int = 0  # steps of this round that are in a batch or done
    used: int = 0  # steps of all rounds

    @property
    def open_steps(self) -> int:
        return len(self.steps) - self.given


class Scheduler:
    """Computations under way."""

    def __init__(
        self,
        evaluator: Evaluator,
        is_urgent: Callable[[Handle], bool],
        batch_steps: int = BATCH_STEPS,
        holds_value: Callable[[str], bool] = lambda _: False,
    ) -> None:
        """`is_urgent`: whether a public decryption waits; `holds_value`: whether a contract has ether."""
        self._evaluator = evaluator
        self._is_urgent = is_urgent
        self._batch_steps = batch_steps
        self._holds_value = holds_value
        self._running: dict[Handle, _Running] = {}
        self._admitted: dict[Handle, Lane] = {}
        self._shares = {lane: Shares() for lane in Lane}
        self._numbers = count()
        self._finished: list[Outcome] = []

    def __bool__(self) -> bool:
        """Whether anything is under way or finished and not collected."""
        return bool(self._running or self._finished)

    def admit(self, ready: Ready) -> Iterator[Task]:
        """Take what may start now; each task is to be started, or failed, before the next is asked for."""
        while (found := self._next(ready)) is not None:
            lane, flow = found
            task = ready.take(flow)
            self._admitted[task.result] = lane
            yield task

    def start(self, task: Task, computation: Computation) -> None:
        """Join a computation to those under way; one without steps finishes at once."""
        lane = self._admitted.pop(task.result, Lane.OTHER)
        self._shares[lane].start(task.account)
        rank = (self._end_of(lane, task), next(self._numbers))
        running = _Running(task, computation, lane, rank)
        self._running[task.result] = running
        self._resume(running, None)

    def fail(self, task: Task, error: str) -> None:
        """Report a computation that could not even start."""
        self._admitted.pop(task.result, None)
        self._finished.append(Outcome(task, error=error))

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
        del self._running[outcome.task.result]
        self._finished.append(outcome)

    # -- who is next ---------------------------------------------------------------------------------

    def _next(self, ready: Ready) -> tuple[Lane, Flow] | None:
        """Whose task may start, and in which lane: a place is free there then."""
        if len(self._finished) >= MOST_RUNNING:
            return None  # what is done waits to be kept first
        flows: dict[Lane, list[tuple[Flow, int, Task]]] = {}
        for first in ready.firsts():
            flows.setdefault(self._lane(first[0]), []).append(first)
        places = Counter((each.lane, each.task.account) for each in self._running.values())
        self._meet(flows, places)
        for lane in sorted(flows):
            if self._has_place(lane, ready):
                return lane, min(flows[lane], key=lambda each: self._rank(lane, places, each))[0]
        return None

    def _lane(self, flow: Flow) -> Lane:
        if flow.kind is Kind.HEAVY:
            return Lane.HEAVY
        if self._holds_value(flow.caller):
            return Lane.VALUE
        return Lane.PUBLIC if flow.kind is Kind.PUBLIC else Lane.OTHER

    def _rank(
        self, lane: Lane, places: Counter[tuple[Lane, str]], first: tuple[Flow, int, Task]
    ) -> tuple[int, bool, int, int]:
        flow, number, task = first
        is_worthless = lane is Lane.HEAVY and not self._holds_value(flow.caller)
        return places[lane, flow.account], is_worthless, self._end_of(lane, task), number

    def _meet(
        self,
        flows: Mapping[Lane, Sequence[tuple[Flow, int, Task]]],
        places: Counter[tuple[Lane, str]],
    ) -> None:
        for lane, shares in self._shares.items():
            waiting = {flow.account for flow, *_ in flows.get(lane, ())}
            shares.meet(waiting | {account for each, account in places if each is lane})

    def _end_of(self, lane: Lane, task: Task) -> int:
        return self._shares[lane].end(task.account, cost(task.operation))

    def _has_place(self, lane: Lane, ready: Ready) -> bool:
        """Whether a place is free, perhaps since what is too long for its lane has left."""
        there = [each for each in self._running.values() if each.lane is lane]
        if len(there) < PLACES[lane]:
            return True
        longest = max(there, key=lambda each: each.used)
        if lane is Lane.HEAVY or longest.used < LIGHT_STEPS:
            return False
        del self._running[longest.task.result]
        ready.add(longest.task, urgent=False, heavy=True)
        return True

    def _compose(self) -> Iterator[tuple[_Running, int]]:
        """The steps of the next batch, as (computation, place among its steps)."""
        lanes = self._queues()
        left = self._batch_steps
        for limit in (
            max(1, left // len(Lane)),
            left,
        ):  # each lane's quarter, then what is left over
            for queue in lanes:
                for running, place in _take(queue, min(limit, left)):
                    left -= 1
                    running.used += 1
                    self._shares[running.lane].serve(running.task.account)
                    yield running, place

    def _queues(self) -> list[list[_Running]]:
        """The computations of each lane, the first to end first."""
        queues: dict[Lane, list[_Running]] = {lane: [] for lane in Lane}
        for running in sorted(self._running.values(), key=lambda each: each.rank):
            is_public = running.lane is Lane.OTHER and self._is_urgent(running.task.result)
            queues[Lane.PUBLIC if is_public else running.lane].append(running)
        return [queue for queue in queues.values() if queue]


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
