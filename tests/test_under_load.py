"""The runner that proves a suite while other work holds every core."""

import os
import re
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "scripts" / "under_load"
LOOPS = "ps -o pid= --ppid $PPID | grep -vw $$ > {file}"  # whom the runner started besides this


def run(*arguments):
    return subprocess.run([SCRIPT, *arguments], capture_output=True, text=True, check=False)


def test_each_run_is_told_and_a_failed_one_fails():
    done = run("--times", "2", "sh", "-c", "exit 3")
    told = re.sub(r"[\d.]+ s", "… s", done.stdout).splitlines()
    assert told == [
        "run 1 of 2: FAILED (3) after … s under load",
        "run 2 of 2: FAILED (3) after … s under load",
        "2 of 2 runs failed",
    ]
    assert done.returncode == 1


def test_a_loop_for_each_core_runs_beside_the_command_and_ends_with_it(tmp_path):
    file = tmp_path / "loops"
    done = run("sh", "-c", LOOPS.format(file=file))
    assert (done.returncode, done.stdout.startswith("run 1 of 1: passed after ")) == (0, True)
    loops = file.read_text().split()
    assert len(loops) == len(os.sched_getaffinity(0))
    assert not any(Path(f"/proc/{pid}").exists() for pid in loops)


@pytest.mark.parametrize("arguments", [(), ("--times", "0", "true"), ("--often", "true")])
def test_what_makes_no_sense_is_refused(arguments):
    done = run(*arguments)
    assert (done.returncode, done.stderr[:27]) == (2, "usage: scripts/under_load [")
