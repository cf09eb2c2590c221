"""Encrypted integers and their stored form.

Bytes: magic `FHEC` · version 2 (1) · key id (8) · type (1) · blocks, least significant first, each: lowest
value (1) · highest value (1) and, where these differ, number of bootstraps in its
noise (2) · these, each: name (8) · weight (1, signed) · N + 1 words of 4 bytes, little-endian.
A word is the upper half of a torus word: rounding away the lower half adds noise of 2^35, and a
bootstrapped ciphertext has 2^49.
"""

import struct
from dataclasses import dataclass

import numpy as np

from fhevm.backends.concrete.blocks import BASE, DIGIT_BITS, Block, Leaf, variance
from fhevm.backends.concrete.library import Words
from fhevm.backends.concrete.parameters import DEGREE, NOISE_BUDGET, SLOTS
from fhevm.errors import MalformedCiphertext
from fhevm.types import FheType

_HEADER = struct.Struct("<4sB8sB")
_RANGE, _COUNT, _BOOTSTRAP = struct.Struct("BB"), struct.Struct("<H"), struct.Struct("8sb")
_MAGIC, _VERSION = b"FHEC", 2
_HALF_WORD = np.uint64(32)
_LWE_BYTES = 4 * (DEGREE + 1)


@dataclass(frozen=True, eq=False)
class Ciphertext:
    """Σ blocks_i · 4^i modulo 2^bits."""

    type: FheType
    blocks: tuple[Block, ...]


def block_count(fhe_type: FheType) -> int:
    """Digits of a type: one for an ebool, 4 for an euint8, 128 for an euint256."""
    return max(1, fhe_type.bits // DIGIT_BITS)


def digit_limit(fhe_type: FheType) -> int:
    """The largest value of a digit."""
    return (1 << min(fhe_type.bits, DIGIT_BITS)) - 1


def dump(ciphertext: Ciphertext, key_id: bytes) -> bytes:
    """The stored form; of a public constant a few bytes.

    Raises MalformedCiphertext for another number of blocks than its type has, which `load` would refuse.
    """
    if len(ciphertext.blocks) != block_count(ciphertext.type):
        raise MalformedCiphertext(f"{ciphertext.type} of {len(ciphertext.blocks)} blocks")
    header = _HEADER.pack(_MAGIC, _VERSION, key_id, ciphertext.type)
    return header + b"".join(map(_dump_block, ciphertext.blocks))


def load(data: bytes, key_id: bytes) -> Ciphertext:
    """The inverse of `dump`. Raises MalformedCiphertext, also where another key set made it."""
    try:
        magic, version, found, type_byte = _HEADER.unpack_from(data)
        fhe_type = FheType(type_byte)
        if (magic, version, found) != (_MAGIC, _VERSION, key_id):
            raise MalformedCiphertext("not a ciphertext of this key set")
        at, blocks = _HEADER.size, []
        for _ in range(block_count(fhe_type)):
            block, at = _load_block(data, at)
            blocks.append(block)
    except (struct.error, ValueError):
        raise MalformedCiphertext("ciphertext cut off or of an unknown type") from None
    if at != len(data):
        raise MalformedCiphertext("ciphertext too long")
    return Ciphertext(fhe_type, tuple(blocks))


def _dump_block(block: Block) -> bytes:
    edges = _RANGE.pack(block.low, block.high)
    if block.is_known:
        return edges
    rounded = (block.lwe() + np.uint64(1 << 31)) >> _HALF_WORD
    bootstraps = block.bootstraps()
    noise = b"".join(_BOOTSTRAP.pack(name, weight) for name, weight in bootstraps.items())
    return edges + _COUNT.pack(len(bootstraps)) + noise + rounded.astype("<u4").tobytes()


def _load_block(data: bytes, at: int) -> tuple[Block, int]:
    low, high = _RANGE.unpack_from(data, at)
    at += _RANGE.size
    if low == high < BASE:
        return Block.known(low), at
    bootstraps, at = _load_bootstraps(data, at)
    if not 0 < high - low < SLOTS or variance(bootstraps) > NOISE_BUDGET:
        raise MalformedCiphertext("impossible range or noise")
    return Block.of(Leaf(_load_lwe(data, at), low, high, bootstraps)), at + _LWE_BYTES


def _load_bootstraps(data: bytes, at: int) -> tuple[dict[object, int], int]:
    (count,) = _COUNT.unpack_from(data, at)
    at += _COUNT.size
    end = at + count * _BOOTSTRAP.size
    bootstraps: dict[object, int] = dict(_BOOTSTRAP.iter_unpack(data[at:end]))
    if len(bootstraps) != count or not all(bootstraps.values()):
        raise MalformedCiphertext("a bootstrap that is not there or there twice")
    return bootstraps, end


def _load_lwe(data: bytes, at: int) -> Words:
    words = np.frombuffer(data, dtype="<u4", count=DEGREE + 1, offset=at)
    return words.astype(np.uint64) << _HALF_WORD
