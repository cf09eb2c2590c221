"""Start-time fair queueing: what is fair between accounts that may be many."""

import pytest

from fhevm.shares import Shares

HONEST = "honest"


def wait_of(cost, others, *, cost_of_theirs, past=0):
    """Units done for others until a task of HONEST is done, while they always have one more.

    `past`: units that HONEST was served before they came.
    """
    shares, done = Shares(), 0
    for _ in range(past):
        shares.meet({HONEST})
        shares.start(HONEST)
        shares.serve(HONEST)
    shares.meet(set())
    names = [f"other {number}" for number in range(others)]
    shares.meet({*names})
    for name in names[: others // 2]:
        done += serve(shares, name, cost_of_theirs)
    done = 0
    while True:
        shares.meet({HONEST, *names})
        ends = {name: shares.end(name, cost_of_theirs) for name in names}
        ends[HONEST] = shares.end(HONEST, cost)
        first = min(ends, key=ends.__getitem__)
        if first == HONEST:
            return done
        done += serve(shares, first, cost_of_theirs)


def serve(shares, name, units):
    shares.start(name)
    for _ in range(units):
        shares.serve(name)
    return units


@pytest.mark.parametrize("past", [0, 1_000])
@pytest.mark.parametrize("others", [1, 7, 60])
@pytest.mark.parametrize(("cost", "theirs"), [(4, 64), (4, 4), (21, 1), (64, 4)])
def test_nobody_waits_for_more_of_each_other_than_it_takes_itself(others, cost, theirs, past):
    waited = wait_of(cost, others, cost_of_theirs=theirs, past=past)
    assert waited <= others * (cost + theirs if theirs <= cost else 0)


def test_whoever_is_gone_is_forgotten():
    shares = Shares()
    shares.meet({"a", "b"})
    serve(shares, "a", 5)
    shares.meet({"b"})
    assert len(shares) == 2  # a is ahead of its time
    serve(shares, "b", 9)
    shares.start("b")
    shares.meet({"c"})
    assert shares.end("c", 0) == 9
    shares.meet(set())
    assert len(shares) == 0


def test_nobody_saves_up():
    shares = Shares()
    shares.meet({"a"})
    serve(shares, "a", 50)
    shares.meet({"a", "late"})
    shares.start("a")
    shares.meet({"a", "later"})
    assert shares.end("later", 1) == 51
