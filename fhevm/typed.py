"""JSON from outside becomes typed values here, and nowhere else in this package.

Nothing is guessed: a handle is `0x` and 64 hexadecimal digits, a bool is no number, a float never one. Every
text and list has a bound, so that what a value costs is bounded by the size of its JSON.
"""

import json
import re
from base64 import b64decode, b64encode
from binascii import Error as NoBase64
from typing import Annotated, Any, Self

from eth_utils.address import is_address, to_checksum_address
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    ValidationError,
)
from pydantic.alias_generators import to_camel

from fhevm.errors import MalformedHandle, MalformedRequest, ServiceError, TooLarge
from fhevm.handles import Handle

MAX_BYTES = 1 << 20  # of one value in hexadecimal
_WORDS = 300  # characters of an error's text
_DECIMAL = re.compile(r"[0-9]{1,78}", re.ASCII)
_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]{1,64}", re.ASCII)
_ADDRESS = re.compile(r"0x[0-9a-fA-F]{40}", re.ASCII)
_HEX = re.compile(r"(0x)?([0-9a-fA-F]{2})*", re.ASCII)


def read_json(text: bytes | str) -> Any:
    """The value of a JSON text. Raises ValueError: also for a name that is there twice, NaN and infinity."""
    try:
        return json.loads(
            text, object_pairs_hook=_once, parse_constant=_no_number, parse_float=_finite
        )
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name is there twice")
    return found


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no number")


def _finite(text: str) -> float:
    if (number := float(text)) in (float("inf"), float("-inf")):
        raise ValueError("a number is too large")
    return number


def _handle(value: object) -> Handle:
    try:
        return Handle.parse(value)
    except MalformedHandle:
        raise ValueError("not a handle") from None


def _address(value: object) -> str:
    if not isinstance(value, str) or not _ADDRESS.fullmatch(value) or not is_address(value):
        raise ValueError("not an address")
    return to_checksum_address(value)


def _number(value: object) -> object:
    if not isinstance(value, str):
        return value
    if _DECIMAL.fullmatch(value):
        return int(value)
    if _HEXADECIMAL.fullmatch(value):
        return int(value, 16)
    raise ValueError("not a number")


def _bytes(value: object) -> bytes:
    if isinstance(value, bytes):
        return value
    if not isinstance(value, str) or not _HEX.fullmatch(value):
        raise ValueError("not hexadecimal")
    return bytes.fromhex(value.removeprefix("0x"))


def _base64(value: object) -> bytes:
    if isinstance(value, bytes):
        return value
    if not isinstance(value, str):
        raise ValueError("not base64")
    try:
        return b64decode(value, validate=True)
    except NoBase64:
        raise ValueError("not base64") from None


_TO_HEX = PlainSerializer(lambda value: "0x" + bytes(value).hex())
HexBytes = Annotated[bytes, BeforeValidator(_bytes), Field(max_length=MAX_BYTES), _TO_HEX]
Base64 = Annotated[
    bytes,
    BeforeValidator(_base64),
    Field(max_length=16 * MAX_BYTES),
    PlainSerializer(lambda value: b64encode(value).decode()),
]
Address = Annotated[str, BeforeValidator(_address)]
HandleField = Annotated[Handle, BeforeValidator(_handle), _TO_HEX]
Uint = Annotated[int, BeforeValidator(_number), Field(ge=0, lt=1 << 256), PlainSerializer(str)]
Word = Annotated[str, Field(max_length=64, pattern=r"^[A-Za-z0-9._-]+$")]
Listed = Field(strict=False)
"""For a tuple, which JSON writes as a list; what is in it stays strict."""


class Typed(BaseModel):
    """What all messages and files share. Names are camelCase in JSON."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        arbitrary_types_allowed=True,
        frozen=True,
        strict=True,
    )

    @classmethod
    def parse(cls, value: Any) -> Self:
        """From what JSON says. Raises TooLarge beyond a bound, else MalformedRequest; both name the field."""
        try:
            return cls.model_validate(value)
        except ValidationError as error:
            raise _refusal(error) from None

    @classmethod
    def read(cls, text: bytes | str) -> Self:
        """From JSON text. Raises as `parse` does."""
        try:
            value = read_json(text)
        except ValueError as error:
            raise MalformedRequest(f"the body is no JSON: {_plain(str(error))}") from None
        return cls.parse(value)

    def to_json(self) -> dict[str, Any]:
        """The inverse of `parse`."""
        return self.model_dump(by_alias=True, exclude_none=True)


def _refusal(error: ValidationError) -> ServiceError:
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    place = ".".join(map(str, first["loc"])) or "request"
    kind = TooLarge if first["type"].endswith("too_long") else MalformedRequest
    return kind(_plain(f"{place}: {first['msg']}"))


def _plain(words: str) -> str:
    """Short, and without what no answer can carry (such as half a surrogate pair)."""
    return words[:_WORDS].encode("ascii", "backslashreplace").decode()
