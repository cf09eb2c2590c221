"""Requests to the gateway, in the relayer's JSON: parsing checks every field before anything acts on it.

Field names on the wire are camelCase; bytes are hexadecimal with or without 0x, numbers may be text.
"""

from typing import Annotated, Any, Self

from eth_utils.address import is_address, to_checksum_address
from pydantic import (
    AliasChoices,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    ValidationError,
)
from pydantic.alias_generators import to_camel

from fhevm.eip712 import EXTRA_DATA, SIGNATURE_BYTES
from fhevm.errors import MalformedHandle, MalformedRequest
from fhevm.handles import Handle
from fhevm.hpke import KEY_BYTES


def _bytes(value: Any) -> Any:
    try:
        return bytes.fromhex(value.removeprefix("0x")) if isinstance(value, str) else value
    except ValueError:
        raise ValueError("not hexadecimal") from None


def _address(value: Any) -> str:
    if not isinstance(value, str) or not is_address(value):
        raise ValueError("not an address")
    return to_checksum_address(value)


def _handle(value: Any) -> Handle:
    try:
        return Handle.parse(value)
    except (MalformedHandle, TypeError):
        raise ValueError("not a handle") from None


def _number(value: Any) -> Any:
    try:
        return int(value, 0) if isinstance(value, str) else value
    except ValueError:
        raise ValueError("not a number") from None


def _extra_data(value: bytes) -> bytes:
    if value != EXTRA_DATA:
        raise ValueError("this gateway takes extraData 0x00 only")
    return value


_TO_HEX = PlainSerializer(lambda value: "0x" + bytes(value).hex())
HexBytes = Annotated[bytes, BeforeValidator(_bytes), _TO_HEX]
Address = Annotated[str, BeforeValidator(_address)]
HandleField = Annotated[Handle, BeforeValidator(_handle), _TO_HEX]
Uint = Annotated[int, BeforeValidator(_number), Field(ge=0, lt=1 << 256), PlainSerializer(str)]
ExtraData = Annotated[HexBytes, BeforeValidator(lambda value: _extra_data(_bytes(value)))]

_READER = AliasChoices("userAddress", "delegateAddress", "user_address")


class Message(BaseModel):
    """What all messages share."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        arbitrary_types_allowed=True,
        frozen=True,
    )

    @classmethod
    def parse(cls, payload: Any) -> Self:
        """From a JSON object. Raises MalformedRequest, which names the field."""
        try:
            return cls.model_validate(payload)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False, include_context=False)[0]
            place = ".".join(map(str, first["loc"])) or "request"
            raise MalformedRequest(f"{place}: {first['msg']}") from None

    def to_json(self) -> dict[str, Any]:
        """The inverse of `parse`."""
        return self.model_dump(by_alias=True, exclude_none=True)


class Request(Message):
    """A request of the relayer's API."""

    extra_data: ExtraData = EXTRA_DATA


class InputProofRequest(Request):
    """Attest an encrypted input of `user_address` for `contract_address`."""

    contract_address: Address
    user_address: Address
    contract_chain_id: Uint
    ciphertext_with_input_verification: HexBytes


class PublicDecryptRequest(Request):
    """Decrypt what is allowed for everybody."""

    ciphertext_handles: tuple[HandleField, ...] = Field(min_length=1)


class HandleContractPair(Message):
    """A handle, and the contract through which its reader may read it."""

    handle: HandleField
    contract_address: Address


class RequestValidity(Message):
    """From when (seconds since 1970) and for how many days."""

    start_timestamp: Uint
    duration_days: Uint


class UserDecryptRequest(Request):
    """Re-encrypt values to `public_key`, signed by `user_address`.

    With `delegator_address` the values are the delegator's, and `user_address` is his delegate.
    """

    handle_contract_pairs: tuple[HandleContractPair, ...] = Field(min_length=1)
    request_validity: RequestValidity
    contracts_chain_id: Uint
    contract_addresses: tuple[Address, ...]
    user_address: Annotated[Address, Field(validation_alias=_READER)]
    delegator_address: Address | None = None
    public_key: Annotated[HexBytes, Field(min_length=KEY_BYTES, max_length=KEY_BYTES)]
    signature: Annotated[HexBytes, Field(min_length=SIGNATURE_BYTES, max_length=SIGNATURE_BYTES)]

    @property
    def handles(self) -> list[Handle]:
        """The handles, in order."""
        return [pair.handle for pair in self.handle_contract_pairs]

    @property
    def owner(self) -> str:
        """Whose values are read."""
        return self.delegator_address or self.user_address
