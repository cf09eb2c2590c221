"""Operators of the TFHE backend on noiseless ciphertexts: exhaustive or random, on every type."""

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fhevm.backends.arithmetic import COMPARISONS, evaluate
from fhevm.backends.concrete.parameters import NOISE_BUDGET
from fhevm.errors import UnsupportedOperation
from fhevm.types import FheType
from tests.amount import enough
from tests.fhevm.backends.noiseless import Noiseless

BOOL, U8 = FheType.EBOOL, FheType.EUINT8
NUMBERS = [t for t in FheType if t not in (BOOL, FheType.EADDRESS, FheType.EUINT256)]
INTEGERS = [*NUMBERS, FheType.EUINT256]
ARITHMETIC = ["add", "sub", "mul", "ge", "gt", "le", "lt", "min", "max"]
BITWISE = ["and", "or", "xor", "eq", "ne"]
SHIFTS = ["shl", "shr", "rotl", "rotr"]


def result_type(name, source):
    return BOOL if name in COMPARISONS else source


def check(name, source, result, *operands):
    """Compare one operation with plain integers; an operand is (value, encrypted).

    Public operands are scalars, but for select, where the protocol has only handles.
    """
    machine = Noiseless()
    types = [BOOL, source, source] if name == "select" else [source] * len(operands)
    passed = [
        machine.encrypt(value, t)
        if encrypted
        else (machine.public(value, t) if name == "select" else value)
        for (value, encrypted), t in zip(operands, types, strict=True)
    ]
    found = machine.decrypt(machine.compute(name, result, *passed))
    values = [value for value, _ in operands]
    assert found == evaluate(name, values, source, result), (name, source, operands)
    return machine.bootstraps


@pytest.mark.parametrize("name", [*ARITHMETIC, *BITWISE, *SHIFTS])
@pytest.mark.parametrize("scalar", [False, True])
def test_pairs_of_euint8(name, scalar):
    for seed in range(60):
        x, y = random.Random(seed).choices(range(256), k=2)
        y = x if seed % 7 == 0 else y
        check(name, U8, result_type(name, U8), (x, True), (y, not scalar))


@pytest.mark.parametrize("name", BITWISE)
def test_all_pairs_of_ebool(name):
    for x in range(2):
        for y in range(2):
            for scalar in (False, True):
                assert check(name, BOOL, BOOL, (x, True), (y, not scalar)) == (not scalar)


@pytest.mark.parametrize("name", ["div", "rem"])
def test_every_divisor_of_an_euint8(name):
    for divisor in range(1, 256):
        for x in (
            divisor - 1,
            divisor,
            2 * divisor - 1,
            255,
            random.Random(divisor).randint(0, 255),
        ):
            check(name, U8, U8, (x % 256, True), (divisor, False))


@pytest.mark.parametrize("name", SHIFTS)
def test_every_amount_for_an_euint8(name):
    for amount in range(20):
        check(name, U8, U8, (0b10110011, True), (amount, True))
        check(name, U8, U8, (0b10110011, True), (amount, False))


def test_select_in_all_forms():
    for seed in range(64):
        x, y = random.Random(seed).choices(range(256), k=2)
        forms = seed & 1, seed & 2
        check("select", U8, U8, (seed >> 2 & 1, True), (x, bool(forms[0])), (y, True))
        check("select", U8, U8, (seed >> 2 & 1, True), (x, True), (y, bool(forms[1])))


