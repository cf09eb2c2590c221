"""The key management service: the one part that can decrypt, and the checks before it does.

It takes ciphertexts from the gateway's word (as the real one takes them from the coprocessors), but
asks the chain by itself who may read them: every check of one request is made at one block, the newest
when it comes in, and by that block's clock, since the ACL's own dates go by it too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, Self

from eth_utils.address import to_canonical_address

from fhevm import hpke
from fhevm.acl import Acl, Moment, Question, is_delegated, is_public, may_read
from fhevm.backends.base import Backend
from fhevm.eip712 import Domains, recover, sign
from fhevm.errors import (
    MalformedCiphertext,
    MalformedProof,
    MalformedRequest,
    NotAllowed,
    RequestExpired,
    RequestTooEarly,
    SealingBroken,
    SignatureRefused,
    TooLarge,
)
from fhevm.handles import Handle
from fhevm.inputs import Binding, open_input
from fhevm.keys import KmsKeys
from fhevm.types import FheType
from fhevm.wire import HandleContractPair, UserDecryptRequest

MAX_BITS = 2048
MAX_DAYS = 365
DAY_SECONDS = 86_400
WORD_BYTES = 32
_INFO = b"fhevm user decryption"


@dataclass(frozen=True)
class Answer:
    """A result and the KMS's signature (65 bytes) on it.

    Of a public decryption: one ABI word per handle. Of a user decryption: these words, sealed.
    """

    result: bytes
    signature: bytes


class KmsService(Protocol):
    """What the gateway asks of the KMS, in this process or another. All raise ServiceError."""

    def verify_input(self, blob: bytes, user: str, contract: str) -> list[FheType]:
        """The types in an honest input of `user` for `contract`."""
        ...

    def authorize_public(self, handles: Sequence[Handle]) -> None:
        """Check that everybody may read these."""
        ...

    def public_decrypt(self, handles: Sequence[Handle], ciphertexts: Sequence[bytes]) -> Answer:
        """Decrypt them, after the same check."""
        ...

    def authorize_user(self, request: UserDecryptRequest) -> None:
        """Check that the request is in order and its sender may read what it names."""
        ...

    def user_decrypt(self, request: UserDecryptRequest, ciphertexts: Sequence[bytes]) -> Answer:
        """Decrypt and seal to the request's public key, after the same checks."""
        ...


class Kms:
    """The service itself."""

    def __init__(self, keys: KmsKeys, backend: Backend, acl: Acl, domains: Domains) -> None:
        self._keys = keys
        self._encryptor = backend.encryptor(keys.public.fhe)
        self._decryptor = backend.decryptor(keys.secret)
        self._acl = acl
        self._domains = domains

    def verify_input(self, blob: bytes, user: str, contract: str) -> list[FheType]:
        """See KmsService. Raises InputRefused, TooLarge."""
        binding = Binding(contract, user, self._domains)
        return open_input(blob, binding, self._encryptor, self._keys.hpke)

    def authorize_public(self, handles: Sequence[Handle]) -> None:
        """See KmsService. Raises NotAllowed, TooLarge, MalformedRequest."""
        _check_handles(handles, self._domains)
        questions = {handle: is_public(handle) for handle in handles}
        granted = self._acl.granted(list(questions.values()), self._acl.now())
        for handle, question in questions.items():
            if question not in granted:
                raise NotAllowed(f"{handle}: not made publicly decryptable")

    def public_decrypt(self, handles: Sequence[Handle], ciphertexts: Sequence[bytes]) -> Answer:
        """See KmsService. Raises as `authorize_public` does, and MalformedRequest."""
        self.authorize_public(handles)
        result = self._decrypt(handles, ciphertexts)
        message = self._domains.public_decrypt_verification(handles, result)
        return Answer(result, sign(message, self._keys.signer))

    def authorize_user(self, request: UserDecryptRequest) -> None:
        """See KmsService.

        Raises MalformedRequest, TooLarge, RequestExpired, RequestTooEarly, SignatureRefused, NotAllowed.
        """
        _check_form(request, self._domains)
        now = self._acl.now()
        _check_time(request, now)
        _check_signature(request, self._domains)
        readings = [_Reading.of(request, pair) for pair in request.handle_contract_pairs]
        questions = [question for reading in readings for question in reading.questions]
        granted = self._acl.granted(questions, now)
        for reading in readings:
            reading.check(granted)

    def user_decrypt(self, request: UserDecryptRequest, ciphertexts: Sequence[bytes]) -> Answer:
        """See KmsService. Raises as `authorize_user` does."""
        self.authorize_user(request)
        words = self._decrypt(request.handles, ciphertexts)
        sealing = seal_words(request, words)
        message = self._domains.user_decrypt_response(request.public_key, request.handles, sealing)
        return Answer(sealing, sign(message, self._keys.signer))

    def _decrypt(self, handles: Sequence[Handle], ciphertexts: Sequence[bytes]) -> bytes:
        """The ABI words of the values."""
        try:
            values = [
                self._decryptor.decrypt(data, handle.type)
                for handle, data in zip(handles, ciphertexts, strict=True)
            ]
        except (MalformedCiphertext, ValueError) as error:
            raise MalformedRequest(f"ciphertexts: {error}") from None
        return b"".join(value.to_bytes(WORD_BYTES) for value in values)


