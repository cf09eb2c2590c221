"""Symbolic operations, as the executor contract emits them."""

from dataclasses import dataclass

from fhevm.handles import Handle
from fhevm.types import FheType


@dataclass(frozen=True)
class Operation:
    """One executor event.

    `name` is the operator in snake case without the prefix: add sub mul div rem and or xor shl shr rotl
    rotr eq ne ge gt le lt min max neg not select cast trivial_encrypt verify_input rand rand_bounded.
    `operands` holds handles, and ints for scalars (reduced to the width of the other operand) and for
    the plaintext of trivial_encrypt, the seed of rand (16 bytes, big-endian) and the bound of
    rand_bounded (operands: bound, seed).
    """

    name: str
    operands: tuple[Handle | int, ...]
    result: Handle
    caller: str

    @property
    def type(self) -> FheType:
        """The type of the result."""
        return self.result.type
