"""Jobs: requests that are answered in the background and asked for by id."""

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from threading import Lock
from typing import Any

from fhevm.errors import Unavailable, UnknownJob

Json = dict[str, Any]


@dataclass(frozen=True)
class _Job:
    kind: str
    future: "Future[Json]"
    born: float


class Jobs:
    """Runs jobs in threads, at most `capacity` kept at once; results stay for `keep_seconds`."""

    def __init__(self, threads: int = 32, capacity: int = 4096, keep_seconds: float = 600) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="gateway-job")
        self._capacity = capacity
        self._keep_seconds = keep_seconds
        self._jobs: OrderedDict[str, _Job] = OrderedDict()
        self._lock = Lock()

    def submit(self, kind: str, work: Callable[[], Json]) -> str:
        """Start a job; its id cannot be guessed. Raises Unavailable where too many run."""
        with self._lock:
            self._forget_old()
            if len(self._jobs) >= self._capacity:
                raise Unavailable("too many requests at once")
            job_id = secrets.token_hex(16)
            self._jobs[job_id] = _Job(kind, self._pool.submit(work), time.monotonic())
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
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _forget_old(self) -> None:
        oldest = time.monotonic() - self._keep_seconds
        for job_id, job in list(self._jobs.items()):
            if len(self._jobs) < self._capacity and job.born > oldest:
                return
            if job.future.done():
                del self._jobs[job_id]
