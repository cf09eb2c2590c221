"""The client: encrypts inputs, reads values, fetches public decryptions. It holds no key but its own.

The same over HTTP (`FhevmClient.connect(url)`) and in process (`FhevmClient(gateway)`): it trusts the
gateway with nothing that it can check, so every answer's signature is checked against the public keys.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from eth_account.signers.local import LocalAccount
from eth_utils.address import to_checksum_address
from web3 import Web3

from fhevm.addresses import GatewayDomain
from fhevm.backends import get_backend
from fhevm.backends.base import Encryptor, Plaintext
from fhevm.delegation import delegate_reading
from fhevm.eip712 import Domains, decryption_proof, input_proof, proof_signatures, recover
from fhevm.errors import MalformedProof, ProofInvalid
from fhevm.handles import Handle
from fhevm.inputs import Binding, encrypt_input, input_handles
from fhevm.keys import PublicKeys
from fhevm.kms import WORD_BYTES, split_words, unseal_words
from fhevm.permits import Permit
from fhevm.pins import check_host, check_known, check_pinned
from fhevm.transports import Http, Transport
from fhevm.types import FheType
from fhevm.wire import (
    MAX_HANDLES,
    HandleContractPair,
    InputAnswer,
    InputProofRequest,
    KeyMaterial,
    PublicAnswer,
    PublicDecryptRequest,
    ShownClock,
    UserAnswer,
)

Name = Handle | bytes | str  # a handle as callers have it
Value = int | bool


@dataclass(frozen=True)
class EncryptedInput:
    """What a contract's `fromExternal(handle, proof)` takes."""

    handles: list[bytes]
    proof: bytes


@dataclass(frozen=True)
class PublicDecryption:
    """What a contract's `FHE.checkSignatures(handles, abi_encoded, proof)` takes, and the values."""

    handles: list[bytes]
    cleartexts: list[Value]
    abi_encoded: bytes
    proof: bytes


class FhevmClient:
    """Talks to one gateway. Raises ServiceError, and ProofInvalid where an answer is not signed."""

    def __init__(
        self,
        gateway: Transport,
        *,
        fingerprint: str | None = None,
        encryptor: Encryptor | None = None,
    ) -> None:
        """`fingerprint`: of the only public key to accept; `encryptor`: one that is already loaded.

        Raises KeyChanged where the gateway's key is another.
        """
        self._gateway = gateway
        material = KeyMaterial.parse(gateway.key_material())
        self.public = PublicKeys.of(material.public_keys)
        check_pinned(self.public, fingerprint)
        self.domains = _domains(material)
        self._encryptor = encryptor

    @classmethod
    def connect(
        cls,
        url: str,
        *,
        fingerprint: str | None = None,
        known_keys: Path | None = None,
        w3: Web3 | None = None,
    ) -> Self:
        """A gateway over HTTP. `known_keys` is a file that remembers each URL's first key.

        `w3`: a chain whose host contracts must accept the gateway's signers.
        Raises KeyChanged, HostError, Unavailable.
        """
        client = cls(Http(url), fingerprint=fingerprint)
        if w3 is not None:
            check_host(client.public, client.domains, w3)
        if known_keys is not None:
            check_known(client.public, url, known_keys)
        return client

    # -- inputs --------------------------------------------------------------------------------------

    def encrypt(self, contract: str, user: str) -> "InputBuilder":
        """Start an input that `user` will send to `contract`; it is good for nothing else."""
        binding = Binding(to_checksum_address(contract), to_checksum_address(user), self.domains)
        return InputBuilder(self, binding)

    def attest(self, values: Sequence[Plaintext], binding: Binding) -> EncryptedInput:
        """Encrypt here, have it attested there. Raises InputRefused, TooLarge."""
        blob = encrypt_input(values, binding, self._loaded_encryptor(), self.public.hpke)
        handles = input_handles(blob, [fhe_type for fhe_type, _ in values], self.domains)
        request = InputProofRequest(
            contract_address=binding.contract,
            user_address=binding.user,
            contract_chain_id=self.domains.chain_id,
            ciphertext_with_input_verification=blob,
        )
        answer = self._gateway.answer("input-proof", request.to_json())
        signatures = InputAnswer.parse(answer).signatures
        message = self.domains.ciphertext_verification(handles, binding.user, binding.contract)
        _check_signers(message, signatures, [self.public.attestation_signer])
        return EncryptedInput(
            [bytes(handle) for handle in handles], input_proof(handles, signatures)
        )

    def _loaded_encryptor(self) -> Encryptor:
        if self._encryptor is None:
            self._encryptor = get_backend(self.public.backend).encryptor(self.public.fhe)
        return self._encryptor

    # -- reading -------------------------------------------------------------------------------------

    def permit(
        self,
        account: LocalAccount,
        contracts: Sequence[str],
        *,
        days: int = 1,
        start: int | None = None,
        delegator: str | None = None,
    ) -> Permit:
        """One signature for many reads through 1–10 `contracts`, for 1–365 days.

        `start` is in seconds of the chain's clock (now, where not given). With a `delegator`, the
        values are theirs, and they have delegated reading them to `account`.
        """
        begin = ShownClock.parse(self._gateway.clock()).timestamp if start is None else start
        return Permit.sign(
            account, self.domains, contracts, start=begin, days=days, delegator=delegator
        )

    def user_decrypt(
        self,
        handles: Sequence[Name],
        contract: str,
        account: LocalAccount,
        *,
        delegator: str | None = None,
    ) -> list[Value]:
        """The values that `account` (or the `delegator`) and `contract` are both allowed to read."""
        return self.read(self.permit(account, [contract], delegator=delegator), handles, contract)

    def read(self, permit: Permit, handles: Sequence[Name], contract: str) -> list[Value]:
        """Read with a permit that was signed before: in several requests where there are many handles."""
        parsed = [Handle.parse(handle) for handle in handles]
        if len(parsed) <= MAX_HANDLES:
            return self._read(permit, parsed, contract)
        parts = [parsed[at : at + MAX_HANDLES] for at in range(0, len(parsed), MAX_HANDLES)]
        return [value for part in parts for value in self._read(permit, part, contract)]

    def _read(self, permit: Permit, parsed: Sequence[Handle], contract: str) -> list[Value]:
        request = permit.request(
            [
                HandleContractPair.parse({"handle": each, "contract_address": contract})
                for each in parsed
            ],
            self.domains.chain_id,
        )
        kind = "delegated-user-decrypt" if permit.delegator else "user-decrypt"
        answer = UserAnswer.parse(self._gateway.answer(kind, request.to_json()))
        sealing = answer.payload
        message = self.domains.user_decrypt_response(permit.public_key, parsed, sealing)
        _check_signers(message, answer.signatures, [self.public.kms_signer])
        return _typed(parsed, unseal_words(request, permit.private_key, sealing))

    def public_decrypt(self, handles: Sequence[Name]) -> PublicDecryption:
        """The values of publicly decryptable handles, with the proof that a contract checks."""
        parsed = [Handle.parse(handle) for handle in handles]
        request = PublicDecryptRequest.parse({"ciphertext_handles": tuple(parsed)})
        answer = PublicAnswer.parse(self._gateway.answer("public-decrypt", request.to_json()))
        result = answer.decrypted_value
        proof = decryption_proof(answer.signatures)
        values = _typed(parsed, split_words(result))
        verify_public_decryption(handles, values, proof, [self.public.kms_signer], self.domains)
        return PublicDecryption([bytes(handle) for handle in parsed], values, result, proof)

    def delegate(
        self, w3: Web3, account: LocalAccount, delegate: str, contract: str, until: int
    ) -> None:
        """Let `delegate` read what `account` may read through `contract`, until a time (seconds).

        A transaction of `account`; `until` is at least an hour ahead. Raises RevertedWith.
        """
        delegate_reading(
            w3, self.domains.acl, account, delegate=delegate, contract=contract, until=until
        )


