"""Blocks: the radix digits of an encrypted integer, some known, some encrypted.

An integer is Σ block_i · 4^i modulo 2^bits. A `Block` is a linear combination Σ weight · leaf + offset of
bootstrapped ciphertexts (`Leaf`), so that sums, casts and known digits cost nothing, equal terms cancel,
and only a table look-up takes a bootstrap. Its range low … high is tracked: a digit may hold carries that
nobody has propagated yet, or be negative, and a look-up folds over the values that can really occur.

Noise is tracked as what it is: a combination Σ weight · bootstrap, where equal bootstraps add up or cancel,
whichever operations and handles they came through, and different ones are independent. Its variance is
Σ weight², in variances of a bootstrapped ciphertext. A bootstrap is known by the bytes of its result: the
same input in the same table gives the same bytes, and another input or table other noise. So the tracked
variance is the true one, up to what rounding a stored ciphertext adds (2^-28), and up to the inputs, whose
noise is far below the one bootstrap that they count as.
"""

import hashlib
from collections.abc import Collection, Iterable, Mapping

import numpy as np

from fhevm.backends.concrete.library import Words
from fhevm.backends.concrete.parameters import NOISE_BUDGET, SLOTS, STEP
from fhevm.errors import NoiseBudgetExceeded

DIGIT_BITS = 2
BASE = 1 << DIGIT_BITS


Bootstraps = Mapping[object, int]
"""bootstrap → weight: the noise of a ciphertext."""
ID_BYTES = 8


def identity(lwe: Words) -> bytes:
    """The name of a bootstrap: a digest of its result."""
    return hashlib.blake2b(lwe.tobytes(), digest_size=ID_BYTES).digest()


def variance(bootstraps: Bootstraps) -> int:
    """In variances of a bootstrapped ciphertext."""
    return sum(weight * weight for weight in bootstraps.values())


class Leaf:
    """One LWE ciphertext of a value low … high; `renew` replaces it by a less noisy one of the same.

    `bootstraps`: its noise; by default, that of a bootstrapped ciphertext.
    """

    __slots__ = ("bootstraps", "high", "low", "lwe")

    def __init__(
        self, lwe: Words, low: int, high: int, bootstraps: Bootstraps | None = None
    ) -> None:
        self.lwe, self.low, self.high = lwe, low, high
        self.bootstraps: Bootstraps = {identity(lwe): 1}
        if bootstraps is not None:
            self.bootstraps = bootstraps

    @property
    def noise(self) -> int:
        """Variance, in variances of a bootstrapped ciphertext."""
        return variance(self.bootstraps)

    def renew(self, lwe: Words) -> None:
        """Take the result of a look-up of the identity."""
        self.lwe, self.bootstraps = lwe, {identity(lwe): 1}


class Block:
    """Σ weight · leaf + offset, of a value low … high. Without terms it is known."""

    __slots__ = ("high", "low", "offset", "terms")

    def __init__(
        self,
        terms: Mapping[Leaf, int],
        offset: int,
        low: int | None = None,
        high: int | None = None,
    ) -> None:
        self.terms = {leaf: weight for leaf, weight in terms.items() if weight}
        self.offset = offset
        edges = [(w * leaf.low, w * leaf.high) for leaf, w in self.terms.items()]
        reach = offset + sum(map(min, edges)), offset + sum(map(max, edges))
        self.low = reach[0] if low is None else max(low, reach[0])
        self.high = reach[1] if high is None else min(high, reach[1])
        if self.low == self.high:
            self.terms, self.offset = {}, self.low

    @classmethod
    def known(cls, value: int) -> "Block":
        """A public digit."""
        return cls({}, value)

    @classmethod
    def of(cls, leaf: Leaf) -> "Block":
        """A ciphertext as it is."""
        return cls({leaf: 1}, 0)

    @property
    def is_known(self) -> bool:
        """Whether its value, `offset`, is public."""
        return not self.terms

    @property
    def width(self) -> int:
        """How many values above the lowest it may take."""
        return self.high - self.low

    @property
    def is_digit(self) -> bool:
        """Whether it holds no carry: 0 … 3."""
        return self.low >= 0 and self.high < BASE

    @property
    def noise(self) -> int:
        """Variance, in variances of a bootstrapped ciphertext."""
        return variance(self.bootstraps())

    def bootstraps(self, renewed: Collection[Leaf] = ()) -> Bootstraps:
        """Its noise; what it will be once the leaves in `renewed` are bootstraps of their own."""
        total: dict[object, int] = {}
        for leaf, weight in self.terms.items():
            for bootstrap, own in {leaf: 1}.items() if leaf in renewed else leaf.bootstraps.items():
                total[bootstrap] = total.get(bootstrap, 0) + weight * own
        return {bootstrap: weight for bootstrap, weight in total.items() if weight}

    def __add__(self, other: "Block | int") -> "Block":
        if isinstance(other, int):
            return Block(self.terms, self.offset + other, self.low + other, self.high + other)
        terms = dict(self.terms)
        for leaf, weight in other.terms.items():
            terms[leaf] = terms.get(leaf, 0) + weight
        edges = self.low + other.low, self.high + other.high
        return Block(terms, self.offset + other.offset, *edges)

    def __mul__(self, factor: int) -> "Block":
        terms = {leaf: weight * factor for leaf, weight in self.terms.items()}
        edges = sorted((self.low * factor, self.high * factor))
        return Block(terms, self.offset * factor, *edges)

    def __neg__(self) -> "Block":
        return self * -1

    def __sub__(self, other: "Block | int") -> "Block":
        return self + -other

    def __rsub__(self, other: int) -> "Block":
        return -self + other

    __radd__ = __add__
    __rmul__ = __mul__

    def within(self, low: int, high: int) -> "Block":
        """The same value, which the caller knows to be in low … high."""
        return Block(self.terms, self.offset, low, high)

    def lwe(self) -> Words:
        """The ciphertext of its value, computed. Not for known blocks."""
        total: Words | None = None
        for leaf, weight in self.terms.items():
            term = leaf.lwe if weight == 1 else leaf.lwe * np.uint64(weight % (1 << 64))
            total = term if total is None else total + term
        if total is None:
            raise ValueError("a known block has no ciphertext")
        return shifted(total, self.offset * STEP)

    def collapsed(self) -> "Block":
        """The same value as one leaf, so that it can be renewed as a whole."""
        if self.is_known or self._is_leaf():
            return self
        if self.noise > NOISE_BUDGET or self.width >= SLOTS:
            raise NoiseBudgetExceeded(f"noise {self.noise}, range {self.low} … {self.high}")
        return Block.of(Leaf(self.lwe(), self.low, self.high, self.bootstraps()))

    def _is_leaf(self) -> bool:
        ((leaf, weight), *rest) = self.terms.items()
        edges = (leaf.low, leaf.high)
        return not rest and weight == 1 and not self.offset and edges == (self.low, self.high)


def shifted(lwe: Words, torus: int) -> Words:
    """The ciphertext plus a constant of the torus."""
    result = lwe.copy()
    result[-1:] += np.uint64(torus % (1 << 64))  # as an array: its overflow is meant
    return result


def known_digits(value: int, count: int) -> list[Block]:
    """The lowest `count` digits of a public value."""
    return [Block.known(value >> DIGIT_BITS * i & (BASE - 1)) for i in range(count)]


def known_value(blocks: Iterable[Block]) -> int | None:
    """The integer that known blocks make; None where one of them is encrypted."""
    value = 0
    for i, block in enumerate(blocks):
        if not block.is_known:
            return None
        value += block.offset << DIGIT_BITS * i
    return value
