"""mul, and multiplication by a public number."""

from fhevm.backends.concrete.blocks import BASE, Block
from fhevm.backends.concrete.carries import Digits, add_columns, clean
from fhevm.backends.concrete.lookup import Circuit, bivariate, look_up


def multiply(x: Digits, y: Digits) -> Circuit[list[Block]]:
    """x · y: the products of digits in two halves (only the lower one in the highest column)."""
    x, y = (yield from clean(x)), (yield from clean(y))
    count = len(x)
    requests, places = [], []
    for i, a in enumerate(x):
        for j, b in enumerate(y[: count - i]):
            for half in (0, 1)[: count - i - j]:
                function = (_low, _high)[half]
                requests.append(bivariate(function, a, b))
                places.append(i + j + half)
    columns: list[list[Block]] = [[] for _ in x]
    for place, product in zip(places, (yield from look_up(requests)), strict=True):
        columns[place].append(product)
    return (yield from add_columns(columns))


def _low(a: int, b: int) -> int:
    return a * b % BASE


def _high(a: int, b: int) -> int:
    return a * b // BASE


def scale(x: Digits, factor: int, count: int) -> Circuit[list[Block]]:
    """x · factor modulo 4^count: every partial product is linear, only carries cost bootstraps."""
    x = yield from clean(x)
    columns: list[list[Block]] = [[Block.known(0)] for _ in range(count)]
    for j, digit in enumerate(_signed_digits(factor, count)):
        for i, block in enumerate(x[: count - j]):
            if digit:
                columns[i + j].append(block * digit)
    return (yield from add_columns(columns))


def _signed_digits(value: int, count: int) -> list[int]:
    """Digits −1 … 2 in base 4: narrower partial products than 0 … 3 make."""
    digits = []
    for _ in range(count):
        digit = (value + 1) % BASE - 1
        digits.append(digit)
        value = (value - digit) // BASE
    return digits
