import json

import pytest

from fhevm.jsonsize import BYTES_A_VALUE, FEW_VALUES, is_costly


@pytest.mark.parametrize("each", [b"[]", b"{}", b"0", b"[[]]"])
def test_attack_a_megabyte_of_very_many_values(each):
    count = 2**20 // (len(each) + 1)
    assert is_costly(b"[" + b",".join([each] * count) + b"]")


def test_few_values_are_few_whatever_their_size():
    assert not is_costly(b"[" + b",".join([b"0"] * (FEW_VALUES - 1)) + b"]")
    assert not is_costly(b"")


def test_what_requests_and_records_hold_is_not_costly():
    """Each value is longer than that."""
    event = {"event": "ShotAnswered", "block": 12_345, "arguments": {"cell": 99, "hit": True}}
    whole = json.dumps([event] * 20_000).encode()
    assert len(whole) // BYTES_A_VALUE > FEW_VALUES
    assert not is_costly(whole)
