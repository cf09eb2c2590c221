"""Table look-ups: the only place where bootstraps come from.

A look-up of f in a block costs no bootstrap where f is constant or affine on the values that the block can
take: every function of one bit is. Otherwise one bootstrap looks up

* any f on at most 16 neighbouring values, or
* an antisymmetric f, f(v) + f(v + 16) the same for all v, on at most 32: the padding bit negates a table.
  sign(v), [v = 0] and [v ≥ 0] on −15 … 15 are of that kind. The sum may be odd, so tables count half steps.
"""

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from fhevm.backends.concrete.blocks import Block, Leaf, shifted, variance
from fhevm.backends.concrete.library import Words
from fhevm.backends.concrete.parameters import NOISE_BUDGET, SLOTS, STEP
from fhevm.errors import NoiseBudgetExceeded

T = TypeVar("T")
Function = Callable[[int], int]
HALF = STEP >> 1


@dataclass(frozen=True, eq=False)
class Step:
    """One bootstrap: look `block` (a value 0 … 15, or 16 … 31 negated) up in `table`, add `constant`.

    `table` and `constant` are in half steps.
    """

    block: Block
    table: tuple[int, ...]
    constant: int = 0

    @property
    def lwe(self) -> Words:
        """The ciphertext to bootstrap; made when it is needed, as thousands of steps may wait."""
        return self.block.lwe()


Circuit = Generator[list[Step], list[Words], T]
"""Yields batches of independent steps, is sent their results, returns what it computed."""


@dataclass(frozen=True)
class Lookup:
    """A request for f(block)."""

    function: Function
    block: Block


def bivariate(function: Callable[[int, int], int], x: Block, y: Block) -> Lookup:
    """A request for f(x, y), on the combination y.width + 1 times x plus y."""
    base, low = y.width + 1, y.low
    combined = x * base + (y - low)

    def unpacked(v: int) -> int:
        return function(v // base, v % base + low)

    return Lookup(unpacked, combined)


def look_up(requests: Sequence[Lookup]) -> Circuit[list[Block]]:
    """All requests in one batch (and one before it where some leaf is too noisy)."""
    folded = [_fold(request) for request in requests]
    pending = [request for request, known in zip(requests, folded, strict=True) if known is None]
    yield from renew([request.block for request in pending])
    fresh = iter((yield from _bootstrap(pending)))
    return [block if block is not None else next(fresh) for block in folded]


def one(function: Function, block: Block) -> Circuit[Block]:
    """A single look-up."""
    (result,) = yield from look_up([Lookup(function, block)])
    return result


def renew(blocks: Iterable[Block]) -> Circuit[None]:
    """Bootstrap few leaves that bring every block within the noise budget, the noisiest first."""
    noisy: dict[Leaf, None] = {}
    for block in blocks:
        _choose(block, noisy)
    if noisy:
        steps = [_renewal(leaf, i) for i, leaf in enumerate(noisy)]
        for i, (leaf, lwe) in enumerate(zip(noisy, (yield steps), strict=True)):
            leaf.renew(shifted(lwe, -i * STEP))


def _choose(block: Block, noisy: dict[Leaf, None]) -> None:
    """Add to the leaves to renew what `block` needs beyond them."""
    gains = {leaf: (w * w * (leaf.noise - 1), w * w) for leaf, w in block.terms.items()}
    rest = sorted(gains.keys() - noisy.keys(), key=gains.__getitem__)
    while (noise := variance(block.bootstraps(noisy))) > NOISE_BUDGET:
        if not rest:
            raise NoiseBudgetExceeded(f"{noise} above {NOISE_BUDGET}")
        noisy[rest.pop()] = None


def _renewal(leaf: Leaf, index: int) -> Step:
    """Leaves of the same bytes take tables of their own, so that their new noise is independent."""
    offset = index % (2 * SLOTS)
    step, _ = _step(Lookup(lambda v: v + offset, Block.of(leaf)))
    return step


def _bootstrap(requests: Sequence[Lookup]) -> Circuit[list[Block]]:
    if not requests:
        return []
    steps = [_step(request) for request in requests]
    results = yield [step for step, _ in steps]
    return [Block.of(Leaf(lwe, *edges)) for lwe, (_, edges) in zip(results, steps, strict=True)]


def _values(request: Lookup) -> list[int]:
    return [request.function(v) for v in range(request.block.low, request.block.high + 1)]


def _fold(request: Lookup) -> Block | None:
    """The result where it is affine in the block, hence free."""
    block, values = request.block, _values(request)
    slope = values[1] - values[0] if len(values) > 1 else 0
    if any(b - a != slope for a, b in pairwise(values)):
        return None
    if slope == 0:
        return Block.known(values[0])
    result = (block - block.low) * slope + values[0]
    return result if result.noise <= NOISE_BUDGET else None


def _step(request: Lookup) -> tuple[Step, tuple[int, int]]:
    """The bootstrap, and the range of its result. Raises NoiseBudgetExceeded where none can do it."""
    values, block = _values(request), request.block
    sums = {a + b for a, b in zip(values, values[SLOTS:], strict=False)}
    if len(sums) > 1 or len(values) > 2 * SLOTS:
        raise NoiseBudgetExceeded(f"no table for {len(values)} values")
    constant = sums.pop() if sums else 0
    table = [2 * value - constant for value in values[:SLOTS]]
    table += [0] * (SLOTS - len(table))
    return Step(block - block.low, tuple(table), constant), (min(values), max(values))
