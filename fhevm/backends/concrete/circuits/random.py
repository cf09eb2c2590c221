"""Encrypted randomness from a public seed.

The mask of an LWE ciphertext is drawn from the seed and its body is 0: its phase, −⟨mask, secret⟩, is a
pseudo-random number that only holders of the secret key can compute (TFHE-rs draws its random numbers in
this way too). A bootstrap turns the phase into a digit. So the same seed gives the same value under one key
set, and knowing the seed, as everybody does, tells nothing about the value. No further key is needed.
"""

import hashlib

import numpy as np

from fhevm.backends.concrete.blocks import DIGIT_BITS, Block, Leaf
from fhevm.backends.concrete.library import Words
from fhevm.backends.concrete.lookup import Circuit, Step
from fhevm.backends.concrete.parameters import DEGREE, SLOTS

_DOMAIN = b"fhevm encrypted random v1"


def random_digits(seed: int, bits: int, count: int) -> Circuit[list[Block]]:
    """`count` digits of which the lowest `bits` bits are random; `seed` is 16 bytes as an integer."""
    widths = [min(DIGIT_BITS, bits - at) for at in range(0, bits, DIGIT_BITS)]
    phases = [Block.of(Leaf(_mask(seed, i), 0, 2 * SLOTS - 1)) for i in range(len(widths))]
    steps = [Step(phase, *_table(width)) for phase, width in zip(phases, widths, strict=True)]
    lwes = (yield steps) if steps else []
    digits = [Block.of(Leaf(lwe, 0, (1 << w) - 1)) for lwe, w in zip(lwes, widths, strict=True)]
    return digits + [Block.known(0)] * (count - len(digits))


def _mask(seed: int, index: int) -> Words:
    message = _DOMAIN + seed.to_bytes(16, "big") + index.to_bytes(2, "big")
    words = np.frombuffer(hashlib.shake_256(message).digest(8 * DEGREE), dtype="<u8")
    return np.append(words.astype(np.uint64), np.uint64(0))


def _table(width: int) -> tuple[tuple[int, ...], int]:
    """Table and constant, in half steps, that give 0 … 2^width − 1 equally often over all phases."""
    largest = (1 << width) - 1
    upper = [largest - i * (1 << width) // (2 * SLOTS) for i in range(SLOTS)]
    return tuple(2 * value - largest for value in upper), largest
