"""eq, ne and the order, on differences of digits.

Two differences of digits −3 … 3 make one combination 4·d₁ + d₀ in −15 … 15, whose sign, and whether it is
0, are antisymmetric tables: one bootstrap for two digits, and one for four of the signs that result. So an
euint8 compares in 3 bootstraps, an euint64 in 16 + 4 + 1.
"""

from collections.abc import Callable, Iterable

from fhevm.backends.concrete.blocks import Block
from fhevm.backends.concrete.carries import WIDEST, Digits, clean
from fhevm.backends.concrete.lookup import Circuit, Function, Lookup, look_up, one

VERDICTS: dict[str, Function] = {
    "ge": lambda sign: int(sign >= 0),
    "gt": lambda sign: int(sign > 0),
    "le": lambda sign: int(sign <= 0),
    "lt": lambda sign: int(sign < 0),
}
Weight = Callable[[Block, Block], int]


def order(name: str, x: Digits, y: Digits) -> Circuit[list[Block]]:
    """[x ≥ y], >, ≤ or <, as one bit."""
    differences = yield from _differences(x, y)
    strict = name in ("gt", "le")  # whether 0 and −1 get the same verdict
    while len(differences) > 1 and _never_matters(differences[-1], strict=strict):
        differences.pop()
    groups = _pack(differences, _dominating)
    while len(groups) > 1:
        signs = yield from look_up([Lookup(_sign, group) for group in groups])
        groups = _pack(signs, _dominating)
    return [(yield from one(VERDICTS[name], groups[0]))]


def differs(x: Digits, y: Digits) -> Circuit[list[Block]]:
    """[x ≠ y], as one bit."""
    groups = _pack((yield from _differences(x, y)), _separating)
    while len(groups) > 1:
        bits = yield from look_up([Lookup(_nonzero, group) for group in groups])
        if any(bit.low > 0 for bit in bits):
            return [Block.known(1)]
        groups = _pack(bits, _separating)
    return [(yield from one(_nonzero, groups[0]))]


def equals(x: Digits, y: Digits) -> Circuit[list[Block]]:
    """[x = y], as one bit."""
    (different,) = yield from differs(x, y)
    return [1 - different]


def _sign(v: int) -> int:
    return (v > 0) - (v < 0)


def _nonzero(v: int) -> int:
    return int(v != 0)


def _differences(x: Digits, y: Digits) -> Circuit[list[Block]]:
    """Most significant first, known zeros left out unless there is nothing else."""
    x, y = (yield from clean(x)), (yield from clean(y))
    differences = [a - b for a, b in zip(reversed(x), reversed(y), strict=True)]
    telling = [d for d in differences if d.low or d.high]
    return telling or [Block.known(0)]


def _never_matters(last: Block, *, strict: bool) -> bool:
    """Whether the lowest difference cannot change the verdict: 0 becomes only ≥ 0, or only ≤ 0."""
    return last.high <= 0 if strict else last.low >= 0


def _pack(blocks: Iterable[Block], weight: Weight) -> list[Block]:
    """Combine neighbours for as long as the combination stays in −15 … 15."""
    packed: list[Block] = []
    for block in blocks:
        if packed:
            combined = packed[-1] * weight(packed[-1], block) + block
            if combined.low >= -WIDEST and combined.high <= WIDEST:
                packed[-1] = combined
                continue
        packed.append(block)
    return packed


def _dominating(_: Block, lower: Block) -> int:
    """So that a nonzero upper part decides the sign."""
    return max(-lower.low, lower.high) + 1


def _separating(upper: Block, lower: Block) -> int:
    """So that the combination is 0 only where both are: bits may simply be added."""
    return 1 if upper.low >= 0 and lower.low >= 0 else _dominating(upper, lower)
