"""The protocol's encrypted types."""

from enum import IntEnum


class FheType(IntEnum):
    """A type and its byte in a handle (byte 30)."""

    EBOOL = 0
    EUINT8 = 2
    EUINT16 = 3
    EUINT32 = 4
    EUINT64 = 5
    EUINT128 = 6
    EADDRESS = 7
    EUINT256 = 8

    @property
    def bits(self) -> int:
        """Width of the plaintext in bits."""
        return _BITS[self]

    @property
    def modulus(self) -> int:
        """2^bits: plaintexts are 0 … modulus − 1, arithmetic is modulo it."""
        return 1 << self.bits

    def __str__(self) -> str:
        return self.name.lower()


_BITS = {
    FheType.EBOOL: 1,
    FheType.EUINT8: 8,
    FheType.EUINT16: 16,
    FheType.EUINT32: 32,
    FheType.EUINT64: 64,
    FheType.EUINT128: 128,
    FheType.EADDRESS: 160,
    FheType.EUINT256: 256,
}
