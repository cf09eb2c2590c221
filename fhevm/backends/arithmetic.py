"""Every operator of the protocol on plain integers: unsigned, modulo 2^bits."""

import operator
from collections.abc import Callable, Sequence
from hashlib import shake_256

from fhevm.errors import UnsupportedOperation
from fhevm.types import FheType

SEED_BYTES = 16


def _rotate_left(value: int, amount: int, bits: int) -> int:
    amount %= bits
    return value << amount | value >> (bits - amount)


_BINARY: dict[str, Callable[[int, int], int]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.floordiv,
    "rem": operator.mod,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
    "eq": operator.eq,
    "ne": operator.ne,
    "ge": operator.ge,
    "gt": operator.gt,
    "le": operator.le,
    "lt": operator.lt,
    "min": min,
    "max": max,
}

_SHIFTS: dict[str, Callable[[int, int, int], int]] = {
    "shl": lambda value, amount, bits: value << amount % bits,
    "shr": lambda value, amount, bits: value >> amount % bits,
    "rotl": _rotate_left,
    "rotr": lambda value, amount, bits: _rotate_left(value, -amount, bits),
}

COMPARISONS = frozenset({"eq", "ne", "ge", "gt", "le", "lt"})
"""The operators whose result is an ebool whatever their operands are."""


def evaluate(name: str, operands: Sequence[int], source: FheType, result: FheType) -> int:
    """The value of an operator.

    `operands` are plaintexts (and scalars) of type `source`, for `select` the condition comes first.
    `rand` and `rand_bounded` take a 16-byte seed and are not here. Raises UnsupportedOperation for an
    unknown name or a divisor 0.
    """
    match name, operands:
        case "select", (condition, if_true, if_false):
            value = if_true if condition else if_false
        case "neg", (x,):
            value = -x
        case "not", (x,):
            value = ~x
        case "cast", (x,):
            value = x if result is not FheType.EBOOL else x != 0
        case "div" | "rem", (x, y):
            check_divisor(name, y, source)
            value = _BINARY[name](x, y)
        case _, (x, y) if name in _BINARY:
            value = _BINARY[name](x, y)
        case _, (x, y) if name in _SHIFTS:
            value = _SHIFTS[name](x, y, source.bits)
        case _:
            raise UnsupportedOperation(name)
    return int(value) % result.modulus


def check_divisor(name: str, divisor: int, source: FheType) -> None:
    """Refuse a divisor that is 0 modulo the type: the executor contract refuses 0 itself alone.

    Raises UnsupportedOperation.
    """
    if divisor % source.modulus == 0:
        raise UnsupportedOperation(f"{name} by 0 modulo {source.modulus}")


def public_random(seed: int, bits: int) -> int:
    """`bits` bits that whoever knows the public seed (16 bytes) can compute too: insecure."""
    digest = shake_256(b"fhevm public random" + seed.to_bytes(SEED_BYTES, "big")).digest(32)
    return int.from_bytes(digest, "little") % (1 << bits)


def bounded_bits(bound: int) -> int:
    """How many random bits `rand_bounded` draws; the executor allows powers of two only."""
    if bound < 1 or bound & (bound - 1):
        raise UnsupportedOperation(f"rand_bounded below {bound}")
    return bound.bit_length() - 1
