"""The KMS's side: decrypts stored ciphertexts."""

import numpy as np

from fhevm.backends.concrete import ciphertexts, keys
from fhevm.backends.concrete.blocks import DIGIT_BITS, Block
from fhevm.backends.concrete.library import Words
from fhevm.backends.concrete.parameters import SLOTS, STEP
from fhevm.errors import MalformedCiphertext
from fhevm.types import FheType


class ConcreteDecryptor:
    """See `base.Decryptor`."""

    def __init__(self, secret: bytes) -> None:
        key = keys.load_secret(secret)
        self._id, self._ring, self._small = key.id, key.ring, key.small

    def decrypt(self, data: bytes, fhe_type: FheType) -> int:
        """See `base.Decryptor`. Raises MalformedCiphertext, also for another type than `fhe_type`."""
        ciphertext = ciphertexts.load(data, self._id)
        if ciphertext.type is not fhe_type:
            raise MalformedCiphertext(f"{ciphertext.type}, not {fhe_type}")
        digits = (self._digit(block) << DIGIT_BITS * i for i, block in enumerate(ciphertext.blocks))
        return sum(digits) % fhe_type.modulus

    def noise(self, lwe: Words) -> int:
        """The signed distance of a ciphertext's phase from the step that it decrypts to.

        Also for one that was switched to the small key.
        """
        key = self._ring if lwe.size == self._ring.size + 1 else self._small
        rest = (phase(lwe, key) + STEP // 2) % STEP
        return rest - STEP // 2

    def _digit(self, block: Block) -> int:
        if block.is_known:
            return block.offset
        nearest = (phase(block.lwe(), self._ring) + STEP // 2) // STEP
        return block.low + (nearest - block.low) % (2 * SLOTS)


def phase(lwe: Words, key: Words) -> int:
    """body − ⟨mask, key⟩ on the torus Z / 2^64."""
    return (int(lwe[-1]) - int(np.add.reduce(lwe[:-1] * key, dtype=np.uint64))) % (1 << 64)
