"""The chain in this process leaves the rest of the process as it was."""

import subprocess
import sys

NESTED = """
import json, threading
import fhevm.pyevm

def parse():
    try:
        json.loads('{"a":' * 200_000)
    except RecursionError:
        print("refused")

thread = threading.Thread(target=parse)
thread.start()
thread.join()
"""


def test_nested_input_is_refused_and_ends_no_process():
    run = subprocess.run(
        [sys.executable, "-c", NESTED], check=False, capture_output=True, text=True
    )
    assert (run.returncode, run.stdout) == (0, "refused\n"), run.stderr
