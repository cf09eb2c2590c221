"""Encrypted inputs: the mock of the zero-knowledge proof.

The client encrypts deterministically from 32 random bytes ρ and seals (ρ, values) to the KMS, bound to
contract, user, ACL and chain. The KMS opens the sealing, encrypts again and compares byte for byte.
That gives what the real proof gives (the sender knows the values, they are in range, the noise is
honest, nobody can move, shift or add to the ciphertext), but it shows the KMS the plaintext.

blob    = length of ciphertext (4) ‖ ciphertext ‖ sealing; it is what the handles name
sealing = HPKE(ρ (32) ‖ for each value: type (1) ‖ value (big-endian, whole bytes))
"""

import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from eth_utils.address import to_canonical_address
from eth_utils.crypto import keccak

from fhevm import hpke
from fhevm.backends.base import Encryptor, Plaintext
from fhevm.eip712 import Domains
from fhevm.errors import InputRefused, SealingBroken, TooLarge
from fhevm.handles import Handle
from fhevm.types import FheType
from fhevm.wire import MAX_BLOB_BYTES

MAX_VALUES = 254
MAX_BITS = 2048
_SEED_BYTES = 32
_LENGTH_BYTES = 4
_INFO = b"fhevm input"


@dataclass(frozen=True)
class Binding:
    """For whom and for what an input is made; it is good for nothing else."""

    contract: str
    user: str
    domains: Domains

    @property
    def associated_data(self) -> bytes:
        """contract (20) ‖ user (20) ‖ ACL (20) ‖ chain id (32)."""
        addresses = (self.contract, self.user, self.domains.acl)
        chain_id = self.domains.chain_id.to_bytes(32)
        return b"".join(map(to_canonical_address, addresses)) + chain_id


def encrypt_input(
    values: Sequence[Plaintext], binding: Binding, encryptor: Encryptor, kms: bytes
) -> bytes:
    """The blob of an input: `kms` is the KMS's HPKE public key.

    Raises InputRefused for a value out of its type's range or no value at all, TooLarge for more
    than 254 values or 2,048 bits.
    """
    check_values(values)
    seed = secrets.token_bytes(_SEED_BYTES)
    ciphertext = encryptor.encrypt(values, seed)
    sealing = hpke.seal(kms, seed + _pack(values), info=_INFO, associated=binding.associated_data)
    return len(ciphertext).to_bytes(_LENGTH_BYTES) + ciphertext + sealing


def open_input(
    blob: bytes, binding: Binding, encryptor: Encryptor, private: bytes
) -> list[FheType]:
    """The types of an honest input: `private` is the KMS's HPKE key.

    Raises InputRefused where the blob is malformed, sealed for another binding, out of range, or
    its ciphertext is not the one that its seed gives; TooLarge beyond the limits.
    """
    ciphertext, sealing = split_blob(blob)
    try:
        message = hpke.unseal(private, sealing, info=_INFO, associated=binding.associated_data)
    except SealingBroken as error:
        raise InputRefused(f"sealing: {error}") from None
    values = _unpack(message[_SEED_BYTES:])
    check_values(values)
    if not hmac.compare_digest(encryptor.encrypt(values, message[:_SEED_BYTES]), ciphertext):
        raise InputRefused("the ciphertext is not the one that was sealed")
    return [fhe_type for fhe_type, _ in values]


def split_blob(blob: bytes) -> tuple[bytes, bytes]:
    """Ciphertext and sealing. Raises InputRefused, TooLarge."""
    if len(blob) > MAX_BLOB_BYTES:
        raise TooLarge(f"an input has at most {MAX_BLOB_BYTES} bytes")
    end = _LENGTH_BYTES + int.from_bytes(blob[:_LENGTH_BYTES])
    if len(blob) < end + hpke.OVERHEAD + _SEED_BYTES:
        raise InputRefused("shorter than its parts")
    return blob[_LENGTH_BYTES:end], blob[end:]


def input_handles(blob: bytes, types: Sequence[FheType], domains: Domains) -> list[Handle]:
    """The handles of an input's values, in order."""
    content = keccak(b"ZK-w_rct" + blob)
    place = to_canonical_address(domains.acl) + domains.chain_id.to_bytes(32)
    return [
        Handle(
            keccak(b"ZK-w_hdl" + content + bytes([index]) + place)[:21]
            + bytes([index])
            + domains.chain_id.to_bytes(8)
            + bytes([fhe_type, 0])
        )
        for index, fhe_type in enumerate(types)
    ]


def check_values(values: Sequence[Plaintext]) -> None:
    """Raises InputRefused, TooLarge where `values` make no input."""
    if not values:
        raise InputRefused("no value")
    if len(values) > MAX_VALUES:
        raise TooLarge(f"an input has at most {MAX_VALUES} values")
    if sum(fhe_type.bits for fhe_type, _ in values) > MAX_BITS:
        raise TooLarge(f"an input has at most {MAX_BITS} bits")
    for index, (fhe_type, value) in enumerate(values):
        if not 0 <= value < fhe_type.modulus:
            raise InputRefused(f"value {index} is not a {fhe_type}")


def _width(fhe_type: FheType) -> int:
    return -(-fhe_type.bits // 8)


def _pack(values: Sequence[Plaintext]) -> bytes:
    return b"".join(
        bytes([fhe_type]) + value.to_bytes(_width(fhe_type)) for fhe_type, value in values
    )


def _unpack(packed: bytes) -> list[Plaintext]:
    values = []
    while packed:
        try:
            fhe_type = FheType(packed[0])
        except ValueError:
            raise InputRefused("a value of an unknown type") from None
        end = 1 + _width(fhe_type)
        if len(packed) < end:
            raise InputRefused("the last value is cut off")
        values.append((fhe_type, int.from_bytes(packed[1:end])))
        packed = packed[end:]
    return values
