"""The insecure backend: the protocol's semantics at once, with the real one's errors."""

import operator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fhevm.backends import get_backend
from fhevm.backends.batch import complete
from fhevm.errors import (
    MalformedCiphertext,
    MalformedKey,
    PlaintextOutOfRange,
    UnknownBackend,
    UnsupportedOperation,
)
from fhevm.types import FheType
from fhevm.vectors import SEED, Machine, operation

BACKEND = get_backend("clear")
KEYS = BACKEND.generate_keys(SEED)
MACHINE = Machine(BACKEND, KEYS)
U8 = FheType.EUINT8
FUNCTIONS = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "and": operator.and_,
    "or": operator.or_, "xor": operator.xor, "min": min, "max": max, "eq": operator.eq,
    "ne": operator.ne, "ge": operator.ge, "gt": operator.gt, "le": operator.le, "lt": operator.lt,
}  # fmt: skip
PREDICATES = {"eq", "ne", "ge", "gt", "le", "lt"}


def compute(name, result, *operands):
    computation = MACHINE.evaluator.compute(operation(name, result), operands)
    (ciphertext,) = complete(MACHINE.evaluator, [computation])
    return MACHINE.decryptor.decrypt(MACHINE.evaluator.dump(ciphertext), result)


@given(st.sampled_from(sorted(FUNCTIONS)), st.sampled_from(list(FheType)), st.data())
def test_binary_operators_agree_with_python(name, fhe_type, data):
    x, y = (data.draw(st.integers(0, fhe_type.modulus - 1)) for _ in range(2))
    result = FheType.EBOOL if name in PREDICATES else fhe_type
    expected = int(FUNCTIONS[name](x, y)) % result.modulus
    encrypted = [MACHINE.evaluator.trivial(v, fhe_type) for v in (x, y)]
    assert compute(name, result, *encrypted) == expected
    assert compute(name, result, encrypted[0], y) == expected


@given(st.sampled_from([t for t in FheType if t.bits > 1]), st.data())
def test_shifts_agree_with_python(fhe_type, data):
    bits = fhe_type.bits
    x, n = data.draw(st.integers(0, fhe_type.modulus - 1)), data.draw(st.integers(0, 255))
    k = n % bits
    text = format(x, f"0{bits}b")
    expected = {
        "shl": int(text[k:] + "0" * k, 2),
        "shr": int("0" * k + text[: bits - k], 2),
        "rotl": int(text[k:] + text[:k], 2),
        "rotr": int(text[bits - k :] + text[: bits - k], 2),
    }
    for name, value in expected.items():
        assert compute(name, fhe_type, MACHINE.evaluator.trivial(x, fhe_type), n) == value


def test_random_values_are_a_function_of_the_seed():
    values = [compute("rand", U8, seed) for seed in range(32)]
    assert values == [compute("rand", U8, seed) for seed in range(32)]
    assert len(set(values)) > 16
    assert {compute("rand_bounded", U8, 8, seed) for seed in range(64)} == set(range(8))
    for bound in (0, 3):
        with pytest.raises(UnsupportedOperation):
            compute("rand_bounded", U8, bound, 1)


def test_inputs_round_trip():
    plaintexts = [(t, t.modulus - 1) for t in FheType]
    blob = MACHINE.encryptor.encrypt(plaintexts, SEED)
    unpacked = MACHINE.evaluator.unpack(blob, list(FheType))
    assert [(c.type, c.value) for c in unpacked] == plaintexts
    assert blob != MACHINE.encryptor.encrypt(plaintexts, bytes([1]) * 32)


def test_malformed_bytes_are_refused():
    blob = MACHINE.encryptor.encrypt([(U8, 9)], SEED)
    for data, types in ((blob[:-1], [U8]), (blob, [FheType.EBOOL]), (blob, []), (b"", [U8])):
        with pytest.raises(MalformedCiphertext):
            MACHINE.evaluator.unpack(data, types)
    stored = MACHINE.evaluator.dump(MACHINE.evaluator.trivial(9, U8))
    for data in (stored[:-1], b"", b"X" + stored[1:], stored[:-2] + b"\1\0"):
        with pytest.raises(MalformedCiphertext):
            MACHINE.evaluator.load(data)
    with pytest.raises(MalformedCiphertext, match="euint8, not ebool"):
        MACHINE.decryptor.decrypt(stored, FheType.EBOOL)


def test_values_out_of_range_are_refused():
    for value in (256, -1):
        with pytest.raises(PlaintextOutOfRange):
            MACHINE.encryptor.encrypt([(U8, value)], SEED)


def test_keys_of_another_role_are_refused():
    assert BACKEND.generate_keys(SEED) == KEYS
    assert BACKEND.generate_keys() != BACKEND.generate_keys()
    for make, key in (
        (BACKEND.encryptor, KEYS.secret),
        (BACKEND.evaluator, KEYS.public),
        (BACKEND.decryptor, KEYS.evaluation[:-1]),
    ):
        with pytest.raises(MalformedKey):
            make(key)


@pytest.mark.parametrize("name", ["div", "rem"])
@pytest.mark.parametrize("divisor", [0, 256])
def test_a_divisor_of_0_modulo_the_type_is_refused(name, divisor):
    with pytest.raises(UnsupportedOperation, match="by 0"):
        compute(name, U8, MACHINE.evaluator.trivial(9, U8), divisor)


def test_an_unknown_operator_or_backend_is_refused():
    with pytest.raises(UnsupportedOperation, match="pow"):
        compute("pow", U8, MACHINE.evaluator.trivial(1, U8), 2)
    with pytest.raises(UnknownBackend, match="clear or concrete"):
        get_backend("none")
