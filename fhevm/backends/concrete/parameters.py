"""TFHE parameters, from Concrete's own optimizer.

One key set serves every type and operator: all look-ups are on 4-bit values with one padding bit, and none
takes a combination of ciphertexts noisier than NOISE_BUDGET bootstraps together. The optimizer is asked for
the cheapest 128-bit-secure parameters under which such a look-up fails with at most `p_error`:
polynomial degree 2048, LWE dimension 844, one bootstrap level, five keyswitch levels at 2^-64 and 338.

Why 338: what circuits add up most are two digits from which a carry was taken (1 + 1 + 1 + 16 = 19 each) as
4·x + y, 17 × 19 = 323. A budget of 18 would cost 5 % less per bootstrap and force a refresh into each of
those, one of 512 costs 40 % more (a second bootstrap level).
"""

import struct
from dataclasses import astuple, dataclass
from typing import Any, ClassVar

from fhevm.backends.concrete.torch_stand_in import import_fhe
from fhevm.errors import MalformedKey, UnsupportedParameters

DEGREE = 2048
"""N: degree of the ring, dimension of every stored ciphertext."""
MESSAGE_BITS = 4
STEP = 1 << (64 - 1 - MESSAGE_BITS)
"""Δ: what the plaintext 1 is on the torus Z / 2^64. One padding bit above the message."""
SLOTS = 1 << MESSAGE_BITS
"""Values that a table can tell apart; the padding bit doubles them for antisymmetric tables."""
_WEIGHT = 13
NOISE_BUDGET = 2 * _WEIGHT * _WEIGHT
"""Largest noise variance before a look-up, in variances of a bootstrapped ciphertext."""
DEFAULT_P_ERROR = 2.0**-64


@dataclass(frozen=True)
class Parameters:
    """What fixes the shape and the noise of keys; stored within each of them.

    Dimensions count words, variances are relative to the torus (1 = the whole of it).
    """

    polynomial_size: int  # degree of the ring, and dimension of every stored ciphertext
    lwe_dimension: int  # of the small key, between keyswitch and bootstrap
    bootstrap_levels: int
    bootstrap_base_log: int
    keyswitch_levels: int
    keyswitch_base_log: int
    ring_variance: float
    lwe_variance: float
    p_error: float

    FORMAT: ClassVar[struct.Struct] = struct.Struct("<6I3d")

    def pack(self) -> bytes:
        """48 fixed bytes."""
        return self.FORMAT.pack(*astuple(self))

    @classmethod
    def unpack(cls, data: bytes) -> "Parameters":
        """The inverse of `pack`. Raises MalformedKey for numbers that no optimizer gives."""
        parameters = cls(*cls.FORMAT.unpack(data))
        sizes = astuple(parameters)[1:6]
        if parameters.polynomial_size != DEGREE or not all(0 < size <= DEGREE for size in sizes):
            raise MalformedKey("impossible parameters")
        return parameters


def optimize(p_error: float = DEFAULT_P_ERROR) -> Parameters:
    """The cheapest parameters for NOISE_BUDGET at the failure probability `p_error` per look-up.

    Raises UnsupportedParameters where these need a ring of another degree (below about 2^-90).
    """
    keyset = _compile(import_fhe(), p_error).keys.specs.program_info.get_keyset_info()
    (bootstrap,), (keyswitch,) = keyset.bootstrap_keys(), keyset.keyswitch_keys()
    if bootstrap.polynomial_size() != DEGREE:
        raise UnsupportedParameters(f"p_error {p_error} needs a ring of another degree")
    return Parameters(
        bootstrap.polynomial_size(),
        bootstrap.input_lwe_dimension(),
        bootstrap.level(),
        bootstrap.base_log(),
        keyswitch.level(),
        keyswitch.base_log(),
        bootstrap.variance(),
        keyswitch.variance(),
        p_error,
    )


def _compile(fhe: Any, p_error: float) -> Any:
    """A look-up in the worst combination: `composable` makes x and y as noisy as bootstrapped ones."""
    table = fhe.LookupTable(list(range(SLOTS)))

    def worst(x: int, y: int) -> Any:
        return table[fhe.hint(_WEIGHT * (x - y), bit_width=MESSAGE_BITS)]

    compiler = fhe.Compiler(worst, {"x": "encrypted", "y": "encrypted"})
    inputs = [(value, value) for value in range(SLOTS)]  # the combination itself stays in range
    configuration = fhe.Configuration(
        p_error=p_error, composable=True, dump_artifacts_on_unexpected_failures=False
    )
    return compiler.compile(inputs, configuration)
