"""div and rem by a public divisor: multiplication by its rounded-up reciprocal.

Granlund and Montgomery, "Division by Invariant Integers using Multiplication", 1994: with l = ⌈log₂ d⌉,
s ≥ bits + l and m = ⌈2^s / d⌉, ⌊x / d⌋ = ⌊x · m / 2^s⌋ for every x < 2^bits.
"""

import operator

from fhevm.backends.concrete.blocks import DIGIT_BITS, Block, known_digits
from fhevm.backends.concrete.carries import Digits, clean
from fhevm.backends.concrete.circuits.add import subtract
from fhevm.backends.concrete.circuits.bitwise import bitwise
from fhevm.backends.concrete.circuits.multiply import scale
from fhevm.backends.concrete.circuits.shift import shift_right
from fhevm.backends.concrete.lookup import Circuit


def divide(x: Digits, divisor: int) -> Circuit[list[Block]]:
    """⌊x / divisor⌋."""
    bits = DIGIT_BITS * len(x)
    if _is_power_of_two(divisor):
        return (yield from shift_right(x, divisor.bit_length() - 1))
    shift = bits + (divisor - 1).bit_length()
    shift += shift % DIGIT_BITS
    reciprocal = -(-(1 << shift) // divisor)
    dropped, kept = shift // DIGIT_BITS, _digits_of((1 << bits) // divisor)
    product = yield from clean((yield from scale(x, reciprocal, dropped + kept)))
    return product[dropped:] + [Block.known(0)] * (len(x) - kept)


def remainder(x: Digits, divisor: int) -> Circuit[list[Block]]:
    """x − divisor · ⌊x / divisor⌋, computed in as many digits as a remainder can have."""
    if _is_power_of_two(divisor):
        return (yield from bitwise(operator.and_, x, known_digits(divisor - 1, len(x))))
    count = min(len(x), _digits_of(divisor - 1))
    x = yield from clean(x)
    quotient = yield from divide(x, divisor)
    multiple = yield from scale(quotient, divisor, count)
    rest = yield from subtract(x[:count], multiple)
    padding = [Block.known(0)] * (len(x) - count)
    return ((yield from clean(rest)) if padding else rest) + padding


def _is_power_of_two(value: int) -> bool:
    return value & (value - 1) == 0


def _digits_of(value: int) -> int:
    return -(-value.bit_length() // DIGIT_BITS)
