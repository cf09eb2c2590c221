"""A short soak of the real stack, with kills."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.amount import enough

MINUTES = enough("0.4", "1")
SCRIPT = Path(__file__).parents[2] / "scripts" / "soak"


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_a_short_one_finds_no_difference():
    command = [SCRIPT, "--minutes", MINUTES, "--backend", "clear"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    summary = done.stdout.splitlines()[-1]
    assert done.returncode == 0, done.stdout
    assert re.search(
        rf"soak: no difference; seed \d+, {MINUTES} min, clear: .*\d+ balances", summary
    )
    assert re.search(r", \d+ index rows, \d+ kills, .*; second half ", summary)
    assert re.search(r"\d+ games (played|resigned|drawn|cancelled)", summary)
