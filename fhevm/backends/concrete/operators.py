"""The protocol's operators by name, on ciphertexts of any type."""

import operator
from collections.abc import Callable, Sequence

from fhevm.backends import arithmetic
from fhevm.backends.concrete.blocks import Block, known_digits, known_value
from fhevm.backends.concrete.carries import Digits, settle
from fhevm.backends.concrete.ciphertexts import Ciphertext, block_count, digit_limit
from fhevm.backends.concrete.circuits.add import add, negate, subtract
from fhevm.backends.concrete.circuits.bitwise import bitwise, cast, complement, to_bool
from fhevm.backends.concrete.circuits.compare import differs, equals, order
from fhevm.backends.concrete.circuits.divide import divide, remainder
from fhevm.backends.concrete.circuits.multiply import multiply, scale
from fhevm.backends.concrete.circuits.random import random_digits
from fhevm.backends.concrete.circuits.select import extremum, select
from fhevm.backends.concrete.circuits.shift import barrel_shift, shift
from fhevm.backends.concrete.lookup import Circuit
from fhevm.errors import UnsupportedOperation
from fhevm.types import FheType

Operand = Ciphertext | int
Binary = Callable[[Digits, Digits], Circuit[list[Block]]]
ByPublic = Callable[[Digits, int], Circuit[list[Block]]]


def _bitwise(function: Callable[[int, int], int]) -> Binary:
    return lambda x, y: bitwise(function, x, y)


def _named(circuit: Callable[[str, Digits, Digits], Circuit[list[Block]]], name: str) -> Binary:
    return lambda x, y: circuit(name, x, y)


def _shift(name: str) -> ByPublic:
    return lambda x, amount: shift(name, x, amount)


_BINARY: dict[str, Binary] = {
    "add": add,
    "sub": subtract,
    "mul": multiply,
    "and": _bitwise(operator.and_),
    "or": _bitwise(operator.or_),
    "xor": _bitwise(operator.xor),
    "eq": equals,
    "ne": differs,
    **{name: _named(order, name) for name in ("ge", "gt", "le", "lt")},
    **{name: _named(extremum, name) for name in ("min", "max")},
    **{name: _named(barrel_shift, name) for name in ("shl", "shr", "rotl", "rotr")},
}
_BY_PUBLIC: dict[str, ByPublic] = {
    "mul": lambda x, factor: scale(x, factor, len(x)),
    "div": divide,
    "rem": remainder,
    **{name: _shift(name) for name in ("shl", "shr", "rotl", "rotr")},
}
"""Circuits of their own for a public right operand; the others fold known digits by themselves."""


def evaluate(name: str, operands: Sequence[Operand], result: FheType) -> Circuit[Ciphertext]:
    """The circuit of one operation; a public result where all operands are public.

    Raises UnsupportedOperation.
    """
    if name in ("rand", "rand_bounded"):
        blocks = yield from _random(name, operands, result)
    else:
        blocks = yield from _computed(name, operands, result)
    return Ciphertext(result, tuple((yield from settle(blocks))))


def _random(name: str, operands: Sequence[Operand], result: FheType) -> Circuit[list[Block]]:
    *bounds, seed = (operand for operand in operands if isinstance(operand, int))
    bits = arithmetic.bounded_bits(bounds[0]) if name == "rand_bounded" else result.bits
    return (yield from random_digits(seed, bits, block_count(result)))


def _computed(name: str, operands: Sequence[Operand], result: FheType) -> Circuit[list[Block]]:
    types = [x.type for x in operands if isinstance(x, Ciphertext)]
    source = types[1 if name == "select" else 0]
    values = [x if isinstance(x, int) else known_value(x.blocks) for x in operands]
    known = [value for value in values if value is not None]
    if len(known) == len(values):
        value = arithmetic.evaluate(name, known, source, result)
        return known_digits(value, block_count(result))
    if len(operands) == 2:
        return (yield from _binary(name, operands, values, source))
    return (yield from _other(name, operands, source, result))


def _binary(
    name: str, operands: Sequence[Operand], values: Sequence[int | None], source: FheType
) -> Circuit[list[Block]]:
    x, y = (_digits(operand, block_count(source)) for operand in operands)
    left, right = values
    if name == "mul" and left is not None:
        x, right = y, left
    if right is not None and name in ("div", "rem"):
        arithmetic.check_divisor(name, right, source)
    if right is not None and name in _BY_PUBLIC:
        return (yield from _BY_PUBLIC[name](x, right))
    if name not in _BINARY:
        raise UnsupportedOperation(name)
    return (yield from _BINARY[name](x, y))


def _other(
    name: str, operands: Sequence[Operand], source: FheType, result: FheType
) -> Circuit[list[Block]]:
    digits = [operand.blocks for operand in operands if isinstance(operand, Ciphertext)]
    match name, digits:
        case "select", (condition, if_true, if_false):
            return (yield from select(condition[0], if_true, if_false))
        case "cast", (x,) if result is FheType.EBOOL:
            return (yield from to_bool(x))
        case "cast", (x,):
            return (yield from cast(x, block_count(result)))
        case "neg", (x,):
            return negate(x)
        case "not", (x,):
            return complement(x, digit_limit(source))
    raise UnsupportedOperation(name)


def _digits(operand: Operand, count: int) -> Digits:
    return operand.blocks if isinstance(operand, Ciphertext) else known_digits(operand, count)
