"""Jobs: whose may wait, what is kept of them."""

import asyncio
import gc
import time
from concurrent.futures import Future
from threading import Event

import pytest

from fhevm.errors import (
    ComputationFailed,
    InputRefused,
    NotAllowed,
    NotComputedYet,
    TooManyRequests,
    UnknownHandle,
    UnknownJob,
)
from fhevm.jobs import Jobs
from fhevm.prepared import Prepared

KIND = "public-decrypt"


@pytest.fixture
def make_jobs():
    made = []

    def make(**options):
        made.append(Jobs(**options))
        return made[-1]

    yield make
    for jobs in made:
        jobs.close()


def prepared(answer, check=lambda: None, **more):
    return Prepared(check=check, answer=answer, **more)


def outcome(jobs, job_id, kind=KIND):
    give_up = time.monotonic() + 60
    while (answer := jobs.result(kind, job_id)) is None:
        assert time.monotonic() < give_up
        time.sleep(0.005)
    return answer


def never():
    raise NotComputedYet("not yet")


def test_a_refusal_keeps_its_words_and_nothing_of_its_request(make_jobs):
    class Body(bytearray):
        pass

    jobs = make_jobs()

    def refuse(body):
        def answer():
            raise InputRefused(f"{len(body)} bytes")

        return prepared(answer)

    ids = [jobs.submit("input-proof", refuse(Body(100_000))) for _ in range(20)]
    for job_id in ids:
        with pytest.raises(InputRefused, match=r"^100000 bytes$"):
            outcome(jobs, job_id, "input-proof")
    time.sleep(0)
    gc.collect()
    assert sum(isinstance(each, Body) for each in gc.get_objects()) <= 3  # one a thread, at most


def test_a_refusal_is_raised_anew_each_time(make_jobs):
    jobs = make_jobs()
    job_id = jobs.submit(KIND, prepared(lambda: {}, check=_not_allowed))
    caught = []
    for _ in range(2):
        with pytest.raises(NotAllowed, match=r"^no$") as error:
            outcome(jobs, job_id)
        caught.append(error.value)
    assert caught[0] is not caught[1]


def _not_allowed():
    raise NotAllowed("no")


def test_a_fault_of_ours_is_told_without_its_words(make_jobs):
    def broken():
        raise ZeroDivisionError("secret")

    jobs = make_jobs()
    job_id = jobs.submit(KIND, prepared(broken))
    with pytest.raises(ComputationFailed, match=r"^the gateway failed: ZeroDivisionError$"):
        outcome(jobs, job_id)


def test_what_the_check_does_not_know_is_not_waited_for(make_jobs):
    def unknown():
        raise UnknownHandle("nothing made it")

    jobs = make_jobs()
    job_id = jobs.submit(KIND, prepared(lambda: {}, check=unknown))
    with pytest.raises(UnknownHandle, match="nothing made it"):
        outcome(jobs, job_id)


def test_outcomes_are_bounded_in_bytes(make_jobs):
    jobs = make_jobs(keep_bytes=10_000)
    ids = [jobs.submit(KIND, prepared(lambda: {"value": "x" * 1000}))]
    outcome(jobs, ids[0])
    for _ in range(30):
        ids.append(jobs.submit(KIND, prepared(lambda: {"value": "x" * 1000})))
        outcome(jobs, ids[-1])
    assert jobs._kept <= 10_000
    assert outcome(jobs, ids[-1]) == {"value": "x" * 1000}
    with pytest.raises(UnknownJob):
        jobs.result(KIND, ids[0])


def test_long_words_are_cut(make_jobs):
    def refuse():
        raise InputRefused("x" * 10**6)

    jobs = make_jobs()
    job_id = jobs.submit(KIND, prepared(refuse))
    with pytest.raises(InputRefused) as caught:
        outcome(jobs, job_id)
    assert len(str(caught.value)) == 500


def test_a_client_has_room_for_so_many(make_jobs):
    jobs = make_jobs(per_client=3)
    for _ in range(3):
        jobs.submit(KIND, prepared(never), "flood")
    with pytest.raises(TooManyRequests, match="of one client"):
        jobs.submit(KIND, prepared(never), "flood")
    assert outcome(jobs, jobs.submit(KIND, prepared(lambda: {"n": 1}), "guest")) == {"n": 1}