@pytest.mark.parametrize("source", [BOOL, *INTEGERS], ids=str)
@pytest.mark.parametrize("target", [BOOL, *INTEGERS], ids=str)
def test_casts(source, target):
    for value in {0, 1, source.modulus - 1, source.modulus // 3}:
        check("cast", source, target, (value, True))


@settings(max_examples=enough(150, 1500))
@given(st.data())
def test_every_operator_on_every_type(data):
    name = data.draw(st.sampled_from([*ARITHMETIC, *BITWISE, *SHIFTS, "neg", "not", "select"]))
    allowed = NUMBERS if name in ARITHMETIC else INTEGERS
    source = data.draw(st.sampled_from(allowed[:4] if name == "mul" else allowed))
    value = st.integers(0, source.modulus - 1)
    x, y = data.draw(value), data.draw(value)
    if name in ("neg", "not"):
        check(name, source, source, (x, True))
    elif name == "select":
        check(name, source, source, (data.draw(st.integers(0, 1)), True), (x, True), (y, True))
    else:
        y %= 256 if name in SHIFTS else source.modulus
        check(name, source, result_type(name, source), (x, True), (y, data.draw(st.booleans())))


@settings(max_examples=enough(40, 400))
@given(st.sampled_from(NUMBERS), st.sampled_from(["div", "rem"]), st.data())
def test_division_on_every_type(source, name, data):
    x = data.draw(st.integers(0, source.modulus - 1))
    divisor = data.draw(st.integers(1, source.modulus - 1))
    divisor >>= data.draw(st.integers(0, divisor.bit_length() - 1))
    check(name, source, source, (x, True), (divisor, False))


@settings(max_examples=enough(60, 600))
@example(1609, FheType.EUINT64)  # a carry widens a digit whose counterpart had been narrow enough
@example(115, FheType.EUINT64)  # a wide digit between wide digits, which takes two carries
@given(st.integers(0, 2**32), st.sampled_from([U8, FheType.EUINT16, FheType.EUINT64]))
def test_chains_of_operations_stay_in_range_and_budget(seed, fhe_type):
    """Lazy carries, negative digits and noise pile up; every look-up checks its own limits."""
    source, machine = random.Random(seed), Noiseless()
    values = [source.randrange(fhe_type.modulus) for _ in range(4)]
    pool = [(machine.encrypt(v, fhe_type), v) for v in values]
    names = ["add", "sub", "add", "sub", "neg", "not", "xor", "min", "shl", "rotr", "select", "mul"]
    for _ in range(40):
        name = source.choice(names)
        arity = {"neg": 1, "not": 1, "select": 3}.get(name, 2)
        chosen = [source.choice(pool) for _ in range(arity)]
        if name == "select":
            bit = source.randrange(2)
            chosen[0] = (machine.encrypt(bit, BOOL), bit)
        if name in ("shl", "rotr") or (name == "add" and source.random() < 0.3):
            amount = source.randrange(256)
            chosen[1] = (amount, amount)
        result = machine.compute(name, fhe_type, *(c for c, _ in chosen))
        expected = evaluate(name, [v for _, v in chosen], fhe_type, fhe_type)
        assert machine.decrypt(result) == expected, (name, [v for _, v in chosen])
        pool[source.randrange(4)] = (result, expected)


def test_equal_handles_cost_nothing():
    machine = Noiseless()
    x = machine.encrypt(77, U8)
    assert machine.decrypt(machine.compute("sub", U8, x, x)) == 0
    assert machine.decrypt(machine.compute("eq", BOOL, x, x)) == 1
    assert machine.decrypt(machine.compute("select", U8, machine.encrypt(1, BOOL), x, x)) == 77
    assert machine.bootstraps == 0


@pytest.mark.parametrize("bits", [[1] * 64, [0] * 64, [1, 0] * 32])
def test_sum_of_64_bits_is_cheap(bits):
    machine = Noiseless()
    total = machine.encrypt(0, BOOL)
    total = machine.compute("cast", U8, total)
    for bit in bits:
        one = machine.compute("cast", U8, machine.encrypt(bit, BOOL))
        total = machine.compute("add", U8, total, one)
    assert machine.decrypt(total) == sum(bits)
    assert machine.bootstraps <= 6


def test_bounds_of_bootstraps_per_operator():
    """Speed is a feature: these counts may fall, never rise."""
    pairs = {
        "add": 0, "sub": 0, "mul": 17, "and": 4, "or": 4, "xor": 4, "eq": 3, "ne": 3, "ge": 3,
        "gt": 3, "le": 3, "lt": 3, "min": 7, "max": 7, "shl": 14, "shr": 14, "rotl": 17, "rotr": 17,
    }  # fmt: skip
    for name, bound in pairs.items():
        assert check(name, U8, result_type(name, U8), (201, True), (90, True)) <= bound, name
    assert check("select", U8, U8, (1, True), (201, True), (90, True)) == 4
    assert check("select", U8, U8, (1, True), (201, False), (90, False)) == 0
    assert check("not", U8, U8, (201, True)) == check("neg", U8, U8, (201, True)) == 0


def test_a_lane_of_bunkers_costs_three_bootstraps():
    """max(lane, select(bit, 5, 0)) with a lane of at most 8: known digits fold away."""
    machine = Noiseless()
    bit, other = (machine.encrypt(1, BOOL) for _ in range(2))
    eight, five, three, zero = (machine.public(value, U8) for value in (8, 5, 3, 0))
    lane = machine.compute("select", U8, bit, eight, three)
    candidate = machine.compute("select", U8, other, five, zero)
    assert machine.bootstraps == 0
    assert machine.decrypt(machine.compute("max", U8, lane, candidate)) == 8
    assert machine.bootstraps <= 3


@pytest.mark.parametrize("source", [U8, FheType.EUINT128], ids=str)
@pytest.mark.parametrize("name", ["div", "rem"])
def test_a_divisor_of_0_modulo_the_type_is_refused(name, source):
    machine = Noiseless()
    for divisor in (0, source.modulus, 5 * source.modulus, machine.public(0, source)):
        for x in (machine.encrypt(200, source), machine.public(200, source)):
            with pytest.raises(UnsupportedOperation, match="by 0"):
                machine.compute(name, source, x, divisor)


def test_unknown_operators_are_refused():
    machine = Noiseless()
    x = machine.encrypt(1, U8)
    for name, operands in (("pow", (x, x)), ("div", (x, x)), ("neg", (x, x)), ("isIn", (x,))):
        with pytest.raises(UnsupportedOperation):
            machine.compute(name, U8, *operands)


@pytest.mark.parametrize("name", ["shl", "rotr"])
def test_an_amount_may_be_as_noisy_as_what_is_stored(name):
    machine, source = Noiseless(), FheType.EUINT32
    x, amount = machine.encrypt(0x89ABCDEF, source), machine.encrypt(13, source, NOISE_BUDGET)
    expected = evaluate(name, [0x89ABCDEF, 13], source, source)
    assert machine.decrypt(machine.compute(name, source, x, amount)) == expected
