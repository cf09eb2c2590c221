"""Run operator vectors against a backend.

A vector file is `{"add_euint8_uint8": [{"inputs": ["59", "114"], "output": "173"}, …], …}`: the name is
the operator and its operands' types as in the Solidity library, `uintN` a scalar. As there, operands of
different widths are cast to the wider one, shift amounts too, a scalar on the left changes sides (or is
encrypted trivially for `sub`), and a comparison turns round with it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, TypeAdapter

from fhevm.backends.arithmetic import COMPARISONS
from fhevm.backends.base import Backend, Ciphertext, Computation, Evaluator, FheKeys
from fhevm.backends.batch import complete
from fhevm.errors import MalformedVectors
from fhevm.handles import Handle
from fhevm.operations import Operation
from fhevm.typed import Listed, Typed, Uint, read_json
from fhevm.types import FheType

SEED = bytes(32)
_GROUP = 64
_MIRRORED = {"ge": "le", "gt": "lt", "le": "ge", "lt": "gt"}
_TYPES = {str(fhe_type): fhe_type for fhe_type in FheType}
_SCALARS = {str(fhe_type)[1:]: fhe_type for fhe_type in FheType}


@dataclass(frozen=True)
class Overload:
    """An operator on operand types; `scalars` tells which operands are public.

    `target` is the type of the result where the name gives it: `cast_euint8_euint16` has one operand.
    """

    operator: str
    types: tuple[FheType, ...]
    scalars: tuple[bool, ...]
    target: FheType | None = None

    @classmethod
    def parse(cls, name: str) -> "Overload":
        """From a name like `add_euint8_uint8`. Raises MalformedVectors."""
        operator, *types = name.split("_")
        if not types or any(t not in _TYPES and t not in _SCALARS for t in types):
            raise MalformedVectors(f"not an overload: {name}")
        parsed = tuple(_TYPES[t] if t in _TYPES else _SCALARS[t] for t in types)
        if operator == "cast":
            return cls(operator, parsed[:1], (False,), parsed[-1])
        return cls(operator, parsed, tuple(t in _SCALARS for t in types))

    @property
    def common(self) -> FheType:
        """The type to which operands are cast: the widest (the condition of a select apart)."""
        return max(self.types, key=lambda t: t.bits)

    @property
    def result(self) -> FheType:
        """The type of the result."""
        if self.operator in COMPARISONS:
            return FheType.EBOOL
        return self.target or self.common


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


class _Line(Typed):
    inputs: Annotated[tuple[Uint, ...], Listed, Field(max_length=3)]
    output: Uint | bool


_TABLE: TypeAdapter[dict[str, list[_Line]]] = TypeAdapter(dict[str, list[_Line]])


def read_vectors(file: Path, types: Iterable[FheType] | None = None) -> list[Vector]:
    """The vectors of a file, only those whose operands are all of `types` where given.

    Raises MalformedVectors, OSError.
    """
    wanted = set(FheType if types is None else types)
    try:
        table = _TABLE.validate_python(read_json(file.read_bytes()))
    except ValueError as error:
        raise MalformedVectors(f"{file}: {str(error)[:200]}") from None
    return [
        Vector(name, line.inputs, line.output)
        for name, lines in table.items()
        if wanted.issuperset(Overload.parse(name).types)
        for line in lines
    ]


def check_vectors(
    backend: Backend, vectors: Sequence[Vector], keys: FheKeys | None = None
) -> Iterator[Mismatch]:
    """Encrypt, compute and decrypt each vector; yield those that come out wrong.

    Vectors run in groups whose steps share batches.
    """
    machine = Machine(backend, keys or backend.generate_keys(SEED))
    for start in range(0, len(vectors), _GROUP):
        group = vectors[start : start + _GROUP]
        for vector, found in zip(group, machine.run(group), strict=True):
            if found != vector.output:
                yield Mismatch(vector.overload, vector.inputs, vector.output, found)


class Machine:
    """Runs operations on freshly encrypted operands, with all three roles in one place."""

    def __init__(self, backend: Backend, keys: FheKeys) -> None:
        self.encryptor = backend.encryptor(keys.public)
        self.evaluator = backend.evaluator(keys.evaluation)
        self.decryptor = backend.decryptor(keys.secret)

    def run(self, vectors: Sequence[Vector]) -> list[int]:
        """The decrypted results. Raises MalformedVectors."""
        overloads = [Overload.parse(vector.overload) for vector in vectors]
        computations = [
            apply_overload(self.evaluator, overload, self._operands(overload, vector))
            for overload, vector in zip(overloads, vectors, strict=True)
        ]
        results = complete(self.evaluator, computations)
        return [
            self.decryptor.decrypt(self.evaluator.dump(result), overload.result)
            for overload, result in zip(overloads, results, strict=True)
        ]

    def _operands(self, overload: Overload, vector: Vector) -> list[Any]:
        if len(vector.inputs) != len(overload.types):
            raise MalformedVectors(f"{vector.overload} takes {len(overload.types)} inputs")
        operands = list(zip(overload.types, vector.inputs, overload.scalars, strict=True))
        secret = [(fhe_type, value) for fhe_type, value, scalar in operands if not scalar]
        types = [fhe_type for fhe_type, _ in secret]
        fresh = iter(self.evaluator.unpack(self.encryptor.encrypt(secret, SEED), types))
        return [value if scalar else next(fresh) for _, value, scalar in operands]


def apply_overload(
    evaluator: Evaluator, overload: Overload, operands: Sequence[Ciphertext | int]
) -> Computation:
    """What the Solidity library's function of that name computes."""
    name, common, values = overload.operator, overload.common, list(operands)
    for i, (fhe_type, scalar) in enumerate(zip(overload.types, overload.scalars, strict=True)):
        if not scalar and fhe_type is not common and not (name == "select" and i == 0):
            values[i] = yield from _compute(evaluator, "cast", common, [values[i]])
    if overload.scalars[0]:
        left, right = values
        name = _MIRRORED.get(name, name)
        values = [evaluator.trivial(left, common), right] if name == "sub" else [right, left]
    return (yield from _compute(evaluator, name, overload.result, values))


def _compute(
    evaluator: Evaluator, name: str, result: FheType, operands: Sequence[Ciphertext | int]
) -> Computation:
    return evaluator.compute(operation(name, result), operands)


def operation(name: str, result: FheType) -> Operation:
    """An operation that no chain has asked for: its handle tells the type of the result only."""
    return Operation(name, (), Handle(bytes(30) + bytes([result, 0])), "")