class InputBuilder:
    """Collects the values of one input; at most 254 values and 2,048 bits."""

    def __init__(self, client: FhevmClient, binding: Binding) -> None:
        self._client = client
        self._binding = binding
        self._values: list[Plaintext] = []

    def add(self, fhe_type: FheType, value: int) -> Self:
        """Add a value of any type; addresses as numbers."""
        self._values.append((fhe_type, value))
        return self

    def add_bool(self, value: bool) -> Self:
        """Add an ebool."""
        return self.add(FheType.EBOOL, int(value))

    def add_uint8(self, value: int) -> Self:
        """Add a euint8."""
        return self.add(FheType.EUINT8, value)

    def add_uint16(self, value: int) -> Self:
        """Add a euint16."""
        return self.add(FheType.EUINT16, value)

    def add_uint32(self, value: int) -> Self:
        """Add a euint32."""
        return self.add(FheType.EUINT32, value)

    def add_uint64(self, value: int) -> Self:
        """Add a euint64."""
        return self.add(FheType.EUINT64, value)

    def add_uint128(self, value: int) -> Self:
        """Add a euint128."""
        return self.add(FheType.EUINT128, value)

    def add_address(self, value: str) -> Self:
        """Add an eaddress."""
        return self.add(FheType.EADDRESS, int(to_checksum_address(value), 16))

    def add_uint256(self, value: int) -> Self:
        """Add a euint256."""
        return self.add(FheType.EUINT256, value)

    def encrypt(self) -> EncryptedInput:
        """Handles in the order of adding, and one proof for all. Raises InputRefused, TooLarge."""
        return self._client.attest(self._values, self._binding)


def verify_public_decryption(
    handles: Sequence[Name],
    cleartexts: Sequence[Value],
    proof: bytes,
    signers: Sequence[str],
    domains: Domains,
) -> None:
    """Check offline what KMSVerifier checks on chain (threshold: all of `signers`). Raises ProofInvalid."""
    parsed = [Handle.parse(handle) for handle in handles]
    if len(parsed) != len(cleartexts):
        raise ProofInvalid("not one value for each handle")
    try:
        result = b"".join(int(value).to_bytes(WORD_BYTES) for value in cleartexts)
        signatures = proof_signatures(proof)
    except (OverflowError, MalformedProof) as error:
        raise ProofInvalid(str(error)) from None
    _check_signers(domains.public_decrypt_verification(parsed, result), signatures, signers)


def _check_signers(message: Any, signatures: Sequence[bytes], signers: Sequence[str]) -> None:
    try:
        found = {recover(message, signature) for signature in signatures}
    except MalformedProof as error:
        raise ProofInvalid(str(error)) from None
    if found != set(signers):
        raise ProofInvalid(f"signed by {sorted(found)}, not by {sorted(signers)}")


def _typed(handles: Sequence[Handle], values: Sequence[int]) -> list[Value]:
    if len(handles) != len(values):
        raise ProofInvalid("not one value for each handle")
    return [
        bool(value) if handle.type is FheType.EBOOL else value
        for handle, value in zip(handles, values, strict=True)
    ]


def _domains(material: KeyMaterial) -> Domains:
    gateway = GatewayDomain(
        chain_id=material.gateway_chain_id,
        decryption=material.decryption,
        input_verification=material.input_verification,
    )
    return Domains(material.chain_id, material.acl, gateway)
