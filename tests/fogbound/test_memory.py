"""How much memory another process may hold, also where it ends at any moment."""

import resource
import subprocess
import sys

import pytest

from fogbound.memory import growth_limited, held_memory, limit_memory

MOST = 1 << 34
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits another process")


@pytest.fixture
def process():
    with subprocess.Popen(["sleep", "60"]) as started:
        yield started
        started.kill()


def limits(process):
    return resource.prlimit(process.pid, resource.RLIMIT_AS)


def test_growth_is_limited_for_a_while_only(process):
    limit_memory(process.pid, MOST)
    with growth_limited(process.pid, 1 << 20):
        now, highest = limits(process)
        assert (now, highest) == (held_memory(process.pid) + (1 << 20), MOST)
    assert limits(process) == (MOST, MOST)


def test_growth_is_limited_to_what_it_may_hold_at_all(process):
    limit_memory(process.pid, MOST)
    with growth_limited(process.pid, 2 * MOST):
        assert limits(process) == (MOST, MOST)


def test_of_a_process_that_has_ended_nothing_is_limited(process):
    process.kill()
    process.wait()
    limit_memory(process.pid, MOST)
    assert held_memory(process.pid) == 0
    with growth_limited(process.pid, MOST):
        pass


def test_a_process_may_end_while_its_growth_is_limited(process):
    with growth_limited(process.pid, 1 << 30):
        process.kill()
        process.wait()
