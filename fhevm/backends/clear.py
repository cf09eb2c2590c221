"""The insecure backend: "ciphertexts" are the plaintexts themselves. For tests and fast development.

It keeps the forms of the real one (three keys, opaque bytes, typed errors), so that a mistake in handling
shows up here as well.
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from secrets import token_bytes
from typing import Any

from fhevm.backends.arithmetic import bounded_bits, evaluate, public_random
from fhevm.backends.base import Computation, FheKeys, Plaintext
from fhevm.errors import MalformedCiphertext, MalformedKey, PlaintextOutOfRange
from fhevm.operations import Operation
from fhevm.types import FheType

_INPUT = b"insecure-clear-input\x01"
_VALUE = b"insecure-clear-value\x01"
_KEY = b"insecure-clear-%s-key\x01"


@dataclass(frozen=True)
class ClearCiphertext:
    """A value that hides nothing."""

    type: FheType
    value: int


class ClearEncryptor:
    """Packs inputs; the seed is appended so that equal inputs from different seeds differ."""

    def encrypt(self, plaintexts: Sequence[Plaintext], seed: bytes) -> bytes:
        """See `base.Encryptor`. Raises PlaintextOutOfRange."""
        parts = [_INPUT, seed]
        for fhe_type, value in plaintexts:
            if not 0 <= value < fhe_type.modulus:
                raise PlaintextOutOfRange(fhe_type)
            parts.append(struct.pack("B32s", fhe_type, value.to_bytes(32, "big")))
        return b"".join(parts)


class ClearEvaluator:
    """Computes at once: a computation here has no steps."""

    def trivial(self, value: int, fhe_type: FheType) -> ClearCiphertext:
        """See `base.Evaluator`."""
        return ClearCiphertext(fhe_type, value % fhe_type.modulus)

    def unpack(self, blob: bytes, types: Sequence[FheType]) -> list[ClearCiphertext]:
        """See `base.Evaluator`."""
        start = len(_INPUT) + 32
        if not blob.startswith(_INPUT) or len(blob) != start + 33 * len(types):
            raise MalformedCiphertext("not a clear input of these types")
        records = [blob[at : at + 33] for at in range(start, len(blob), 33)]
        if [record[0] for record in records] != list(types):
            raise MalformedCiphertext("a clear input of other types")
        return [self._record(record) for record in records]

    def compute(self, operation: Operation, operands: Sequence[Any]) -> Computation:
        """See `base.Evaluator`: returns without yielding a step."""
        yield from ()
        return ClearCiphertext(operation.type, self._value(operation, operands))

    def run(self, steps: Sequence[Any]) -> list[Any]:
        """See `base.Evaluator`: there are no steps."""
        return [None for _ in steps]

    def dump(self, ciphertext: ClearCiphertext) -> bytes:
        """See `base.Evaluator`."""
        return _VALUE + struct.pack("B32s", ciphertext.type, ciphertext.value.to_bytes(32, "big"))

    def load(self, data: bytes) -> ClearCiphertext:
        """See `base.Evaluator`."""
        if not data.startswith(_VALUE) or len(data) != len(_VALUE) + 33:
            raise MalformedCiphertext("not a clear value")
        return self._record(data[len(_VALUE) :])

    def _value(self, operation: Operation, operands: Sequence[Any]) -> int:
        if operation.name == "rand":
            return public_random(operands[0], operation.type.bits)
        if operation.name == "rand_bounded":
            return public_random(operands[1], bounded_bits(operands[0]))
        values = [x.value if isinstance(x, ClearCiphertext) else x for x in operands]
        types = [x.type for x in operands if isinstance(x, ClearCiphertext)]
        return evaluate(
            operation.name, values, types[1 if operation.name == "select" else 0], operation.type
        )

    def _record(self, record: bytes) -> ClearCiphertext:
        value = int.from_bytes(record[1:], "big")
        if record[0] not in FheType._value2member_map_ or value >= FheType(record[0]).modulus:
            raise MalformedCiphertext("a clear value out of range")
        return ClearCiphertext(FheType(record[0]), value)


class ClearDecryptor:
    """Reads what was never hidden."""

    def decrypt(self, data: bytes, fhe_type: FheType) -> int:
        """See `base.Decryptor`. Raises MalformedCiphertext also for another type."""
        ciphertext = ClearEvaluator().load(data)
        if ciphertext.type is not fhe_type:
            raise MalformedCiphertext(f"{ciphertext.type}, not {fhe_type}")
        return ciphertext.value


class InsecureClearBackend:
    """See `base.Backend`. The keys are labels, told apart only to catch a wrong file."""

    name = "clear"

    def generate_keys(self, seed: bytes | None = None) -> FheKeys:
        """See `base.Backend`."""
        tail = seed or token_bytes(32)
        return FheKeys(*(_KEY % role + tail for role in (b"secret", b"evaluation", b"public")))

    def encryptor(self, public: bytes) -> ClearEncryptor:
        """See `base.Backend`. Raises MalformedKey."""
        _check_key(public, b"public")
        return ClearEncryptor()

    def evaluator(self, evaluation: bytes) -> ClearEvaluator:
        """See `base.Backend`. Raises MalformedKey."""
        _check_key(evaluation, b"evaluation")
        return ClearEvaluator()

    def decryptor(self, secret: bytes) -> ClearDecryptor:
        """See `base.Backend`. Raises MalformedKey."""
        _check_key(secret, b"secret")
        return ClearDecryptor()


def _check_key(key: bytes, role: bytes) -> None:
    label = _KEY % role
    if not key.startswith(label) or len(key) != len(label) + 32:
        raise MalformedKey(f"not a clear {role.decode()} key")
