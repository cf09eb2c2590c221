"""The coprocessor: reads what the chain asks for, computes it, keeps the results.

It works in the thread of whoever calls: `run` for a process of its own, `step` for tests and scripts, where
a question about a value does the work that it needs. Everything that counts is in the store, so that a
process killed at any point goes on where it was; only what was being computed is computed again.
"""

import logging
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from threading import Condition, Event, Lock, RLock

from web3 import Web3

from fhevm.acl import chain_answers
from fhevm.addresses import HostAddresses
from fhevm.backends.base import Ciphertext, Computation, Evaluator
from fhevm.errors import ComputationFailed, NotComputedYet, Unavailable, UnknownHandle
from fhevm.events import Entry, Permission
from fhevm.graph import Graph
from fhevm.handles import Handle
from fhevm.heads import LOCAL_PAUSE, Heads
from fhevm.host import host_addresses
from fhevm.operations import Operation
from fhevm.pruning import Pruning
from fhevm.reader import Reader
from fhevm.scheduler import BATCH_STEPS, Outcome, Scheduler
from fhevm.store import Input, Store
from fhevm.tasks import Task
from fhevm.unused import Unused
from fhevm.values import Values

log = logging.getLogger(__name__)

POLL_SECONDS = 0.1
CATCH_UP_SECONDS = 5.0
_FAILURE_CHARACTERS = 500


@dataclass
class Work:
    """What was computed: operations, bootstraps (steps of the backend), seconds in the backend."""

    operations: int = 0
    bootstraps: int = 0
    seconds: float = 0.0


@dataclass
class Statistics(Work):
    """Work since the process started, in all and by block."""

    blocks: dict[int, Work] = field(default_factory=dict)

    def add(self, block: int, *, operations: int = 0, steps: int = 0, seconds: float = 0.0) -> None:
        """Count work done for `block`."""
        for work in (self, self.blocks.setdefault(block, Work())):
            work.operations += operations
            work.bootstraps += steps
            work.seconds += seconds


