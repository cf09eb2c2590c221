"""Jobs: requests that are answered in the background and asked for by id.

Input proofs have threads and room of their own: nothing that is decrypted keeps a player from moving. A job
that waits for a value occupies no thread. What is kept of a job that is over is its result, or the name and
the text of its error: never a request.
"""

import asyncio
import json
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Lock
from typing import NoReturn

from fhevm.errors import (
    ComputationFailed,
    NotComputedYet,
    ServiceError,
    TooManyRequests,
    UnknownHandle,
    UnknownJob,
)
from fhevm.lanes import Lane
from fhevm.prepared import Json, Prepared

log = logging.getLogger(__name__)

INPUT_KIND = "input-proof"
PER_CLIENT = 64
CAPACITY = {True: 512, False: 4096}
"""Unfinished jobs, of input proofs (each holds up to 256 KiB) and of decryptions."""
KEEP_BYTES = 64 << 20
HOLD_SECONDS = 0.25
"""How long whoever asks for a job that is not over is kept waiting for its end."""
HELD = 128
"""How many are kept waiting at once; more are answered at once that it is not over."""
_FAILURE_CHARACTERS = 500


@dataclass(frozen=True)
class _Failure:
    """What went wrong, without the frames (and the request in them) that an exception holds on to."""

    kind: type[ServiceError]
    words: str

    @classmethod
    def of(cls, error: Exception) -> "_Failure":
        if isinstance(error, ServiceError):
            return cls(type(error), str(error)[:_FAILURE_CHARACTERS])
        log.error("a job failed: %s", type(error).__name__)
        return cls(ComputationFailed, f"the gateway failed: {type(error).__name__}")

    def raise_again(self) -> NoReturn:
        raise self.kind(self.words)


@dataclass
class _Job:
    kind: str
    client: str
    born: float
    outcome: Json | _Failure | None = None
    size: int = 0  # bytes of the outcome
    watchers: set[Callable[[], object]] = field(default_factory=set)  # called at its end


