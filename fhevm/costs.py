"""What an operation costs, from what is public of it: its operator, its type, which operands are scalars.

An estimate in steps of the Concrete backend (bootstraps), to share them out and for no figure.
"""

from fhevm.handles import Handle
from fhevm.operations import Operation

_SQUARE = frozenset({"mul", "div", "rem"})
_SHIFTS = frozenset({"shl", "shr", "rotl", "rotr"})
_TWICE = frozenset({"min", "max"})
_FREE = frozenset({"trivial_encrypt", "verify_input"})


def steps(operation: Operation) -> int:
    """How many steps an operation takes at most, about."""
    handles = [each for each in operation.operands if isinstance(each, Handle)]
    bits = max([each.type.bits for each in handles], default=operation.type.bits)
    digits = max(1, bits // 2)
    is_scalar = len(handles) < len(operation.operands)
    if operation.name in _FREE:
        return 0
    if operation.name in _SQUARE:
        return digits * digits // 2 + 2 * digits if is_scalar else digits * digits * 4 // 3
    if operation.name in _SHIFTS and not is_scalar:
        return digits * (bits.bit_length() + 1)
    return 2 * digits if operation.name in _TWICE else digits
