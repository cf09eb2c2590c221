import pytest
from eth_abi.abi import encode
from web3 import Web3

from fhevm.events import _OPERATIONS, Permission, decode_logs
from fhevm.handles import Handle
from fhevm.host_contracts import artifacts
from fhevm.types import FheType

CALLER = "0x" + "Aa" * 20
TRANSACTION = b"\7" * 32
ADMINISTRATION = {"Initialized", "Upgraded"}
VALUES = {
    "address": CALLER,
    "bytes": b"proof",
    "bytes16": bytes(range(16)),
    "uint8": 2,
    "uint256": 300,
}
OPERATORS = (
    "add sub mul div rem and or xor shl shr rotl rotr eq ne ge gt le lt min max "
    "neg not select cast trivial_encrypt verify_input rand rand_bounded"
)


def handle(number, fhe_type=FheType.EUINT8):
    return bytes(Handle(bytes([number]) * 21 + b"\xff" + bytes(8) + bytes([fhe_type, 0])))


def abi_of(event):
    entries = [*artifacts()["FHEVMExecutor"].abi, *artifacts()["ACL"].abi]
    return next(each for each in entries if each["type"] == "event" and each["name"] == event)


def log_of(event, **fields):
    abi = abi_of(event)
    types = ",".join(each["type"] for each in abi["inputs"])
    plain = [each for each in abi["inputs"] if not each["indexed"]]
    values = [
        fields.get(each["name"], handle(place) if each["type"] == "bytes32" else b"\0"[:1])
        if each["type"] in ("bytes32", "bytes1")
        else fields.get(each["name"], VALUES.get(each["type"]))
        for place, each in enumerate(plain, start=1)
    ]
    return {
        "topics": [Web3.keccak(text=f"{event}({types})"), bytes(12) + bytes.fromhex(CALLER[2:])],
        "data": encode([each["type"] for each in plain], values),
        "blockNumber": 9,
        "transactionHash": TRANSACTION,
        "logIndex": 4,
    }


def decoded(event, **fields):
    (entry,) = decode_logs([log_of(event, **fields)], {TRANSACTION: "alice"})
    return entry.event


def test_every_event_of_the_executor_is_an_operation():
    events = {each["name"] for each in artifacts()["FHEVMExecutor"].abi if each["type"] == "event"}
    assert events - ADMINISTRATION == set(_OPERATIONS)
    assert {decoded(event).name for event in _OPERATIONS} == set(OPERATORS.split())


def test_an_entry_says_where_it_comes_from():
    (entry,) = decode_logs([log_of("FheAdd")], {TRANSACTION: "alice"})
    assert (entry.block, entry.transaction, entry.account, entry.index) == (
        9,
        TRANSACTION,
        "alice",
        4,
    )
    assert entry.event.caller == Web3.to_checksum_address(CALLER)


def test_binary_operands():
    operation = decoded("FheSub")
    assert operation.operands == (Handle(handle(1)), Handle(handle(2)))
    assert operation.result == Handle(handle(4))


@pytest.mark.parametrize(
    ("fhe_type", "scalar", "expected"),
    [
        (FheType.EUINT8, 255, 255),
        (FheType.EUINT8, 256, 0),
        (FheType.EUINT16, 2**16 + 5, 5),
        (FheType.EBOOL, 3, 1),
        (FheType.EUINT256, 2**256 - 1, 2**256 - 1),
    ],
)
def test_a_scalar_has_the_width_of_the_other_operand(fhe_type, scalar, expected):
    operation = decoded(
        "FheEq", lhs=handle(1, fhe_type), rhs=scalar.to_bytes(32), scalarByte=b"\x01"
    )
    assert operation.operands == (Handle(handle(1, fhe_type)), expected)


def test_operands_that_are_no_handles():
    seed = int.from_bytes(bytes(range(16)))
    assert decoded("TrivialEncrypt").operands == (300 % 256,)
    assert decoded("FheRand").operands == (seed,)
    assert decoded("FheRandBounded").operands == (300, seed)
    assert decoded("VerifyInput").operands == ()


def test_three_operands_in_order():
    assert decoded("FheIfThenElse").operands == tuple(Handle(handle(each)) for each in (1, 2, 3))


def test_permissions():
    log = log_of("AllowedForDecryption", handlesList=[handle(1), handle(2)])
    assert [entry.event for entry in decode_logs([log], {})] == [
        Permission(Handle(handle(1)), public=True),
        Permission(Handle(handle(2)), public=True),
    ]


def test_other_events_are_left_out():
    foreign = {**log_of("FheAdd"), "topics": [b"\1" * 32]}
    anonymous = {**log_of("FheAdd"), "topics": []}
    assert decode_logs([foreign, anonymous], {}) == []
