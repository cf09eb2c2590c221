"""What a backend is: four small roles, so that no process holds a key that it does not need.

| role        | key        | lives in                     |
|-------------|------------|------------------------------|
| `Encryptor` | public     | the client (SDK, browser)    |
| `Evaluator` | evaluation | the coprocessor              |
| `Decryptor` | secret     | the KMS                      |
| `Backend`   | none       | makes keys and the other three |

An operator is computed in *steps*. `Evaluator.compute` returns a generator: it yields lists of steps that
may run at once, is sent their results, and returns the ciphertext. So the scheduler can put the steps of
many operations into one batch, and stay fair between callers, without knowing what a step is.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from fhevm.operations import Operation
from fhevm.types import FheType

Ciphertext = Any  # opaque outside its backend
Step = Any  # opaque outside its backend
Plaintext = tuple[FheType, int]
Computation = Generator[list[Step], list[Any], Ciphertext]


@dataclass(frozen=True)
class FheKeys:
    """One key set, serialized."""

    secret: bytes = field(repr=False)
    evaluation: bytes = field(repr=False)
    public: bytes = field(repr=False)


class Encryptor(Protocol):
    """Encrypts inputs with the public key."""

    def encrypt(self, plaintexts: Sequence[Plaintext], seed: bytes) -> bytes:
        """One input ciphertext for all `plaintexts`, a function of these and the 32-byte seed alone.

        Raises PlaintextOutOfRange.
        """
        ...


class Evaluator(Protocol):
    """Computes on ciphertexts with the evaluation key."""

    def trivial(self, value: int, fhe_type: FheType) -> Ciphertext:
        """A public constant as a ciphertext."""
        ...

    def unpack(self, blob: bytes, types: Sequence[FheType]) -> list[Ciphertext]:
        """The ciphertexts in an input. Raises MalformedCiphertext."""
        ...

    def compute(self, operation: Operation, operands: Sequence[Ciphertext | int]) -> Computation:
        """Start `operation`; an `int` operand is a scalar, already reduced to the operand's type.

        Nothing is computed, and no error raised, until the generator is advanced; then
        UnsupportedOperation for what is no operator on these operands.
        """
        ...

    def run(self, steps: Sequence[Step]) -> list[Any]:
        """Run independent steps, of any computations, in one batch; their results, in order."""
        ...

    def dump(self, ciphertext: Ciphertext) -> bytes:
        """Serialize for the store."""
        ...

    def load(self, data: bytes) -> Ciphertext:
        """The inverse of `dump`. Raises MalformedCiphertext."""
        ...


class Decryptor(Protocol):
    """Decrypts with the secret key."""

    def decrypt(self, data: bytes, fhe_type: FheType) -> int:
        """The plaintext of a dumped ciphertext, 0 … modulus − 1. Raises MalformedCiphertext."""
        ...


class Backend(Protocol):
    """Makes keys and the three roles that use them."""

    name: str

    def generate_keys(self, seed: bytes | None = None) -> FheKeys:
        """A new key set; the same one again for the same 32-byte seed (tests and demos only)."""
        ...

    def encryptor(self, public: bytes) -> Encryptor: ...  # noqa: D102
    def evaluator(self, evaluation: bytes) -> Evaluator: ...  # noqa: D102
    def decryptor(self, secret: bytes) -> Decryptor: ...  # noqa: D102
