"""Committed gas figures: what each call costs, transaction included, in a gas.json beside its test.

UPDATE_GAS=1 takes new figures over.
"""

import json
import os
from pathlib import Path

import pytest

TOLERANCE = 0.01  # zero bytes of handles, salts and proofs, which are cheaper, make less than 0.1 %


def check_figures(folder: Path, measured: dict[str, int]) -> None:
    """`measured` must be what the gas.json of this folder says."""
    file = folder / "gas.json"
    if os.environ.get("UPDATE_GAS"):
        file.write_text(json.dumps(measured, indent=2) + "\n")
    expected = json.loads(file.read_text())
    assert measured.keys() == expected.keys()
    assert measured == {name: pytest.approx(gas, rel=TOLERANCE) for name, gas in expected.items()}
