"""Public-key encryption of inputs with a compact ring key, deterministic from a seed.

The construction is Lyubashevsky, Peikert and Regev's ("On Ideal Lattices and Learning with Errors over
Rings", 2010) in the compact form that Joye gives for TFHE ("TFHE Public-Key Encryption Revisited", 2023),
over R = Z_2^64[X] / (X^N + 1), N = 2048. The secret s is the ring key of the bootstrapping key, so that
each coefficient of a ciphertext is an ordinary LWE ciphertext (sample extraction) ready for a look-up.

    public key    a uniform, b = a·s + e
    encryption    c1 = a·u + e1, c0 = b·u + e2 + Δ·m, with u uniform binary and Δ = 2^59

All noise is TUniform(17): −2^17 … 2^17, uniform but for half weight at both ends. Phase noise of a fresh
ciphertext: 2^21 of a half step of 2^58.

**Bytes of an input** (little-endian words): magic `FHEI` · version 1 (1) · key id (8) · number of digits m
(2) · c1 (8·N) · the first m coefficients of c0 (8·m). Digits are the values' blocks in order, least
significant first: an ebool is one digit 0–1, euintN is N/2 digits 0–3.

**Randomness**: SHAKE-256 of `fhevm ring encryption v1` ‖ key id (8) ‖ seed (32) ‖ the digits, one a byte,
read as: u, N/8 bytes, coefficient i is bit i mod 8 of byte i div 8 · e1, 3·N bytes · e2, 3·m bytes. Three
bytes give one TUniform(17) value: r = their little-endian value mod 2^19, ((r + 1) div 2) − 2^17. The digits
are hashed in so that a seed used twice does not show their difference.
"""

import hashlib
import struct
from collections.abc import Sequence

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from fhevm.backends.concrete.library import Words
from fhevm.backends.concrete.parameters import DEGREE, STEP
from fhevm.errors import MalformedCiphertext

SEED_BYTES = 32
_NOISE_BITS = 17
_NOISE_BYTES = 3
_DOMAIN = b"fhevm ring encryption v1"
_HEADER = struct.Struct("<4sB8sH")
_MAGIC, _VERSION = b"FHEI", 1


def public_key(secret: Words, seed: bytes) -> tuple[Words, Words]:
    """(a, b) for the binary `secret` (N words), from a 32-byte seed."""
    stream = hashlib.shake_256(b"fhevm ring public key v1" + seed).digest(11 * DEGREE)
    a = np.frombuffer(stream[: 8 * DEGREE], dtype="<u8").astype(np.uint64)
    return a, times_binary(a, secret) + _noise(stream[8 * DEGREE :])


def encrypt(key: tuple[Words, Words], key_id: bytes, digits: Sequence[int], seed: bytes) -> bytes:
    """An input of at most N digits, a function of its arguments alone.

    Raises ValueError for a seed that is not 32 bytes or more than N digits.
    """
    if len(seed) != SEED_BYTES or len(digits) > DEGREE:
        raise ValueError("a seed has 32 bytes, an input at most 2048 digits")
    count = len(digits)
    u, e1, e2 = _randomness(key_id + seed + bytes(digits), count)
    message = np.array(digits, dtype=np.uint64) * np.uint64(STEP)
    c1 = times_binary(key[0], u) + e1
    c0 = times_binary(key[1], u)[:count] + e2 + message
    return _HEADER.pack(_MAGIC, _VERSION, key_id, count) + _bytes(c1) + _bytes(c0)


def extract(blob: bytes, key_id: bytes, count: int) -> list[Words]:
    """The `count` LWE ciphertexts of an input, N + 1 words each (mask, then body).

    Raises MalformedCiphertext where the blob is no input of `count` digits for this key.
    """
    header = _HEADER.pack(_MAGIC, _VERSION, key_id, count)
    if len(blob) != len(header) + 8 * (DEGREE + count) or not blob.startswith(header):
        raise MalformedCiphertext(f"not an input of {count} digits for this key")
    words = np.frombuffer(blob, dtype="<u8", offset=len(header)).astype(np.uint64)
    signed = _negacyclic(words[:DEGREE])
    bodies = words[DEGREE:]
    return [np.append(signed[DEGREE + k : k : -1], bodies[k]) for k in range(count)]


def times_binary(polynomial: Words, binary: Words) -> Words:
    """polynomial · binary in R: the sum of the shifts that `binary` selects."""
    shifts = DEGREE - np.nonzero(binary)[0]
    rows = sliding_window_view(_negacyclic(polynomial), DEGREE)[shifts]
    total: Words = np.add.reduce(rows, axis=0, dtype=np.uint64)
    return total


def _negacyclic(polynomial: Words) -> Words:
    """−p ‖ p: the window that starts at N − k is X^k·p."""
    return np.concatenate([np.uint64(0) - polynomial, polynomial])


def _randomness(seed: bytes, count: int) -> tuple[Words, Words, Words]:
    sizes = DEGREE // 8, _NOISE_BYTES * DEGREE, _NOISE_BYTES * count
    stream = hashlib.shake_256(_DOMAIN + seed).digest(sum(sizes))
    bits = np.unpackbits(np.frombuffer(stream[: sizes[0]], np.uint8), bitorder="little")
    first = sizes[0] + sizes[1]
    return bits.astype(np.uint64), _noise(stream[sizes[0] : first]), _noise(stream[first:])


def _noise(stream: bytes) -> Words:
    triples = np.frombuffer(stream, np.uint8).reshape(-1, _NOISE_BYTES).astype(np.uint64)
    uniform = triples @ np.array([1, 1 << 8, 1 << 16], dtype=np.uint64)
    uniform &= np.uint64((1 << (_NOISE_BITS + 2)) - 1)
    return ((uniform + np.uint64(1)) >> np.uint64(1)) - np.uint64(1 << _NOISE_BITS)


def _bytes(words: Words) -> bytes:
    return words.astype("<u8").tobytes()
