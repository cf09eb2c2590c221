"""The three keys of a set, and their file form.

| key        | holds                                                                  | size at the default |
|------------|------------------------------------------------------------------------|---------------------|
| secret     | ring key (2048 bits) and small LWE key                                 | 0.5 KB              |
| evaluation | bootstrapping key (the small key under the ring key) and keyswitch key | 28 MB               |
| public     | one encryption of zero under the ring key                              | 32 KB               |

File: magic `FHEK` · version (1) · role (1) · key id (8) · parameters (48) · SHA-256 of the payload (32) ·
payload, little-endian words. An evaluation key is the seeds of its masks (16 + 16) and its bodies; with the
masks it has 125 MB. The key id is the head of the public payload's SHA-256: it tells which keys,
inputs and ciphertexts belong together.

The public key encrypts zero under the same key as the bootstrapping key does: this rests on the circular
security that TFHE (and Concrete) assumes anyway.
"""

import hashlib
import struct
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from secrets import token_bytes

import numpy as np

from fhevm.backends.base import FheKeys
from fhevm.backends.concrete import library, ring
from fhevm.backends.concrete.library import Words
from fhevm.backends.concrete.noise import gaussian
from fhevm.backends.concrete.parameters import Parameters
from fhevm.errors import MalformedKey

_MAGIC, _VERSION = b"FHEK", 1
_HEADER = struct.Struct(f"<4sBB8s{Parameters.FORMAT.size}s32s")
_SEED = 16
_ROLES = {"secret": 0, "evaluation": 1, "public": 2}


@dataclass(frozen=True)
class SecretKey:
    """Bits, one a word: of the ring key (dimension N) and of the small key."""

    id: bytes
    parameters: Parameters
    ring: Words = field(repr=False)
    small: Words = field(repr=False)


@dataclass(frozen=True)
class EvaluationKey:
    """What the coprocessor computes with."""

    id: bytes
    parameters: Parameters
    bootstrap: Words
    keyswitch: Words


@dataclass(frozen=True)
class PublicKey:
    """The ring encryption of zero (a, b): N words each."""

    id: bytes
    parameters: Parameters
    a: Words
    b: Words


def generate(seed: bytes | None, parameters: Parameters) -> FheKeys:
    """A key set; for the same 32-byte seed the same bytes again.

    With a seed, whoever knows it knows the secret key: for demos and tests. Without, the
    randomness is the operating system's.
    """
    p = parameters
    root = seed or token_bytes(32)
    bits = library.secret_generator(_derive(root, "secret keys", _SEED))
    ring_key = library.secret_key(p.polynomial_size, bits)
    small = library.secret_key(p.lwe_dimension, bits)
    public = np.concatenate(ring.public_key(ring_key, _derive(root, "public key", 32))).tobytes()
    key_id = hashlib.sha256(public).digest()[:8]
    payloads = {
        "secret": np.packbits(np.concatenate([ring_key, small]).astype(np.uint8)).tobytes(),
        "evaluation": _evaluation(root, p, small, ring_key),
        "public": public,
    }
    return FheKeys(**{role: _wrap(role, key_id, p, data) for role, data in payloads.items()})


def load_secret(data: bytes) -> SecretKey:
    """Raises MalformedKey."""
    key_id, p, payload = _unwrap("secret", data)
    count = p.polynomial_size + p.lwe_dimension
    if len(payload) != -(-count // 8):
        raise MalformedKey("secret key of the wrong length")
    bits = np.unpackbits(np.frombuffer(payload, np.uint8), count=count).astype(np.uint64)
    return SecretKey(key_id, p, bits[: p.polynomial_size], bits[p.polynomial_size :])


def load_evaluation(data: bytes) -> EvaluationKey:
    """Raises MalformedKey."""
    key_id, p, payload = _unwrap("evaluation", data)
    masks, bodies = payload[: 2 * _SEED], payload[2 * _SEED :]
    sizes = library.bootstrap_bodies(p).size, library.keyswitch_bodies(p).size
    bootstrap, keyswitch = _split(bodies, *sizes)
    with ThreadPoolExecutor(2) as pool:
        keys = (
            pool.submit(library.expand_bootstrap_key, p, bootstrap, masks[:_SEED]),
            pool.submit(library.expand_keyswitch_key, p, keyswitch, masks[_SEED:]),
        )
    return EvaluationKey(key_id, p, *(key.result() for key in keys))


def load_public(data: bytes) -> PublicKey:
    """Raises MalformedKey."""
    key_id, p, payload = _unwrap("public", data)
    return PublicKey(key_id, p, *_split(payload, p.polynomial_size, p.polynomial_size))


def _evaluation(root: bytes, p: Parameters, small: Words, ring_key: Words) -> bytes:
    """Mask seeds and bodies. A mask seed is public: the noise comes from seeds of its own."""
    masks = [_derive(root, f"{name} masks", _SEED) for name in ("bootstrap", "keyswitch")]
    bootstrap = library.noiseless_bootstrap_key(p, small, ring_key, masks[0])
    bootstrap += gaussian(_derive(root, "bootstrap noise", 32), bootstrap.size, p.ring_variance)
    keyswitch = library.noiseless_keyswitch_key(p, small, ring_key, masks[1])
    keyswitch += gaussian(_derive(root, "keyswitch noise", 32), keyswitch.size, p.lwe_variance)
    return b"".join([*masks, bootstrap.tobytes(), keyswitch.tobytes()])


def _derive(root: bytes, purpose: str, size: int) -> bytes:
    return hashlib.shake_256(b"fhevm concrete keys: " + purpose.encode() + root).digest(size)


def _wrap(role: str, key_id: bytes, parameters: Parameters, payload: bytes) -> bytes:
    digest = hashlib.sha256(payload).digest()
    fields = _MAGIC, _VERSION, _ROLES[role], key_id, parameters.pack(), digest
    return _HEADER.pack(*fields) + payload


def _unwrap(role: str, data: bytes) -> tuple[bytes, Parameters, bytes]:
    if len(data) < _HEADER.size:
        raise MalformedKey("shorter than its header")
    magic, version, found, key_id, packed, digest = _HEADER.unpack_from(data)
    if (magic, version, found) != (_MAGIC, _VERSION, _ROLES[role]):
        raise MalformedKey(f"not a {role} key of version {_VERSION}")
    payload = data[_HEADER.size :]
    if hashlib.sha256(payload).digest() != digest:
        raise MalformedKey(f"damaged {role} key")
    return key_id, Parameters.unpack(packed), payload


def _split(payload: bytes, first: int, second: int) -> tuple[Words, Words]:
    if len(payload) != 8 * (first + second):
        raise MalformedKey("key of the wrong length")
    words = np.frombuffer(payload, dtype="<u8")
    return words[:first], words[first:]
