"""Gaussian noise for evaluation keys, a function of a seed.

The library's own noise always comes from the operating system, so that it would make different keys from the
same seed, and with them other results of `rand`. It is asked for noiseless keys, and this noise is added.
"""

import hashlib
import math

import numpy as np

from fhevm.backends.concrete.library import Words

_UNIFORM = 2.0**-64
_TORUS = 2.0**64


def gaussian(seed: bytes, count: int, variance: float) -> Words:
    """`count` rounded normal samples on the torus, `variance` relative to it (Box and Muller's method)."""
    half = -(-count // 2)
    stream = np.frombuffer(hashlib.shake_256(seed).digest(16 * half), dtype="<u8")
    uniform = stream.astype(np.float64).reshape(2, half)
    radius = np.sqrt(-2 * np.log((uniform[0] + 1) * _UNIFORM))
    angle = uniform[1] * (2 * np.pi * _UNIFORM)
    normal = np.concatenate([radius * np.cos(angle), radius * np.sin(angle)])[:count]
    samples: Words = np.rint(normal * (math.sqrt(variance) * _TORUS)).astype(np.int64).view("<u8")
    return samples
