"""The runner that does several chores at once, and tells of each."""

import re
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "scripts" / "side_by_side"


def run(*commands):
    done = subprocess.run([SCRIPT, *commands], capture_output=True, text=True, check=False)
    return done.returncode, sorted(re.sub(r" +\d+ s  ", "", done.stdout).splitlines())


def test_what_passes_is_only_named():
    assert run("echo said", "true") == (0, ["echo said: passed", "true: passed"])


def test_what_fails_is_shown_and_fails_all_after_the_others_have_ended():
    failing = "echo why; echo and how >&2; exit 3"
    told = ["and how", f"{failing}: FAILED (3)", "true: passed", "why"]
    assert run(failing, "true") == (1, told)


def test_a_command_is_a_line_of_the_shell():
    assert run("test 'a b' = \"a b\"") == (0, ["test 'a b' = \"a b\": passed"])


@pytest.mark.parametrize("commands", [(), ("--often", "true")])
def test_what_makes_no_sense_is_refused(commands):
    done = subprocess.run([SCRIPT, *commands], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr[:29]) == (2, "usage: scripts/side_by_side C")
