"""Run operator vectors against a backend.

A vector file is `{"add_euint8_uint8": [{"inputs": ["59", "114"], "output": "173"}, …], …}`: the name is
the operator and its operands' types as in the Solidity library, `uintN` a scalar. As there, operands of
different widths are cast to the wider one, shift amounts too, a scalar on the left changes sides (or is
encrypted trivially for `sub`), and a comparison turns round with it.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fhevm.backends.arithmetic import COMPARISONS
from fhevm.backends.base import Backend, Ciphertext, Evaluator, FheKeys
from fhevm.errors import MalformedVectors
from fhevm.handles import Handle
from fhevm.operations import Operation
from fhevm.types import FheType

SEED = bytes(32)
_MIRRORED = {"ge": "le", "gt": "lt", "le": "ge", "lt": "gt"}
_TYPES = {str(fhe_type): fhe_type for fhe_type in FheType}
_SCALARS = {str(fhe_type)[1:]: fhe_type for fhe_type in FheType}


@dataclass(frozen=True)
class Overload:
    """An operator on operand types; `scalars` tells which operands are public."""

    operator: str
    types: tuple[FheType, ...]
    scalars: tuple[bool, ...]

    @classmethod
    def parse(cls, name: str) -> "Overload":
        """From a name like `add_euint8_uint8`. Raises MalformedVectors."""
        operator, *types = name.split("_")
        if not types or any(t not in _TYPES and t not in _SCALARS for t in types):
            raise MalformedVectors(f"not an overload: {name}")
        parsed = tuple(_TYPES[t] if t in _TYPES else _SCALARS[t] for t in types)
        return cls(operator, parsed, tuple(t in _SCALARS for t in types))


@dataclass(frozen=True)
class Mismatch:
    """A vector that the backend got wrong."""

    overload: str
    inputs: tuple[int, ...]
    expected: int
    found: int


@dataclass(frozen=True)
class Vector:
    """One line of a vector file."""

    overload: str
    inputs: tuple[int, ...]
    output: int


def read_vectors(file: Path, types: Iterable[FheType] | None = None) -> list[Vector]:
    """The vectors of a file, only those whose operands are all of `types` where given.

    Raises MalformedVectors, OSError.
    """
    wanted = set(FheType if types is None else types)
    try:
        table: dict[str, Any] = json.loads(file.read_text())
        return [
            Vector(name, tuple(map(int, line["inputs"])), int(line["output"]))
            for name, lines in table.items()
            if wanted.issuperset(Overload.parse(name).types)
            for line in lines
        ]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise MalformedVectors(f"{file}: {error}") from None


def check_vectors(
    backend: Backend, vectors: Sequence[Vector], keys: FheKeys | None = None
) -> Iterator[Mismatch]:
    """Encrypt, compute and decrypt each vector; yield those that come out wrong."""
    keys = keys or backend.generate_keys(SEED)
    machine = Machine(backend, keys)
    for vector in vectors:
        found = machine.run(vector.overload, vector.inputs)
        if found != vector.output:
            yield Mismatch(vector.overload, vector.inputs, vector.output, found)


class Machine:
    """Runs single operations on freshly encrypted operands, with all three roles in one place."""

    def __init__(self, backend: Backend, keys: FheKeys) -> None:
        self.encryptor = backend.encryptor(keys.public)
        self.evaluator = backend.evaluator(keys.evaluation)
        self.decryptor = backend.decryptor(keys.secret)

    def run(self, overload: str, inputs: Sequence[int]) -> int:
        """The decrypted result of `overload` on plaintexts. Raises MalformedVectors."""
        parsed = Overload.parse(overload)
        if len(inputs) != len(parsed.types):
            raise MalformedVectors(f"{overload} takes {len(parsed.types)} inputs")
        secret = [
            (fhe_type, value)
            for fhe_type, value, scalar in zip(parsed.types, inputs, parsed.scalars, strict=True)
            if not scalar
        ]
        blob = self.encryptor.encrypt(secret, SEED)
        fresh = iter(self.evaluator.unpack(blob, [fhe_type for fhe_type, _ in secret]))
        operands = [
            value if scalar else next(fresh)
            for value, scalar in zip(inputs, parsed.scalars, strict=True)
        ]
        result_type, result = apply_overload(self.evaluator, parsed, operands)
        return self.decryptor.decrypt(self.evaluator.dump(result), result_type)


def apply_overload(
    evaluator: Evaluator, overload: Overload, operands: Sequence[Ciphertext | int]
) -> tuple[FheType, Ciphertext]:
    """Type and ciphertext that the Solidity library's function of that name gives."""
    name, values = overload.operator, list(operands)
    if name == "select":
        return overload.types[1], apply(evaluator, name, overload.types[1], values)
    common = max(overload.types, key=lambda t: t.bits)
    for i, (fhe_type, scalar) in enumerate(zip(overload.types, overload.scalars, strict=True)):
        if not scalar and fhe_type is not common:
            values[i] = apply(evaluator, "cast", common, [values[i]])
    if overload.scalars[0]:
        name, values = _swap(evaluator, name, common, values)
    result = FheType.EBOOL if name in COMPARISONS else common
    return result, apply(evaluator, name, result, values)


def _swap(
    evaluator: Evaluator, name: str, common: FheType, values: Sequence[Any]
) -> tuple[str, list[Any]]:
    left, right = values
    if name == "sub":
        return name, [evaluator.trivial(left, common), right]
    return _MIRRORED.get(name, name), [right, left]


def apply(
    evaluator: Evaluator, name: str, result: FheType, operands: Sequence[Ciphertext | int]
) -> Ciphertext:
    """One operation, run to its end. Raises UnsupportedOperation."""
    handle = Handle(bytes(30) + bytes([result, 0]))
    computation = evaluator.compute(Operation(name, (), handle, ""), operands)
    try:
        steps = next(computation)
        while True:
            steps = computation.send(evaluator.run(steps))
    except StopIteration as end:
        return end.value
