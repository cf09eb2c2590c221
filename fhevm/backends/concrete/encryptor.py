"""The client's side: encrypts inputs with the public key."""

from collections.abc import Sequence

from fhevm.backends.base import Plaintext
from fhevm.backends.concrete import keys, ring
from fhevm.backends.concrete.blocks import DIGIT_BITS
from fhevm.backends.concrete.ciphertexts import block_count, digit_limit
from fhevm.errors import PlaintextOutOfRange


class ConcreteEncryptor:
    """See `base.Encryptor`."""

    def __init__(self, public: bytes) -> None:
        key = keys.load_public(public)
        self._id, self._key = key.id, (key.a, key.b)

    def encrypt(self, plaintexts: Sequence[Plaintext], seed: bytes) -> bytes:
        """See `base.Encryptor`. Raises PlaintextOutOfRange."""
        digits = [digit for plaintext in plaintexts for digit in _digits(plaintext)]
        return ring.encrypt(self._key, self._id, digits, seed)


def _digits(plaintext: Plaintext) -> list[int]:
    fhe_type, value = plaintext
    if not 0 <= value < fhe_type.modulus:
        raise PlaintextOutOfRange(fhe_type)
    count, limit = block_count(fhe_type), digit_limit(fhe_type)
    return [value >> DIGIT_BITS * i & limit for i in range(count)]
