"""An operation with where it came from."""

from dataclasses import dataclass

from fhevm.handles import Handle
from fhevm.operations import Operation


@dataclass(frozen=True)
class Task:
    """`account` sent the transaction that asked for `operation`, in `block`."""

    operation: Operation
    block: int
    account: str

    @property
    def result(self) -> Handle:
        """The handle that it makes."""
        return self.operation.result

    @property
    def operands(self) -> list[Handle]:
        """The handles that it reads, each once."""
        handles = (each for each in self.operation.operands if isinstance(each, Handle))
        return list(dict.fromkeys(handles))
