"""Handles: the 32-byte names of encrypted values.

Bytes 0–20 hash · 21 index (0xff: computed, 0–254: input) · 22–29 chain id · 30 type · 31 version.
"""

import re
from dataclasses import dataclass

from fhevm.errors import MalformedHandle
from fhevm.types import FheType

COMPUTED = 0xFF
_TEXT = re.compile(r"0x[0-9a-fA-F]{64}", re.ASCII)


@dataclass(frozen=True, order=True)
class Handle:
    """A parsed handle; `bytes(handle)` and `str(handle)` (0x…) give it back.

    Raises MalformedHandle where the length, the type byte or the version is not the protocol's.
    """

    raw: bytes

    def __post_init__(self) -> None:
        if (
            not isinstance(self.raw, bytes)
            or len(self.raw) != 32
            or self.raw[31] != 0
            or self.raw[30] not in FheType._value2member_map_
        ):
            raise MalformedHandle(self.raw)

    @classmethod
    def parse(cls, name: object) -> "Handle":
        """From 32 bytes, or from `0x` and 64 hexadecimal digits. Raises MalformedHandle for all else."""
        if isinstance(name, Handle):
            return name
        if isinstance(name, str) and _TEXT.fullmatch(name):
            return cls(bytes.fromhex(name[2:]))
        if isinstance(name, bytes):
            return cls(bytes(name))
        raise MalformedHandle(name)

    @property
    def type(self) -> FheType:
        """The type of the value."""
        return FheType(self.raw[30])

    @property
    def chain_id(self) -> int:
        """The chain that the handle was made for."""
        return int.from_bytes(self.raw[22:30], "big")

    @property
    def index(self) -> int:
        """Place in its input, or COMPUTED."""
        return self.raw[21]

    def __bytes__(self) -> bytes:
        return self.raw

    def __str__(self) -> str:
        return "0x" + self.raw.hex()