class Coprocessor:
    """Follows the chain behind `w3` into `store` and computes with `evaluator`."""

    def __init__(
        self,
        w3: Web3,
        store: Store,
        evaluator: Evaluator,
        host: HostAddresses | None = None,
        *,
        batch_steps: int = BATCH_STEPS,
        pruning: Pruning | None = None,
        unused: Unused | None = None,
    ) -> None:
        """`host`: by default, that of the chain. Raises HostError, ChainWasReset, Unavailable."""
        self.statistics = Statistics()
        self._w3 = w3
        self._store = store
        self._evaluator = evaluator
        with chain_answers():
            self._reader = Reader(w3, host or host_addresses(w3), store)
        self._work = RLock()
        self._news = Condition()
        self._demands: deque[Handle] = deque()
        self._is_running = False
        self._heads = Heads(None, pause=LOCAL_PAUSE)
        self._readings = 0  # how often the newest block was reached
        self._awaited = 0  # the reading that somebody waits for
        self._batch_steps = batch_steps
        self._values = Values(w3)
        self._pruning = pruning or Pruning(store)
        self._unused = Unused() if unused is None else unused
        self._inputs = Lock()
        self._new: dict[Handle, Task] = {}  # operations of the reading that is being learned
        for digest, size in store.unused_inputs():
            self._unused.add(digest, size)
        self._rebuild()

    # -- working -------------------------------------------------------------------------------------

    def step(self) -> None:
        """Read what is new and compute until nothing that is needed is pending.

        Raises ChainWasReset, Unavailable.
        """
        with self._work:
            while self._read() or self._compute():
                pass

    def run(self, stop: Event, heads: Heads | None = None) -> None:
        """Work until `stop` is set, also while the chain does not answer. Raises ChainWasReset.

        `heads` tells when there may be something to read; without, the chain is asked again and again.
        """
        self._heads = heads or self._heads
        self._is_running = True
        try:
            while not stop.is_set():
                with self._work:
                    busy = self._try_to_read()
                    busy = self._compute() or busy
                if not busy and self._readings >= self._awaited:
                    self._heads.wait(stop)
        finally:
            self._is_running = False
            self._tell()

    def _try_to_read(self) -> bool:
        try:
            return self._read()
        except Unavailable as error:
            log.warning("%s", error)
            return False

    def _read(self) -> bool:
        """Read on; whether there is more to read."""
        progress = self._reader.read()
        if progress.rewound:
            self._pruning.rewind(self._reader.head.number)
            self._rebuild()
        self._learn(progress.entries)
        while self._demands:
            self._graph.need(self._demands.popleft(), urgent=True)
        self._forget()
        if not progress.more:
            self._readings += 1
            self._tell()
        return progress.more

    def _compute(self) -> bool:
        """Start what can start and run one batch; whether anything was under way."""
        for task in self._scheduler.admit(self._graph.ready):
            self._start(task)
        if not self._scheduler:
            self._keep([])
            return False
        self._run_batch()
        return True

    def _rebuild(self) -> None:
        """Know again what the store says is needed; what was under way starts anew."""
        self._graph = Graph(self._store.has_ciphertext, self._store.failure, self._find)
        self._scheduler = Scheduler(
            self._evaluator, self._graph.is_urgent, self._batch_steps, self._values.holds_value
        )
        for permission in self._store.permissions():
            self._graph.need(permission.handle, urgent=permission.public)

    def _learn(self, entries: Sequence[Entry]) -> None:
        """Take up what is needed of `entries`; the rest stays in the store."""
        self._new = {
            entry.event.result: Task(entry.event, entry.block, entry.account)
            for entry in reversed(entries)
            if isinstance(entry.event, Operation)
        }
        for entry in entries:
            if isinstance(entry.event, Permission):
                self._graph.need(entry.event.handle, urgent=entry.event.public)
            else:
                self._graph.learn(entry.event.result)
                self._note_use(entry.event)
        self._new = {}
        if entries:
            self._values.refresh()

    def _find(self, handle: Handle) -> Task | None:
        return self._new.get(handle) or self._store.task(handle)

    def _note_use(self, operation: Operation) -> None:
        if operation.name == "verify_input" and (
            digest := self._store.input_digest(operation.result)
        ):
            with self._inputs:
                self._unused.use(digest)

    def _forget(self) -> None:
        """Let go of what nobody needs any more, a part at a time."""
        self._pruning.run(self._reader.head.number, lambda: set(self._graph.held()))
        with self._inputs:
            old = self._unused.take_old()
        if old:
            self._store.forget_inputs(old)

    # -- computing -----------------------------------------------------------------------------------

    def _start(self, task: Task) -> None:
        stored = {handle: self._store.ciphertext(handle) for handle in task.operands}
        found = self._store.input(task.result) if task.operation.name == "verify_input" else None
        try:
            computation = self._computation(task.operation, stored, found)
        except Exception as error:  # noqa: BLE001 - whatever a backend raises is that operation's failure
            self._scheduler.fail(task, _describe(error))
        else:
            self._scheduler.start(task, computation)

    def _computation(
        self, operation: Operation, stored: Mapping[Handle, bytes | None], found: Input | None
    ) -> Computation:
        """`stored`: the dumped operands. Each is loaded once, also where it is read twice."""
        if operation.name == "verify_input":
            return _at_once(self._input(operation.result, found))
        if operation.name == "trivial_encrypt":
            (value,) = operation.operands
            return _at_once(self._evaluator.trivial(int(value), operation.type))  # type: ignore[arg-type]
        loaded = {handle: self._load(handle, data) for handle, data in stored.items()}
        operands = [
            loaded[each] if isinstance(each, Handle) else each for each in operation.operands
        ]
        return self._evaluator.compute(operation, operands)

    def _load(self, handle: Handle, data: bytes | None) -> Ciphertext:
        if data is None:
            raise UnknownHandle(f"{handle}: no ciphertext is kept")
        return self._evaluator.load(data)

    def _input(self, handle: Handle, found: Input | None) -> Ciphertext:
        if found is None:
            raise UnknownHandle(f"{handle}: no input of this name was attested here")
        if (
            not found.ciphertext
        ):  # held back until it was forgotten: it counts as zero, and fails nobody
            return self._evaluator.trivial(0, handle.type)
        return self._evaluator.unpack(found.ciphertext, found.types)[found.place]

    def _run_batch(self) -> None:
        started = time.perf_counter()
        outcomes, steps = self._scheduler.run_batch()
        seconds = time.perf_counter() - started
        total = sum(steps.values())
        for block, count in steps.items():
            self.statistics.add(block, steps=count, seconds=seconds * count / total)
        self._keep(outcomes)

    def _keep(self, outcomes: Sequence[Outcome]) -> None:
        """Store what finished, and tell who waits."""
        dumped = {outcome.task: self._dump(outcome) for outcome in outcomes}
        done = {task: data for task, data in dumped.items() if data is not None}
        failed = self._graph.take_failed()
        if not done and not failed:
            return
        self._store.add_results([(task.result, data) for task, data in done.items()], failed)
        for task in done:
            self._graph.finish(task.result)
            self.statistics.add(task.block, operations=1)
        self._tell()

    def _dump(self, outcome: Outcome) -> bytes | None:
        """The bytes of a result; None where the operation failed, which the graph is told."""
        error = outcome.error
        if error is None:
            try:
                return self._evaluator.dump(outcome.ciphertext)
            except Exception as raised:  # noqa: BLE001 - as in `_start`
                error = _describe(raised)
        self._graph.fail(outcome.task.result, error)
        return None

    # -- answering -----------------------------------------------------------------------------------

    def add_input(self, ciphertext: bytes, handles: Sequence[Handle], client: str = "") -> None:
        """Keep an attested input of `client`, once; `handles` name its values in order.

        See `unused` for how long, where no block uses it.
        """
        digest = self._store.add_input(ciphertext, handles)
        if any(self._store.task(handle) for handle in handles):
            return
        with self._inputs:
            gone = self._unused.add(digest, len(ciphertext), client)
        if gone:
            self._store.forget_inputs(gone)

    def knows(self, handle: Handle) -> bool:
        """Whether an input or an operation, up to the newest block, made this handle."""
        deadline, level = time.monotonic() + CATCH_UP_SECONDS, self._catch_up()
        while not self._is_known(handle):
            if self._readings >= level or time.monotonic() >= deadline:
                return False
            self._await_news(deadline)
        return True

    def ciphertext(self, handle: Handle, timeout: float = 0.0) -> bytes:
        """The dumped ciphertext of `handle`, computed within `timeout` seconds, also where nothing allows it.

        Raises UnknownHandle, NotComputedYet, ComputationFailed (with the cause).
        """
        (data,) = self.wait_for([handle], timeout)
        return data

    def wait_for(self, handles: Sequence[Handle], timeout: float = 0.0) -> list[bytes]:
        """The dumped ciphertexts of `handles`; see `ciphertext`."""
        deadline = time.monotonic() + timeout
        self._demands.extend([each for each in handles if not self._store.has_ciphertext(each)])
        level = self._catch_up()
        return [self._wait(handle, deadline, level) for handle in handles]

    def _wait(self, handle: Handle, deadline: float, level: int) -> bytes:
        while True:
            data = self._store.ciphertext(handle)
            if data is not None:
                return data
            if (error := self._store.failure(handle)) is not None:
                raise ComputationFailed(f"{handle}: {error}")
            if self._readings >= level and not self._is_known(handle):
                raise UnknownHandle(f"{handle}: no operation made it")
            if time.monotonic() >= deadline:
                raise NotComputedYet(f"{handle}: not computed yet")
            self._await_news(deadline)

    def _catch_up(self) -> int:
        """How many readings it takes until what is on the chain now is known.

        Where nobody runs the coprocessor, who asks does its work. Else one reading may have begun before.
        """
        if self._is_running:
            self._awaited = self._readings + 2
            self._heads.wake()
            return self._awaited
        self.step()
        return self._readings

    def _is_known(self, handle: Handle) -> bool:
        return self._store.task(handle) is not None or self._store.input(handle) is not None

    def _await_news(self, deadline: float) -> None:
        with self._news:
            self._news.wait(max(0.0, min(deadline - time.monotonic(), POLL_SECONDS)))

    def _tell(self) -> None:
        with self._news:
            self._news.notify_all()


def _describe(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:_FAILURE_CHARACTERS]


def _at_once(ciphertext: Ciphertext) -> Computation:
    yield from ()
    return ciphertext