class Jobs:
    """Runs jobs in threads; outcomes stay for `keep_seconds`, the newest of `keep_bytes` in all."""

    def __init__(
        self,
        *,
        threads: int = 4,
        input_threads: int = 3,
        capacity: int | None = None,
        keep_seconds: float = 600,
        keep_bytes: int = KEEP_BYTES,
        per_client: int = PER_CLIENT,
    ) -> None:
        """`capacity`: how many may be unfinished, of each lane; `per_client`: of them for one client."""
        self._lanes = {True: Lane("input", input_threads), False: Lane("decryption", threads)}
        self._capacity = CAPACITY if capacity is None else {True: capacity, False: capacity}
        self._per_client = per_client
        self._keep_seconds = keep_seconds
        self._keep_bytes = keep_bytes
        self._open: dict[bool, dict[str, OrderedDict[str, _Job]]] = {True: {}, False: {}}
        self._over: OrderedDict[str, _Job] = OrderedDict()
        self._kept = 0
        self._held = 0
        self._lock = Lock()

    def submit(self, kind: str, work: Prepared, client: str = "") -> str:
        """Start a job of `client`; its id cannot be guessed.

        Raises TooManyRequests where the client has as many as it may, or where all is full and nobody has
        more. Where somebody has, their newest job gives way.
        """
        job_id, job = secrets.token_hex(16), _Job(kind, client, time.monotonic())
        with self._lock:
            self._make_room(kind == INPUT_KIND, client)
            self._open[kind == INPUT_KIND].setdefault(client, OrderedDict())[job_id] = job
            self._forget_old()
        self._lane(kind).put(client, work.cost, lambda: self._begin(job_id, job, work))
        return job_id

    def result(self, kind: str, job_id: str) -> Json | None:
        """The result, None while it is not there. Raises UnknownJob, and what the job raised."""
        with self._lock:
            job = self._over.get(job_id) or self._unfinished(kind, job_id)
        if job is None or job.kind != kind:
            raise UnknownJob(f"no {kind} job of this id")
        if isinstance(job.outcome, _Failure):
            job.outcome.raise_again()
        return job.outcome

    async def over(self, kind: str, job_id: str) -> None:
        """Wait for a job's end, but HOLD_SECONDS at most, and not where HELD others wait already."""
        loop, end = asyncio.get_running_loop(), asyncio.Event()
        with self._watched(kind, job_id, lambda: loop.call_soon_threadsafe(end.set)) as is_watched:
            if is_watched:
                with suppress(TimeoutError):
                    async with asyncio.timeout(HOLD_SECONDS):
                        await end.wait()

    def close(self) -> None:
        """Start nothing more."""
        for lane in self._lanes.values():
            lane.close()

    @contextmanager
    def _watched(self, kind: str, job_id: str, tell: Callable[[], object]) -> Iterator[bool]:
        """Whether `tell` is called at a job's end: only where that is yet to come, and HELD allows it."""
        with self._lock:
            job = self._unfinished(kind, job_id) if self._held < HELD else None
            if job:
                job.watchers.add(tell)
                self._held += 1
        try:
            yield job is not None
        finally:
            if job:
                self._unwatch(job, tell)

    def _unwatch(self, job: _Job, tell: Callable[[], object]) -> None:
        with self._lock:
            job.watchers.discard(tell)
            self._held -= 1

    # -- room ----------------------------------------------------------------------------------------

    def _make_room(self, is_input: bool, client: str) -> None:
        clients = self._open[is_input]
        own = len(clients.get(client, ()))
        if own >= self._per_client:
            raise TooManyRequests("too many requests of one client at once")
        if sum(map(len, clients.values())) < self._capacity[is_input]:
            return
        heaviest = max(clients, key=lambda each: len(clients[each]))
        if len(clients[heaviest]) <= own + 1:
            raise TooManyRequests("too many requests at once")
        job_id, job = next(reversed(clients[heaviest].items()))
        self._settle(job_id, job, _Failure(TooManyRequests, "others wait, who asked for less"))

    def _settle(self, job_id: str, job: _Job, outcome: Json | _Failure) -> None:
        """Keep how a job ended, once."""
        clients = self._open[job.kind == INPUT_KIND]
        if job_id not in clients.get(job.client, ()):
            return
        del clients[job.client][job_id]
        if not clients[job.client]:
            del clients[job.client]
        job.outcome = outcome
        job.size = len(outcome.words if isinstance(outcome, _Failure) else json.dumps(outcome))
        self._over[job_id] = job
        self._kept += job.size
        for tell in job.watchers:
            with suppress(RuntimeError):  # its loop has ended
                tell()
        self._forget_old()

    def _forget_old(self) -> None:
        """Drop outcomes that were kept long enough, or are the oldest of too many."""
        oldest, most = time.monotonic() - self._keep_seconds, sum(self._capacity.values())
        while self._over:
            job_id, job = next(iter(self._over.items()))
            if job.born >= oldest and self._kept <= self._keep_bytes and len(self._over) <= most:
                return
            del self._over[job_id]
            self._kept -= job.size

    def _unfinished(self, kind: str, job_id: str) -> _Job | None:
        found = (jobs.get(job_id) for jobs in self._open[kind == INPUT_KIND].values())
        return next((job for job in found if job is not None), None)

    # -- running -------------------------------------------------------------------------------------

    def _lane(self, kind: str) -> Lane:
        return self._lanes[kind == INPUT_KIND]

    def _begin(self, job_id: str, job: _Job, work: Prepared) -> None:
        """Check, then answer; where values are missing, wait for them without a thread."""
        if not self._is_wanted(job_id, job):
            return
        try:
            work.check()
            parked = self._answer_or_park(job_id, job, work)
        except Exception as error:  # noqa: BLE001 - raised again, by name, where the result is asked for
            self._finish(job_id, job, _Failure.of(error))
        else:
            if parked is not None:
                parked.add_done_callback(lambda done: self._when_there(job_id, job, work, done))

    def _answer_or_park(self, job_id: str, job: _Job, work: Prepared) -> "Future[None] | None":
        try:
            outcome = work.answer()
        except (NotComputedYet, UnknownHandle):
            return work.park()
        self._finish(job_id, job, outcome)
        return None

    def _when_there(self, job_id: str, job: _Job, work: Prepared, parked: "Future[None]") -> None:
        try:
            parked.result()
        except Exception as error:  # noqa: BLE001 - as in `_begin`
            self._finish(job_id, job, _Failure.of(error))
        else:
            self._lane(job.kind).put(job.client, work.cost, lambda: self._end(job_id, job, work))

    def _end(self, job_id: str, job: _Job, work: Prepared) -> None:
        if not self._is_wanted(job_id, job):
            return
        try:
            outcome: Json | _Failure = work.answer()
        except Exception as error:  # noqa: BLE001 - as in `_begin`
            outcome = _Failure.of(error)
        self._finish(job_id, job, outcome)

    def _is_wanted(self, job_id: str, job: _Job) -> bool:
        with self._lock:
            return job_id in self._open[job.kind == INPUT_KIND].get(job.client, {})

    def _finish(self, job_id: str, job: _Job, outcome: Json | _Failure) -> None:
        with self._lock:
            self._settle(job_id, job, outcome)
