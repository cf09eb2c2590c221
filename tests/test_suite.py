"""How the suite is run, and how much of it."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def run(*options):
    command = [ROOT / "scripts" / "test", *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_what_there_is_not_is_refused():
    done = run("--everything")
    assert (done.returncode, done.stderr[:32]) == (2, "usage: scripts/test [--fast | --")


@pytest.mark.parametrize(("variable", "amount"), [("1", "amount: all"), ("", "amount: enough")])
def test_what_is_compared_is_told(variable, amount):
    command = [sys.executable, "-m", "pytest", "--collect-only", "-p", "no:ape_test"]
    done = subprocess.run(
        [*command, "tests/test_suite.py"],
        cwd=ROOT,
        env={"FOGBOUND_FULL": variable, "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert amount in done.stdout.splitlines()
