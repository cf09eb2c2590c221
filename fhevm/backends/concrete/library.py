"""Concrete's CPU library, bound by ctypes: keys, keyswitch and programmable bootstrap.

concrete-python ships `libConcretelangRuntime`, which exports the C interface of concrete-cpu. Compiled
Concrete circuits convert the bootstrapping key to the Fourier domain in every call; these functions let us
keep it. ctypes releases the interpreter's lock during a call, so that threads scale.

All arrays are contiguous u64 (plain keys and ciphertexts) or bytes (opaque states, Fourier keys).
"""

import ctypes
from ctypes import POINTER, byref, c_double, c_size_t, c_uint8, c_uint32, c_void_p
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fhevm.backends.concrete.parameters import Parameters
from fhevm.errors import LibraryMismatch, ToolMissing

Words = NDArray[np.uint64]
Bytes = NDArray[np.uint8]

PACKAGE = "concrete-python"
VERSION = "2.11.0"
_STEM = "libConcretelangRuntime"
_PREFIX = "concrete_cpu_"
_GLWE_DIMENSION = 1
_CACHE_LINE = 64
_PARALLEL = 1


class _Uint128(ctypes.Structure):
    _fields_ = [("little_endian_bytes", c_uint8 * 16)]


_P, _S, _F = c_void_p, c_size_t, c_double
_VOID_FUNCTIONS: dict[str, list[Any]] = {
    "construct_secret_csprng": [_P, _Uint128],
    "construct_concrete_fft": [_P, _S],
    "init_secret_key_u64": [_P, _S, _P],
    "init_seeded_lwe_bootstrap_key_u64": [*[_P] * 3, *[_S] * 5, _Uint128, _F, c_uint32],
    "init_seeded_lwe_keyswitch_key_u64": [*[_P] * 3, *[_S] * 4, _Uint128, _F],
    "decompress_seeded_lwe_bootstrap_key_u64": [*[_P] * 2, *[_S] * 5, _Uint128, c_uint32],
    "decompress_seeded_lwe_keyswitch_key_u64": [*[_P] * 2, *[_S] * 4, _Uint128, c_uint32],
    "bootstrap_key_convert_u64_to_fourier": [_P, _P, _S, _S, _S, _S, _S, _P, _P, _S],
    "keyswitch_lwe_ciphertext_u64": [_P, _P, _P, _S, _S, _S, _S],
    "bootstrap_lwe_ciphertext_u64": [_P, _P, _P, _P, _S, _S, _S, _S, _S, _P, _P, _S],
}
_SCRATCH = [POINTER(c_size_t), POINTER(c_size_t)]
_SIZED_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "bootstrap_key_size_u64": (c_size_t, [_S] * 4),
    "fourier_bootstrap_key_size_u64": (c_size_t, [_S] * 4),
    "keyswitch_key_size_u64": (c_size_t, [_S] * 3),
    "seeded_bootstrap_key_size_u64": (c_size_t, [_S] * 4),
    "seeded_keyswitch_key_size_u64": (c_size_t, [_S] * 2),
    "bootstrap_key_convert_u64_to_fourier_scratch": (c_uint32, [*_SCRATCH, _P]),
    "bootstrap_lwe_ciphertext_u64_scratch": (c_uint32, [*_SCRATCH, _S, _S, _P]),
}


@cache
def library() -> ctypes.CDLL:
    """The loaded library. Raises ToolMissing, or LibraryMismatch for another version than VERSION.

    The interface is not a stable one: another version might take other arguments and corrupt memory.
    """
    try:
        package = distribution(PACKAGE)
    except PackageNotFoundError:
        raise ToolMissing(PACKAGE) from None
    if package.version != VERSION:
        raise LibraryMismatch(PACKAGE, package.version, VERSION)
    for file in package.files or []:
        if file.name.startswith(_STEM):
            return _declare(ctypes.CDLL(str(file.locate())))
    raise ToolMissing(_STEM)


def _declare(loaded: ctypes.CDLL) -> ctypes.CDLL:
    for name, arguments in _VOID_FUNCTIONS.items():
        function = getattr(loaded, _PREFIX + name)
        function.restype, function.argtypes = None, arguments
    for name, (result, arguments) in _SIZED_FUNCTIONS.items():
        function = getattr(loaded, _PREFIX + name)
        function.restype, function.argtypes = result, arguments
    return loaded


def _call(name: str, *arguments: Any) -> Any:
    """Call `name`; arrays are passed by address."""
    passed = (a.ctypes.data if isinstance(a, np.ndarray) else a for a in arguments)
    return getattr(library(), _PREFIX + name)(*passed)


def _constant(name: str) -> int:
    return c_size_t.in_dll(library(), name).value


def aligned(size: int, alignment: int = _CACHE_LINE) -> Bytes:
    """`size` zero bytes at a multiple of `alignment`."""
    buffer = np.zeros(size + alignment, dtype=np.uint8)
    start = -buffer.ctypes.data % alignment
    return buffer[start : start + size]


def secret_generator(seed: bytes) -> Bytes:
    """State of a generator for secret keys, from 16 bytes."""
    state = aligned(_constant("SECRET_CSPRNG_SIZE"))
    _call("construct_secret_csprng", state, _uint128(seed))
    return state


def _uint128(seed: bytes) -> _Uint128:
    return _Uint128((c_uint8 * 16)(*seed))


def secret_key(dimension: int, generator: Bytes) -> Words:
    """`dimension` uniform bits, one a word."""
    key = np.zeros(dimension, dtype=np.uint64)
    _call("init_secret_key_u64", key, dimension, generator)
    return key


