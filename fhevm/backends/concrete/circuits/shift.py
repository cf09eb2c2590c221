"""Shifts and rotations by public and by encrypted amounts."""

from collections.abc import Callable
from itertools import chain

from fhevm.backends.concrete.blocks import BASE, DIGIT_BITS, Block
from fhevm.backends.concrete.carries import WIDEST, Digits, clean
from fhevm.backends.concrete.circuits.select import select
from fhevm.backends.concrete.lookup import Circuit, Lookup, bivariate, look_up, renew

_ZERO = Block.known(0)
_PIECES = 3  # a digit shifted by 0 … 3 bits, or by 4 minus that, lies in three digits


def shift(name: str, x: Digits, amount: int) -> Circuit[list[Block]]:
    """shl, shr, rotl or rotr by a public amount, taken modulo the bits of x."""
    bits = DIGIT_BITS * len(x)
    amount %= bits
    if name == "shl":
        return (yield from shift_left(x, amount))
    if name == "shr":
        return (yield from shift_right(x, amount))
    return (yield from _rotate(x, amount if name == "rotl" else -amount % bits))


def shift_left(x: Digits, amount: int) -> Circuit[list[Block]]:
    """Moved digits, doubled for an odd amount: no bootstrap on clean digits."""
    moved, odd = divmod(amount, DIGIT_BITS)
    if odd and any(2 * block.width > WIDEST for block in x):
        x = yield from clean(x)
    result = [_ZERO] * moved + list(x[: len(x) - moved])
    return [block * (1 + odd) for block in result]


def shift_right(x: Digits, amount: int) -> Circuit[list[Block]]:
    """Moved digits, each put together from two for an odd amount."""
    moved, odd = divmod(amount, DIGIT_BITS)
    digits = [*(yield from clean(x))[moved:], *([_ZERO] * moved), _ZERO]
    return (yield from _halved(digits)) if odd else digits[:-1]


def _rotate(x: Digits, amount: int) -> Circuit[list[Block]]:
    """To the left."""
    moved = -(-amount // DIGIT_BITS)
    digits = yield from clean(x)
    digits = [digits[(i - moved) % len(x)] for i in range(len(x))]
    return (yield from _halved([*digits, digits[0]])) if amount % DIGIT_BITS else digits


def _halved(digits: Digits) -> Circuit[list[Block]]:
    """Each digit but the last shifted right by one bit, taking in the low bit of its neighbour."""
    pairs = zip(digits[1:], digits, strict=False)
    requests = [bivariate(lambda hi, lo: lo >> 1 | (hi & 1) << 1, hi, lo) for hi, lo in pairs]
    return (yield from look_up(requests))


def barrel_shift(name: str, x: Digits, amount: Digits) -> Circuit[list[Block]]:
    """Shift or rotate by an encrypted amount, taken modulo the bits of x.

    One selection for each power of two of whole digits, then the last 0 … 3 bits in one layer.
    """
    count = len(x)
    x, amount = (yield from clean(x)), (yield from clean(amount))
    bits = yield from _bits(amount[1:], count.bit_length() - DIGIT_BITS)
    step = 1 if name in ("shl", "rotl") else -1
    for j, bit in enumerate(bits):
        x = yield from select(bit, _moved(x, step * (2 << j), wrap=name.startswith("rot")), x)
    return (yield from _fine(name, x, amount[0]))


def _bits(digits: Digits, count: int) -> Circuit[list[Block]]:
    """The lowest `count` bits of clean digits."""
    whole, odd = divmod(count, DIGIT_BITS)
    upper: list[Callable[[int], int]] = [lambda v: v >> 1] * whole
    functions = upper + [lambda v: v & 1] * odd
    requests = [Lookup(f, digit) for f, digit in zip(functions, digits, strict=False)]
    results = yield from look_up(requests)
    pairs = zip(digits, results[:whole], strict=False)
    lower = [(digit - high * 2).within(0, 1) for digit, high in pairs]
    yield from renew(lower)
    bits = [[low.collapsed(), high] for low, high in zip(lower, results[:whole], strict=True)]
    return [*chain.from_iterable(bits), *results[whole:]]


def _moved(x: Digits, places: int, *, wrap: bool) -> list[Block]:
    """Digits moved up; the gap is filled with those moved out, or with zeros."""
    count = len(x)
    sources = range(-places, count - places)
    return [x[i % count] if wrap or 0 <= i < count else _ZERO for i in sources]


def _fine(name: str, x: Digits, amount: Block) -> Circuit[list[Block]]:
    """Shift by 0 … 3 bits. Each digit falls into three; pieces that meet have no bit in common."""
    count, left = len(x), name in ("shl", "rotl")
    places, requests = [], []
    for i, digit in enumerate(x):
        for piece in range(_PIECES):
            place = i + piece - (0 if left else _PIECES - 1)
            if name.startswith("rot") or 0 <= place < count:
                places.append(place % count)
                requests.append(bivariate(_piece(piece, left=left), amount, digit))
    result = [_ZERO] * count
    for place, block in zip(places, (yield from look_up(requests)), strict=True):
        result[place] = result[place] + block
    return [block.within(0, BASE - 1) for block in result]


def _piece(index: int, *, left: bool) -> Callable[[int, int], int]:
    def piece(amount: int, digit: int) -> int:
        shifted = digit << (amount if left else 2 * DIGIT_BITS - amount)
        return shifted >> DIGIT_BITS * index & (BASE - 1)

    return piece
