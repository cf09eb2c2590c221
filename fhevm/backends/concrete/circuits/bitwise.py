"""and, or, xor, not, and casts."""

from collections.abc import Callable

from fhevm.backends.concrete.blocks import BASE, DIGIT_BITS, Block
from fhevm.backends.concrete.carries import Digits, clean
from fhevm.backends.concrete.circuits.compare import differs
from fhevm.backends.concrete.lookup import Circuit, bivariate, look_up


def bitwise(function: Callable[[int, int], int], x: Digits, y: Digits) -> Circuit[list[Block]]:
    """`function` on each pair of digits: one bootstrap each, fewer with known digits."""
    x, y = (yield from clean(x)), (yield from clean(y))
    return (yield from look_up([bivariate(function, a, b) for a, b in zip(x, y, strict=True)]))


def complement(x: Digits, limit: int) -> list[Block]:
    """not: limit − x for digits 0 … limit, else −x − 1; no bootstrap."""
    if all(block.low >= 0 and block.high <= limit for block in x):
        return [limit - block for block in x]
    return [-block - (i == 0) for i, block in enumerate(x)]


def cast(x: Digits, count: int) -> Circuit[list[Block]]:
    """To `count` digits: free unless carries might pass the end of the narrower type."""
    if count > len(x) and not _surely_below(x, BASE ** len(x)):
        x = yield from clean(x)
    return [x[i] if i < len(x) else Block.known(0) for i in range(count)]


def to_bool(x: Digits) -> Circuit[list[Block]]:
    """[x ≠ 0]."""
    return (yield from differs(x, [Block.known(0)] * len(x)))


def _surely_below(x: Digits, bound: int) -> bool:
    low = sum(block.low << DIGIT_BITS * i for i, block in enumerate(x))
    high = sum(block.high << DIGIT_BITS * i for i, block in enumerate(x))
    return low >= 0 and high < bound