def _shape(p: Parameters) -> tuple[int, int, int, int]:
    return p.bootstrap_levels, _GLWE_DIMENSION, p.polynomial_size, p.lwe_dimension


def _bootstrap_sizes(p: Parameters) -> tuple[int, ...]:
    sizes = p.lwe_dimension, p.polynomial_size, _GLWE_DIMENSION
    return *sizes, p.bootstrap_levels, p.bootstrap_base_log


def _keyswitch_sizes(p: Parameters) -> tuple[int, ...]:
    return p.polynomial_size, p.lwe_dimension, p.keyswitch_levels, p.keyswitch_base_log


def bootstrap_bodies(p: Parameters) -> Words:
    """Room for the bodies of a bootstrapping key, without its masks."""
    return np.zeros(_call("seeded_bootstrap_key_size_u64", *_shape(p)), dtype=np.uint64)


def keyswitch_bodies(p: Parameters) -> Words:
    """Room for the bodies of a keyswitching key."""
    size = _call("seeded_keyswitch_key_size_u64", p.keyswitch_levels, p.polynomial_size)
    return np.zeros(size, dtype=np.uint64)


def noiseless_bootstrap_key(p: Parameters, small: Words, ring: Words, mask_seed: bytes) -> Words:
    """Bodies that encrypt the bits of `small` under `ring`; noise must be added before use."""
    bodies = bootstrap_bodies(p)
    noise = _uint128(mask_seed), 0.0, _PARALLEL
    _call("init_seeded_lwe_bootstrap_key_u64", bodies, small, ring, *_bootstrap_sizes(p), *noise)
    return bodies


def noiseless_keyswitch_key(p: Parameters, small: Words, ring: Words, mask_seed: bytes) -> Words:
    """Bodies that encrypt the bits of `ring` under `small`; noise must be added before use."""
    bodies = keyswitch_bodies(p)
    noise = _uint128(mask_seed), 0.0
    _call("init_seeded_lwe_keyswitch_key_u64", bodies, ring, small, *_keyswitch_sizes(p), *noise)
    return bodies


def expand_bootstrap_key(p: Parameters, bodies: Words, mask_seed: bytes) -> Words:
    """The key with its masks drawn again."""
    key = np.zeros(_call("bootstrap_key_size_u64", *_shape(p)), dtype=np.uint64)
    masks = _uint128(mask_seed), _PARALLEL
    _call("decompress_seeded_lwe_bootstrap_key_u64", key, bodies, *_bootstrap_sizes(p), *masks)
    return key


def expand_keyswitch_key(p: Parameters, bodies: Words, mask_seed: bytes) -> Words:
    """The key with its masks drawn again."""
    size = _call("keyswitch_key_size_u64", p.keyswitch_levels, *_keyswitch_sizes(p)[:2])
    key = np.zeros(size, dtype=np.uint64)
    masks = _uint128(mask_seed), _PARALLEL
    _call("decompress_seeded_lwe_keyswitch_key_u64", key, bodies, *_keyswitch_sizes(p), *masks)
    return key


class Bootstrapper:
    """A keyswitch and a bootstrap in one, with the key in the Fourier domain.

    Shared by threads; each passes its own `scratch()`.
    """

    def __init__(self, parameters: Parameters, bootstrap: Words, keyswitch: Words) -> None:
        self._p = parameters
        self._keyswitch = keyswitch
        self._fft = aligned(_constant("CONCRETE_FFT_SIZE"))
        _call("construct_concrete_fft", self._fft, parameters.polynomial_size)
        self._scratch = self._scratch_size(
            "bootstrap_lwe_ciphertext_u64_scratch", _GLWE_DIMENSION, parameters.polynomial_size
        )
        self._fourier = self._convert(bootstrap)

    def scratch(self) -> Bytes:
        """Working memory for one thread."""
        return aligned(*self._scratch)

    def __call__(self, lwe: Words, accumulator: Words, scratch: Bytes) -> Words:
        """The look-up of `lwe` (N + 1 words) in `accumulator` (2·N words), freshly bootstrapped."""
        p = self._p
        result = np.zeros(p.polynomial_size + 1, dtype=np.uint64)
        key = self._fourier, p.bootstrap_levels, p.bootstrap_base_log, *_shape(p)[1:]
        memory = self._fft, scratch, scratch.size
        small = self.keyswitch(lwe)
        _call("bootstrap_lwe_ciphertext_u64", result, small, accumulator, *key, *memory)
        return result

    def keyswitch(self, lwe: Words) -> Words:
        """The same value under the small key (n + 1 words)."""
        p = self._p
        small = np.zeros(p.lwe_dimension + 1, dtype=np.uint64)
        shape = p.keyswitch_levels, p.keyswitch_base_log, p.polynomial_size, p.lwe_dimension
        _call("keyswitch_lwe_ciphertext_u64", small, lwe, self._keyswitch, *shape)
        return small

    def _convert(self, key: Words) -> Bytes:
        p = self._p
        complex_numbers = _call("fourier_bootstrap_key_size_u64", *_shape(p))
        fourier = aligned(16 * complex_numbers)
        scratch = aligned(*self._scratch_size("bootstrap_key_convert_u64_to_fourier_scratch"))
        shape = p.bootstrap_levels, p.bootstrap_base_log, *_shape(p)[1:]
        memory = self._fft, scratch, scratch.size
        _call("bootstrap_key_convert_u64_to_fourier", key, fourier, *shape, *memory)
        return fourier

    def _scratch_size(self, name: str, *sizes: int) -> tuple[int, int]:
        size, alignment = c_size_t(), c_size_t()
        _call(name, byref(size), byref(alignment), *sizes, self._fft)
        return size.value, alignment.value
