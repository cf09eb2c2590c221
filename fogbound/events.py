"""A contract's events as values, and their arguments in JSON: typed as the contract's own interface is.

In JSON every integer is a decimal string, and bytes are 0x-hexadecimal: as the web app's API and records
write them, exact in every language.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any

from eth_utils.address import is_checksum_address, to_checksum_address
from pydantic import AfterValidator, ConfigDict, Field, TypeAdapter, create_model

ArgumentTypes = Mapping[str, str]
"""The Solidity type of each argument by name."""
EventTypes = Mapping[str, ArgumentTypes]
"""The arguments of each event by name."""

MOST_BYTES = 1_024  # of an argument `bytes`
MOST_ITEMS = 4  # of an argument that is a list: one a seat


@dataclass(frozen=True)
class Event:
    """One event; `name` and `arguments` are the Solidity event's, `index` its place in the block, `time`
    the block's timestamp (seconds since 1970).
    """

    name: str
    arguments: Mapping[str, Any]
    block: int
    index: int
    transaction: str
    time: int

    @property
    def game_id(self) -> int | None:
        """The game that it is of; None where it is of an account."""
        found: int | None = self.arguments.get("id")
        return found


def parse_arguments(types: ArgumentTypes, content: Mapping[str, Any]) -> dict[str, Any]:
    """An event's arguments from JSON. Raises pydantic.ValidationError (a ValueError)."""
    found = _model(tuple(types.items())).validate_python(content)
    return {name: getattr(found, name) for name in types}


def to_json(value: Any) -> Any:
    """An argument in JSON: integers in decimal, bytes in hexadecimal."""
    if isinstance(value, Mapping):
        return {name: to_json(each) for name, each in value.items()}
    if isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return str(value)
    if isinstance(value, bytes):
        return "0x" + value.hex()
    return [to_json(each) for each in value]


def types_in(abi: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, str]]:
    """The events of a contract's interface."""
    return {
        entry["name"]: {given["name"]: given["type"] for given in entry["inputs"]}
        for entry in abi
        if entry["type"] == "event"
    }


@cache
def _model(types: tuple[tuple[str, str], ...]) -> TypeAdapter[Any]:
    fields: dict[str, Any] = {name: (_TYPES[solidity], ...) for name, solidity in types}
    config = ConfigDict(strict=True, extra="forbid")
    return TypeAdapter(create_model("Arguments", __config__=config, **fields))


def _integer(bits: int) -> Any:
    def parse(text: str) -> int:
        value = int(text)
        if value >> bits:
            raise ValueError(f"more than {bits} bits")
        return value

    return Annotated[str, Field(pattern=r"^(0|[1-9][0-9]*)$", max_length=78), AfterValidator(parse)]


def _word(size: int) -> Any:
    pattern = rf"^0x[0-9a-fA-F]{{{2 * size}}}$"
    return Annotated[
        str, Field(pattern=pattern), AfterValidator(lambda text: bytes.fromhex(text[2:]))
    ]


def parse_address(text: str) -> str:
    """The checksum form; lower case is accepted, a wrong checksum is not."""
    if text != text.lower() and not is_checksum_address(text):
        raise ValueError("an address with a wrong checksum")
    return to_checksum_address(text)


Address = Annotated[str, Field(pattern=r"^0x[0-9a-fA-F]{40}$"), AfterValidator(parse_address)]
_BYTES = Annotated[
    str,
    Field(pattern=r"^0x([0-9a-fA-F]{2})*$", max_length=2 + 2 * MOST_BYTES),
    AfterValidator(lambda text: bytes.fromhex(text[2:])),
]
_UINT256 = _integer(256)
_TYPES: dict[str, Any] = {
    "bool": bool,
    "address": Address,
    "bytes": _BYTES,
    "bytes16": _word(16),
    "bytes32": _word(32),
    "uint8": _integer(8),
    "uint256": _UINT256,
    "uint256[]": Annotated[list[_UINT256], Field(max_length=MOST_ITEMS)],  # type: ignore[valid-type]
}
