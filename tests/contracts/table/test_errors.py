"""Every custom error is asserted by some test in this folder."""

import re
from pathlib import Path


def test_every_error_is_asserted(project):
    asserted = set()
    for file in Path(__file__).parent.glob("test_*.py"):
        asserted |= set(re.findall(r"\b(?:DiceTable|Table)_\w+", file.read_text()))
    declared = {
        error.name
        for contract in (project.Sandbox, project.DiceRace)
        for error in contract.contract_type.errors
        if error.name.startswith(("Table_", "DiceTable_"))
    }
    assert len(declared) > 30
    assert declared <= asserted, declared - asserted
    assert asserted <= declared, asserted - declared
