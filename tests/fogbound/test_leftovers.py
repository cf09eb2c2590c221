"""What is left of a stack that was killed is waited for, and nobody else."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from fogbound import leftovers
from fogbound.leftovers import wait_for_leftovers
from fogbound.stackinfo import StackInfo

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells parts to end")


@pytest.fixture
def data(tmp_path):
    return tmp_path / "data"


def note(data, pid):
    """As a supervisor does whose only part that is."""
    data.mkdir(exist_ok=True)
    StackInfo(1, "http://chain", "http://gateway", 1, "clear", "0x", {"part": pid}).write(data)


def sleeping(seconds, *words):
    command = [sys.executable, "-c", f"import time; time.sleep({seconds})", *words]
    part = subprocess.Popen(command)
    while not (Path("/proc") / str(part.pid) / "cmdline").read_bytes():
        time.sleep(0.001)  # it has become another program, but has no command yet
    return part


@pytest.fixture
def told():
    return []


def test_a_part_that_ends_is_waited_for(data, told):
    with sleeping(60, str(data)) as part:
        note(data, part.pid)
        wait_for_leftovers(data, lambda words: (told.append(words), part.terminate()))
        assert told == ["waiting for an earlier start, which was killed, to end"]
        assert not (Path("/proc") / str(part.pid) / "cmdline").read_bytes()


def test_a_part_that_stays_is_not_waited_for_for_ever(data, told, monkeypatch):
    monkeypatch.setattr(leftovers, "STOP_SECONDS", 0.2)
    with sleeping(60, str(data)) as part:
        note(data, part.pid)
        wait_for_leftovers(data, told.append)
        assert (len(told), part.poll()) == (1, None)
        part.kill()


def test_who_has_its_process_id_by_now_is_not_waited_for(data, told):
    with sleeping(60, "elsewhere") as other:
        note(data, other.pid)
        wait_for_leftovers(data, told.append)
        assert told == []
        other.kill()


def test_a_folder_without_a_stack_is_not_waited_for(data, told):
    wait_for_leftovers(data, told.append)
    assert told == []
