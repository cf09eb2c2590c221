"""add, sub, neg: digits are added, carries wait until somebody needs them."""

from fhevm.backends.concrete.blocks import Block
from fhevm.backends.concrete.carries import WIDEST, Digits, propagate
from fhevm.backends.concrete.lookup import Circuit


def add(x: Digits, y: Digits) -> Circuit[list[Block]]:
    """x + y; no bootstrap unless a digit would get too wide for a look-up.

    The wider summand gives its carries up first. A carry may widen its neighbour, and what was narrow enough
    for that neighbour is too wide then: so again, in turn, until all digits fit.
    """
    if max(block.width for block in x) < max(block.width for block in y):
        x, y = y, x
    while not all(a.width + b.width <= WIDEST for a, b in zip(x, y, strict=True)):
        x, y = y, (yield from _narrowed(x, y))
    return [a + b for a, b in zip(x, y, strict=True)]


def subtract(x: Digits, y: Digits) -> Circuit[list[Block]]:
    """x − y, with negative digits where they fall so."""
    return (yield from add(x, negate(y)))


def negate(x: Digits) -> list[Block]:
    """−x."""
    return [-block for block in x]


def _narrowed(x: Digits, other: Digits) -> Circuit[list[Block]]:
    """x without the carries that leave no room for `other`."""
    return (yield from propagate(x, lambda i, a: a.width + other[i].width <= WIDEST))
