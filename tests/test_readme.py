"""What the README shows is run."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
FIRST_SCRIPT, FIRST_TEST = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def test_the_first_script_runs():
    run = subprocess.run(
        [sys.executable, "-c", FIRST_SCRIPT], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines()[0] == "3"


def test_the_first_test_is_one_of_ours():
    assert (ROOT / "tests/contracts/test_encrypted_box.py").read_text() == FIRST_TEST


def test_every_file_and_command_that_it_names_is_there():
    for link in re.findall(r"\]\(([^):]+)\)", README):
        assert (ROOT / link).exists(), link
    named = set(
        re.findall(r"`(fogbound-web|fogbound|fhevm|bunkerwar|battleship) ([a-z-]+)", README)
    )
    for command, subcommand in named:
        program = Path(sys.executable).parent / command
        run = subprocess.run(
            [program, subcommand, "--help"], capture_output=True, check=False, text=True
        )
        assert run.returncode == 0, (command, subcommand, run.stderr)