def test_the_heaviest_clients_newest_gives_way(make_jobs):
    jobs = make_jobs(capacity=4, per_client=3)
    flood = [jobs.submit(KIND, prepared(never), "flood") for _ in range(3)]
    other = jobs.submit(KIND, prepared(never), "host")
    honest = jobs.submit(KIND, prepared(lambda: {"n": 1}), "guest")
    assert outcome(jobs, honest) == {"n": 1}
    with pytest.raises(TooManyRequests, match="others wait"):
        outcome(jobs, flood[-1])
    assert [jobs.result(KIND, each) for each in (*flood[:2], other)] == [None] * 3


def test_nobody_gives_way_to_who_has_as_many(make_jobs):
    jobs = make_jobs(capacity=2, per_client=2)
    kept = [jobs.submit(KIND, prepared(never), client) for client in ("host", "guest")]
    with pytest.raises(TooManyRequests, match="at once"):
        jobs.submit(KIND, prepared(never), "outsider")
    assert [jobs.result(KIND, each) for each in kept] == [None, None]


def test_one_client_never_has_all_threads(make_jobs):
    jobs = make_jobs(threads=3)
    release = Event()
    for _ in range(10):
        jobs.submit(KIND, prepared(lambda: {"done": release.wait(60)}), "flood")
    assert outcome(jobs, jobs.submit(KIND, prepared(lambda: {"n": 1}), "guest")) == {"n": 1}
    release.set()


def test_what_waits_is_answered_when_it_is_there(make_jobs):
    there, parked = Event(), Future()

    def answer():
        if not there.is_set():
            never()
        return {"n": 1}

    jobs = make_jobs()
    job_id = jobs.submit(KIND, prepared(answer, park=lambda: parked))
    there.set()
    parked.set_result(None)
    assert outcome(jobs, job_id) == {"n": 1}


def test_what_is_waited_for_in_vain_is_told(make_jobs):
    parked = Future()
    jobs = make_jobs()
    job_id = jobs.submit(KIND, prepared(never, park=lambda: parked))
    parked.set_exception(ComputationFailed("by zero"))
    with pytest.raises(ComputationFailed, match=r"^by zero$"):
        outcome(jobs, job_id)


# -- waiting for a job's end --


def hold(monkeypatch, seconds):
    monkeypatch.setattr("fhevm.jobs.HOLD_SECONDS", seconds)


def test_whoever_asks_hears_of_the_end_at_once(make_jobs, monkeypatch):
    hold(monkeypatch, 60)
    jobs, go_on = make_jobs(), Event()
    job_id = jobs.submit(KIND, prepared(lambda: go_on.wait(60) and {"found": 1}))

    async def ask():
        asked = asyncio.create_task(jobs.over(KIND, job_id))
        await asyncio.sleep(0.05)
        assert not asked.done()
        go_on.set()
        await asyncio.wait_for(asked, 30)
        return jobs.result(KIND, job_id)

    assert asyncio.run(ask()) == {"found": 1}


def test_nobody_is_held_for_long(make_jobs, monkeypatch):
    hold(monkeypatch, 0.02)
    jobs, go_on = make_jobs(), Event()
    job_id = jobs.submit(KIND, prepared(lambda: go_on.wait(60) and {}))
    asyncio.run(asyncio.wait_for(jobs.over(KIND, job_id), 30))
    assert jobs.result(KIND, job_id) is None
    go_on.set()


def test_who_comes_when_enough_are_held_is_not(make_jobs, monkeypatch):
    hold(monkeypatch, 60)
    monkeypatch.setattr("fhevm.jobs.HELD", 1)
    jobs, go_on = make_jobs(), Event()
    job_id = jobs.submit(KIND, prepared(lambda: go_on.wait(60) and {}))

    async def ask():
        first = asyncio.create_task(jobs.over(KIND, job_id))
        await asyncio.sleep(0)
        await asyncio.wait_for(jobs.over(KIND, job_id), 30)
        assert not first.done()
        go_on.set()
        await asyncio.wait_for(first, 30)

    asyncio.run(ask())


@pytest.mark.parametrize("kind", [KIND, "user-decrypt"])
def test_a_job_that_is_over_or_of_another_kind_holds_nobody(make_jobs, monkeypatch, kind):
    hold(monkeypatch, 60)
    jobs = make_jobs()
    job_id = jobs.submit(KIND, prepared(dict))
    outcome(jobs, job_id)
    asyncio.run(asyncio.wait_for(jobs.over(kind, job_id), 30))
