"""Who holds which key. Each role gets what it needs and nothing else.

| role        | holds                                            | folder        |
|-------------|--------------------------------------------------|---------------|
| KMS         | secret FHE key, its signer, HPKE private key     | `kms/`        |
| coprocessor | evaluation key, attestation signer               | `coprocessor/`|
| host owner  | the account that owns the ACL                    | `host/`       |
| everybody   | the public part, recognised by its fingerprint   | each of these |

`keyfiles` writes them to disk and reads them back.
"""

import hashlib
import json
import secrets
from dataclasses import dataclass, field
from typing import Any

from eth_account import Account

from fhevm import hpke
from fhevm.backends.base import Backend
from fhevm.errors import KeysDamaged, ServiceError
from fhevm.wire import ShownKeys

SEED_BYTES = 32
_CURVE_ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141


@dataclass(frozen=True)
class PublicKeys:
    """What everybody may know."""

    backend: str
    fhe: bytes = field(repr=False)
    hpke: bytes = field(repr=False)  # of the KMS
    kms_signer: str
    attestation_signer: str

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the whole public part, as hexadecimal text."""
        return hashlib.sha256(json.dumps(self.to_json(), sort_keys=True).encode()).hexdigest()

    def to_json(self) -> dict[str, str]:
        """As JSON values, bytes in hexadecimal."""
        return {
            "backend": self.backend,
            "fhe": self.fhe.hex(),
            "hpke": self.hpke.hex(),
            "kmsSigner": self.kms_signer,
            "attestationSigner": self.attestation_signer,
        }

    @classmethod
    def from_json(cls, data: Any) -> "PublicKeys":
        """The inverse of `to_json`. Raises KeysDamaged."""
        try:
            return cls.of(ShownKeys.parse(data))
        except ServiceError as error:
            raise KeysDamaged(f"not a public key: {error}") from None

    @classmethod
    def of(cls, shown: ShownKeys) -> "PublicKeys":
        """From what a gateway shows."""
        return cls(shown.backend, shown.fhe, shown.hpke, shown.kms_signer, shown.attestation_signer)


@dataclass(frozen=True)
class KmsKeys:
    """The trusted part: whoever holds these reads every encrypted value."""

    public: PublicKeys
    secret: bytes = field(repr=False)
    signer: bytes = field(repr=False)
    hpke: bytes = field(repr=False)


@dataclass(frozen=True)
class CoprocessorKeys:
    """What computing and attesting needs; decrypts nothing."""

    public: PublicKeys
    evaluation: bytes = field(repr=False)
    attestation: bytes = field(repr=False)


@dataclass(frozen=True)
class HostKeys:
    """The account that may upgrade the host contracts and replace signers."""

    public: PublicKeys
    owner: bytes = field(repr=False)


@dataclass(frozen=True)
class KeySet:
    """Every role's keys, as made together."""

    kms: KmsKeys
    coprocessor: CoprocessorKeys
    host: HostKeys

    @property
    def public(self) -> PublicKeys:
        """The part that all share."""
        return self.kms.public


def generate_keys(backend: Backend, seed: bytes | None = None) -> KeySet:
    """New keys for every role; the same again for the same 32-byte `seed` (tests and demos only)."""
    if seed is not None and len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes")
    root = seed or secrets.token_bytes(SEED_BYTES)
    fhe = backend.generate_keys(_derive(root, "fhe") if seed else None)
    kms_signer, attestation, owner = (
        _account_key(root, role) for role in ("kms signer", "attestation signer", "host owner")
    )
    hpke_private = _derive(root, "hpke")
    public = PublicKeys(
        backend=backend.name,
        fhe=fhe.public,
        hpke=hpke.public_key(hpke_private),
        kms_signer=address_of(kms_signer),
        attestation_signer=address_of(attestation),
    )
    return KeySet(
        KmsKeys(public, fhe.secret, kms_signer, hpke_private),
        CoprocessorKeys(public, fhe.evaluation, attestation),
        HostKeys(public, owner),
    )


def address_of(private_key: bytes) -> str:
    """The checksummed address of an account's private key."""
    return str(Account.from_key(private_key).address)


def _derive(root: bytes, purpose: str) -> bytes:
    return hashlib.shake_256(b"fhevm keys: " + purpose.encode() + b"\0" + root).digest(SEED_BYTES)


def _account_key(root: bytes, purpose: str) -> bytes:
    number = int.from_bytes(_derive(root, purpose)) % (_CURVE_ORDER - 1) + 1
    return number.to_bytes(32)
