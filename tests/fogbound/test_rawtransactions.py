"""What is no signed transaction is refused, whichever of its fields is of the wrong shape."""

import pytest
import rlp

from fhevm.devchain import dev_accounts
from fogbound.errors import TransactionRefused
from fogbound.rawtransactions import FIELDS, RawTransaction
from tests.fogbound.served import raw_transfer

FEES = {
    0: {},
    1: {"accessList": []},
    2: {"gasPrice": None, "maxFeePerGas": 9, "maxPriorityFeePerGas": 1},
}
ADDRESS, KEY = b"\1" * 20, b"\2" * 32
NO_ACCESS_LISTS = [
    b"",
    b"\1",
    [b""],
    [b"ab"],
    [[ADDRESS]],
    [[ADDRESS, KEY]],
    [[ADDRESS, [KEY], []]],
    [[[], [KEY]]],
    [[ADDRESS[1:], [KEY]]],
    [[ADDRESS, [KEY[1:]]]],
    [[ADDRESS, [[KEY]]]],
]


def signed(kind):
    return bytes.fromhex(raw_transfer(0, **FEES[kind])[2:])


def refused_with(kind, place, value):
    """In which words the transaction is refused that has another value there."""
    data = signed(kind)
    fields = rlp.decode(data[1:] if kind else data)
    fields[place] = value
    changed = (bytes([kind]) if kind else b"") + rlp.encode(fields)
    with pytest.raises(TransactionRefused) as refusal:
        RawTransaction.parse("0x" + changed.hex())
    return refusal.value.answer["message"]


@pytest.mark.parametrize("kind", FIELDS)
def test_a_signed_transaction_is_taken(kind):
    assert RawTransaction.parse("0x" + signed(kind).hex()).sender == dev_accounts()[1].address


@pytest.mark.parametrize(
    ("kind", "place"),
    [(kind, place) for kind, (count, *_) in FIELDS.items() for place in range(count)],
)
@pytest.mark.parametrize("value", [[b"a"], [[]], [[b"a", b"b"], []]])
def test_no_field_but_the_access_list_is_a_list(kind, place, value):
    assert "not a signed transaction" in refused_with(kind, place, value)


@pytest.mark.parametrize("kind", [1, 2])
@pytest.mark.parametrize("value", NO_ACCESS_LISTS)
def test_an_access_list_has_addresses_and_keys(kind, value):
    _, _, gas = FIELDS[kind]
    assert "not a signed transaction" in refused_with(kind, gas + 4, value)
