"""What goes over HTTP: requests to the gateway in the relayer's JSON, and the answers to them.

Bytes are hexadecimal with or without 0x, numbers may be text. Names that are not here mean nothing in a
request, since the relayer's own clients send more than this gateway takes.
"""

from typing import Annotated, Any, Self

from pydantic import (
    AfterValidator,
    AliasChoices,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
)

from fhevm.eip712 import EXTRA_DATA, SIGNATURE_BYTES
from fhevm.errors import ServiceError, Unavailable
from fhevm.handles import Handle
from fhevm.hpke import KEY_BYTES
from fhevm.typed import Address, Base64, HandleField, HexBytes, Listed, Typed, Uint, Word
from fhevm.types import FheType

MAX_HANDLES = 64
"""Handles of one request; at most 2,048 bits as well, which the KMS sees to."""
MAX_CONTRACTS = 10
MAX_BLOB_BYTES = 1 << 18
MAX_SIGNATURES = 32


def _no_extras(value: bytes) -> bytes:
    if value != EXTRA_DATA:
        raise ValueError("this gateway takes extraData 0x00 only")
    return value


def _type(value: object) -> FheType:
    if (
        isinstance(value, bool)
        or not isinstance(value, int)
        or value not in FheType._value2member_map_
    ):
        raise ValueError("not a type")
    return FheType(value)


ExtraData = Annotated[HexBytes, AfterValidator(_no_extras)]
Signature = Annotated[HexBytes, Field(min_length=SIGNATURE_BYTES, max_length=SIGNATURE_BYTES)]
PublicKey = Annotated[HexBytes, Field(min_length=KEY_BYTES, max_length=KEY_BYTES)]
Signatures = Annotated[
    tuple[Signature, ...], Listed, Field(min_length=1, max_length=MAX_SIGNATURES)
]
TypeByte = Annotated[FheType, BeforeValidator(_type), PlainSerializer(int)]
_READER = AliasChoices("userAddress", "delegateAddress", "user_address")


class Request(Typed):
    """A request of the relayer's API."""

    extra_data: ExtraData = EXTRA_DATA


class InputProofRequest(Request):
    """Attest an encrypted input of `user_address` for `contract_address`."""

    contract_address: Address
    user_address: Address
    contract_chain_id: Uint
    ciphertext_with_input_verification: Annotated[HexBytes, Field(max_length=MAX_BLOB_BYTES)]


class PublicDecryptRequest(Request):
    """Decrypt what is allowed for everybody."""

    ciphertext_handles: Annotated[
        tuple[HandleField, ...], Listed, Field(min_length=1, max_length=MAX_HANDLES)
    ]


class HandleContractPair(Typed):
    """A handle, and the contract through which its reader may read it."""

    handle: HandleField
    contract_address: Address


class RequestValidity(Typed):
    """From when (seconds since 1970) and for how many days."""

    start_timestamp: Uint
    duration_days: Uint


class UserDecryptRequest(Request):
    """Re-encrypt values to `public_key`, signed by `user_address`.

    With `delegator_address` the values are the delegator's, and `user_address` is their delegate.
    """

    handle_contract_pairs: Annotated[
        tuple[HandleContractPair, ...], Listed, Field(min_length=1, max_length=MAX_HANDLES)
    ]
    request_validity: RequestValidity
    contracts_chain_id: Uint
    contract_addresses: Annotated[
        tuple[Address, ...], Listed, Field(min_length=1, max_length=MAX_CONTRACTS)
    ]
    user_address: Annotated[Address, Field(validation_alias=_READER)]
    delegator_address: Address | None = None
    public_key: PublicKey
    signature: Signature

    @property
    def handles(self) -> list[Handle]:
        """The handles, in order."""
        return [pair.handle for pair in self.handle_contract_pairs]

    @property
    def owner(self) -> str:
        """Whose values are read."""
        return self.delegator_address or self.user_address


class DelegatedUserDecryptRequest(UserDecryptRequest):
    """The same, where somebody must have delegated."""

    delegator_address: Address


# -- what a server answers ---------------------------------------------------------------------------


class Reply(Typed):
    """What a client reads of a server, which it does not trust to be one."""

    @classmethod
    def parse(cls, value: Any) -> Self:
        """From what JSON says. Raises Unavailable, which names the field."""
        try:
            return super().parse(value)
        except ServiceError as error:
            raise Unavailable(f"no answer of this protocol: {error}") from None


class ShownKeys(Reply):
    """The public keys as JSON has them; `keys.PublicKeys` takes them apart."""

    backend: Word
    fhe: HexBytes
    hpke: PublicKey
    kms_signer: Address
    attestation_signer: Address


class KeyMaterial(Reply):
    """Public keys, and the domains that signatures are made for."""

    public_keys: ShownKeys
    chain_id: Annotated[Uint, Field(lt=1 << 64)]
    acl: Address
    gateway_chain_id: Uint
    decryption: Address
    input_verification: Address


class ShownClock(Reply):
    """The newest block and its time (seconds since 1970)."""

    block: Uint
    timestamp: Uint


class JobId(Reply):
    """What names a job."""

    job_id: Word


class Queued(Reply):
    """A job was made."""

    result: JobId


class Finished(Reply):
    """A job's result, which each kind reads for itself."""

    result: dict[str, Any]


class InputAnswer(Reply):
    """Signatures on an input's handles."""

    signatures: Signatures


class PublicAnswer(Reply):
    """The ABI words of public values, signed."""

    decrypted_value: HexBytes
    signatures: Signatures


class UserAnswer(Reply):
    """Values sealed to their reader, signed."""

    payload: HexBytes
    signatures: Signatures


class Fault(Reply):
    """What is wrong, by the name of its error."""

    label: Word
    message: Annotated[str, Field(max_length=4096)]


class Failed(Reply):
    """A request that came to nothing."""

    error: Fault


# -- between the gateway and the KMS -----------------------------------------------------------------


class Question(Typed):
    """What the gateway asks of the KMS: this package's own protocol, so that every name is known."""

    model_config = ConfigDict(extra="forbid")


Ciphertexts = Annotated[tuple[Base64, ...], Listed, Field(max_length=MAX_HANDLES)]


class InputQuestion(Question):
    """An input to verify."""

    blob: Annotated[Base64, Field(max_length=MAX_BLOB_BYTES)]
    user: Address
    contract: Address


class PublicQuestion(Question):
    """A public decryption; without ciphertexts only the permission is checked."""

    handles: Annotated[tuple[HandleField, ...], Listed, Field(max_length=MAX_HANDLES)]
    ciphertexts: Ciphertexts | None = None


class UserQuestion(Question):
    """A user decryption; without ciphertexts only the permission is checked."""

    request: UserDecryptRequest
    ciphertexts: Ciphertexts | None = None


class InputTypes(Reply):
    """The types in an honest input."""

    types: Annotated[tuple[TypeByte, ...], Listed, Field(min_length=1, max_length=254)]


class Signed(Reply):
    """A decryption with the KMS's signature."""

    result: Base64
    signature: Annotated[Base64, Field(min_length=SIGNATURE_BYTES, max_length=SIGNATURE_BYTES)]
