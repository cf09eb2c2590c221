"""Jobs: requests that are answered in the background and asked for by id.

Input proofs have threads and room of their own: nothing that is decrypted keeps a player from moving. A job
that waits for a value occupies no thread.
"""

import secrets
import time
from collections import OrderedDict
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock

from fhevm.errors import NotComputedYet, TooManyRequests, UnknownHandle, UnknownJob
from fhevm.prepared import Json, Prepared

INPUT_KIND = "input-proof"


@dataclass(frozen=True)
class _Job:
    kind: str
    future: "Future[Json]"
    born: float


class _Lane:
    """Threads, and how many unfinished jobs there may be for them."""

    def __init__(self, name: str, threads: int, capacity: int) -> None:
        self.pool = ThreadPoolExecutor(threads, thread_name_prefix=f"gateway-{name}")
        self._capacity = capacity
        self._open = 0
        self._lock = Lock()

    def enter(self) -> None:
        """Take one place. Raises TooManyRequests."""
        with self._lock:
            if self._open >= self._capacity:
                raise TooManyRequests("too many requests at once")
            self._open += 1

    def leave(self, _done: object) -> None:
        """Free the place."""
        with self._lock:
            self._open -= 1


class Jobs:
    """Runs jobs in threads; results stay for `keep_seconds`, at most `capacity` of them."""

    def __init__(
        self,
        threads: int = 8,
        input_threads: int = 4,
        capacity: int = 4096,
        keep_seconds: float = 600,
    ) -> None:
        """`capacity`: how many may be unfinished, of input proofs and of decryptions."""
        self._inputs = _Lane("input", input_threads, capacity)
        self._decryptions = _Lane("decryption", threads, capacity)
        self._capacity = capacity
        self._keep_seconds = keep_seconds
        self._jobs: OrderedDict[str, _Job] = OrderedDict()
        self._lock = Lock()

    def submit(self, kind: str, work: Prepared) -> str:
        """Start a job; its id cannot be guessed. Raises TooManyRequests."""
        lane = self._inputs if kind == INPUT_KIND else self._decryptions
        lane.enter()
        future: Future[Json] = Future()
        future.add_done_callback(lane.leave)
        job_id = secrets.token_hex(16)
        with self._lock:
            self._forget_old()
            self._jobs[job_id] = _Job(kind, future, time.monotonic())
        lane.pool.submit(_begin, lane, work, future)
        return job_id

    def result(self, kind: str, job_id: str) -> Json | None:
        """The result, None while it is not there. Raises UnknownJob, and what the job raised."""
        with self._lock:
            job = self._jobs.get(job_id)
        if job is None or job.kind != kind:
            raise UnknownJob(f"no {kind} job of this id")
        return job.future.result() if job.future.done() else None

    def close(self) -> None:
        """Start nothing more."""
        for lane in (self._inputs, self._decryptions):
            lane.pool.shutdown(wait=False, cancel_futures=True)

    def _forget_old(self) -> None:
        """Drop results that were kept long enough, or are the oldest of too many."""
        oldest = time.monotonic() - self._keep_seconds
        finished = [(key, job) for key, job in self._jobs.items() if job.future.done()]
        for place, (job_id, job) in enumerate(finished):
            if job.born < oldest or len(finished) - place >= self._capacity:
                del self._jobs[job_id]


def _begin(lane: _Lane, work: Prepared, future: "Future[Json]") -> None:
    with _failing(future):
        work.check()
        try:
            future.set_result(work.answer())
        except (NotComputedYet, UnknownHandle):
            parked = work.park()
            parked.add_done_callback(lambda done: _when_there(lane, work, future, done))


def _when_there(
    lane: _Lane, work: Prepared, future: "Future[Json]", parked: "Future[None]"
) -> None:
    with _failing(future):
        parked.result()
        lane.pool.submit(_end, work, future)


def _end(work: Prepared, future: "Future[Json]") -> None:
    with _failing(future):
        future.set_result(work.answer())


@contextmanager
def _failing(future: "Future[Json]") -> Iterator[None]:
    """What is raised is the job's result."""
    try:
        yield
    except Exception as error:  # noqa: BLE001 - raised again where the result is asked for
        future.set_exception(error)
