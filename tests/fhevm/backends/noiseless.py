"""Circuits without ciphertexts: an "LWE" is a name and its body, so that operators are checked exhaustively.

The same circuits, ranges and noise budget as with real ciphertexts, and exact look-ups.
"""

from itertools import count

import numpy as np

from fhevm.backends.batch import complete
from fhevm.backends.concrete.blocks import Block, Leaf, known_digits
from fhevm.backends.concrete.ciphertexts import Ciphertext, block_count, digit_limit
from fhevm.backends.concrete.lookup import HALF
from fhevm.backends.concrete.operators import evaluate
from fhevm.backends.concrete.parameters import SLOTS, STEP

WORD = 1 << 64
_names = count(1)


def lwe_of(body):
    """Every "ciphertext" has a mask of its own, by which bootstraps are told apart."""
    return np.array([next(_names), body % WORD], dtype=np.uint64)


def independent(noise):
    """The noise of so many bootstraps that nothing else contains."""
    return {next(_names).to_bytes(8, "big"): 1 for _ in range(noise)}


class Noiseless:
    """Encrypts, computes and decrypts; counts bootstraps."""

    def __init__(self):
        self.bootstraps = 0

    def encrypt(self, value, fhe_type, noise=1):
        limit = digit_limit(fhe_type)
        digits = [value >> 2 * i & limit for i in range(block_count(fhe_type))]
        leaves = (Leaf(lwe_of(d * STEP), 0, limit, independent(noise)) for d in digits)
        return Ciphertext(fhe_type, tuple(map(Block.of, leaves)))

    def public(self, value, fhe_type):
        return Ciphertext(fhe_type, tuple(known_digits(value, block_count(fhe_type))))

    def decrypt(self, ciphertext):
        value = sum(self._digit(block) << 2 * i for i, block in enumerate(ciphertext.blocks))
        return value % ciphertext.type.modulus

    def compute(self, name, result, *operands):
        return complete(self, [evaluate(name, operands, result)])[0]

    def run(self, steps):
        self.bootstraps += len(steps)
        return [self._look_up(step) for step in steps]

    def _digit(self, block):
        if block.is_known:
            return block.offset
        place, rest = divmod(int(block.lwe()[-1]), STEP)
        assert rest == 0
        value = block.low + (place - block.low) % (2 * SLOTS)
        assert value <= block.high
        return value

    def _look_up(self, step):
        place, rest = divmod(int(step.lwe[-1]), STEP)
        assert rest == 0
        entry = step.table[place] if place < SLOTS else -step.table[place - SLOTS]
        return lwe_of((entry + step.constant) * HALF)