@dataclass(frozen=True)
class _Reading:
    """Who wants to read a handle through which contract: its owner, or their delegate."""

    handle: Handle
    contract: str
    owner: str
    delegate: str | None

    @classmethod
    def of(cls, request: UserDecryptRequest, pair: HandleContractPair) -> Self:
        delegate = request.user_address if request.delegator_address is not None else None
        return cls(pair.handle, pair.contract_address, request.owner, delegate)

    @property
    def questions(self) -> list[Question]:
        """What the ACL must say yes to."""
        readers = [may_read(self.handle, account) for account in (self.owner, self.contract)]
        if self.delegate is None:
            return readers
        return [*readers, is_delegated(self.owner, self.delegate, self.contract, self.handle)]

    def check(self, granted: set[Question]) -> None:
        """Raises NotAllowed, which says what is lacking."""
        lacking = [
            f"{role} {account}"
            for role, account in (("user", self.owner), ("contract", self.contract))
            if may_read(self.handle, account) not in granted
        ]
        if lacking:
            raise NotAllowed(f"{self.handle}: no FHE.allow for {' and '.join(lacking)}")
        if not granted.issuperset(self.questions):
            named = f"{self.owner} has not delegated {self.contract} to {self.delegate}"
            raise NotAllowed(f"{self.handle}: {named}")


def seal_words(request: UserDecryptRequest, words: bytes) -> bytes:
    """Seal values to the asker: it opens only for the same reader, handles and contracts.

    Raises MalformedRequest where the public key is not usable.
    """
    associated = _reading(request)
    try:
        return hpke.seal(request.public_key, words, info=_INFO, associated=associated)
    except SealingBroken as error:
        raise MalformedRequest(f"publicKey: {error}") from None


def unseal_words(request: UserDecryptRequest, private: bytes, sealing: bytes) -> list[int]:
    """The values in an answer to `request`. Raises SealingBroken."""
    words = hpke.unseal(private, sealing, info=_INFO, associated=_reading(request))
    return split_words(words)


def split_words(words: bytes) -> list[int]:
    """ABI words as numbers."""
    return [
        int.from_bytes(words[start : start + WORD_BYTES])
        for start in range(0, len(words), WORD_BYTES)
    ]


def _reading(request: UserDecryptRequest) -> bytes:
    """Who reads what through which contract: user (20) ‖ owner (20) ‖ (handle (32) ‖ contract (20))…"""
    readers = to_canonical_address(request.user_address) + to_canonical_address(request.owner)
    return readers + b"".join(
        bytes(pair.handle) + to_canonical_address(pair.contract_address)
        for pair in request.handle_contract_pairs
    )


def _check_handles(handles: Sequence[Handle], domains: Domains) -> None:
    if sum(handle.type.bits for handle in handles) > MAX_BITS:
        raise TooLarge(f"at most {MAX_BITS} bits are decrypted at once")
    for handle in handles:
        if handle.chain_id != domains.chain_id:
            raise MalformedRequest(f"{handle}: of chain {handle.chain_id}, not {domains.chain_id}")


def _check_form(request: UserDecryptRequest, domains: Domains) -> None:
    _check_handles(request.handles, domains)
    contracts = request.contract_addresses
    if not 1 <= request.request_validity.duration_days <= MAX_DAYS:
        raise MalformedRequest(f"durationDays: not 1 to {MAX_DAYS}")
    if request.contracts_chain_id != domains.chain_id:
        raise MalformedRequest(f"contractsChainId: not {domains.chain_id}")
    if {request.user_address, request.owner} & set(contracts):
        raise MalformedRequest("contractAddresses: the user is one of them")
    for pair in request.handle_contract_pairs:
        if pair.contract_address not in contracts:
            raise MalformedRequest(f"{pair.contract_address}: not among the signed contracts")


def _check_time(request: UserDecryptRequest, now: Moment) -> None:
    start = request.request_validity.start_timestamp
    end = start + request.request_validity.duration_days * DAY_SECONDS
    if now.timestamp < start:
        raise RequestTooEarly(f"valid from {start}; block {now.block} is of {now.timestamp}")
    if now.timestamp >= end:
        raise RequestExpired(f"valid until {end}; block {now.block} is of {now.timestamp}")


def _check_signature(request: UserDecryptRequest, domains: Domains) -> None:
    message = domains.user_decrypt_request(
        request.public_key,
        request.contract_addresses,
        request.request_validity.start_timestamp,
        request.request_validity.duration_days,
        request.delegator_address,
    )
    try:
        signer = recover(message, request.signature)
    except MalformedProof as error:
        raise SignatureRefused(str(error)) from None
    if signer != request.user_address:
        raise SignatureRefused(f"not signed by {request.user_address}, or for other contents")
