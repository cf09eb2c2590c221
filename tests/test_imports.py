"""What a command imports before it knows what it is asked: the help of each must come at once."""

import subprocess
import sys

import pytest

SLOW = ("web3", "eth_account", "sqlalchemy", "fastapi", "numpy", "concrete")


@pytest.mark.parametrize(
    "package", ["battleship", "bunkerwar", "fogbound", "fhevm", "frontend.app"]
)
def test_the_help_needs_no_slow_library(package):
    told = f"import sys, {package}.cli; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert f"{package}.cli" in done.stdout.split()
    assert not set(SLOW) & set(done.stdout.split())
