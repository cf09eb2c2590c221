"""The estimate is never below what an operation takes, so that light work is light."""

import random

import pytest

from fhevm.backends.arithmetic import COMPARISONS
from fhevm.costs import steps
from fhevm.handles import Handle
from fhevm.operations import Operation
from fhevm.types import FheType
from tests.fhevm.backends.noiseless import Noiseless

INTEGERS = [t for t in FheType if t not in (FheType.EBOOL, FheType.EADDRESS)]
NUMBERS = [t for t in INTEGERS if t is not FheType.EUINT256]
BINARY = [
    *((name, t) for name in ("add", "sub", "mul", "ge", "lt", "min", "max") for t in NUMBERS),
    *((name, t) for name in ("and", "or", "xor", "eq", "ne", "shl", "rotr") for t in INTEGERS),
]


def handle(fhe_type):
    return Handle(bytes(30) + bytes([fhe_type, 0]))


def taken(name, result, operands):
    """Steps of an operation on (type, value, encrypted) operands, and their estimate."""
    machine = Noiseless()
    values = [machine.encrypt(v, t) if encrypted else v for t, v, encrypted in operands]
    machine.compute(name, result, *values)
    named = tuple(handle(t) if encrypted else v for t, v, encrypted in operands)
    return machine.bootstraps, steps(Operation(name, named, handle(result), ""))


def number(fhe_type):
    return random.Random(7).randrange(1, fhe_type.modulus)


@pytest.mark.parametrize(("name", "source"), BINARY)
@pytest.mark.parametrize("scalar", [False, True])
def test_of_two_operands(name, source, scalar):
    result = FheType.EBOOL if name in COMPARISONS else source
    operands = [(source, number(source), True), (source, number(source), not scalar)]
    real, estimate = taken(name, result, operands)
    assert real <= estimate


@pytest.mark.parametrize("name", ["div", "rem"])
@pytest.mark.parametrize("source", NUMBERS)
def test_of_divisions(name, source):
    for divisor in (3, number(source)):
        real, estimate = taken(
            name, source, [(source, number(source), True), (source, divisor, False)]
        )
        assert real <= estimate


@pytest.mark.parametrize("source", [FheType.EBOOL, *INTEGERS])
def test_of_selections(source):
    operands = [(FheType.EBOOL, 1, True), *[(source, 1, True)] * 2]
    real, estimate = taken("select", source, operands)
    assert real <= estimate


def test_what_is_only_named_costs_nothing():
    for name in ("trivial_encrypt", "verify_input"):
        assert steps(Operation(name, (), handle(FheType.EUINT256), "")) == 0
