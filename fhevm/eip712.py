"""The protocol's signed messages (EIP-712), and the two proofs that carry their signatures.

The domains name contracts of the gateway chain, which is another than the one that games are on.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from eth_account import Account
from eth_account.messages import SignableMessage, encode_typed_data

from fhevm.addresses import LOCAL, LOCAL_CHAIN_ID, LOCAL_GATEWAY, GatewayDomain
from fhevm.errors import MalformedProof
from fhevm.handles import Handle

EXTRA_DATA = b"\x00"  # the version byte of a payload without extras
SIGNATURE_BYTES = 65

_TYPES = {
    "CiphertextVerification": (
        "bytes32[] ctHandles,address userAddress,address contractAddress,"
        "uint256 contractChainId,bytes extraData"
    ),
    "PublicDecryptVerification": "bytes32[] ctHandles,bytes decryptedResult,bytes extraData",
    "UserDecryptRequestVerification": (
        "bytes publicKey,address[] contractAddresses,uint256 startTimestamp,"
        "uint256 durationDays,bytes extraData"
    ),
    "DelegatedUserDecryptRequestVerification": (
        "bytes publicKey,address[] contractAddresses,address delegatorAddress,"
        "uint256 startTimestamp,uint256 durationDays,bytes extraData"
    ),
    "UserDecryptResponseVerification": (
        "bytes publicKey,bytes32[] ctHandles,bytes userDecryptedShare,bytes extraData"
    ),
}


@dataclass(frozen=True)
class Domains:
    """Where messages are valid: the chain with its ACL, and the gateway."""

    chain_id: int = LOCAL_CHAIN_ID
    acl: str = LOCAL.acl
    gateway: GatewayDomain = LOCAL_GATEWAY

    def ciphertext_verification(
        self, handles: Sequence[Handle], user: str, contract: str
    ) -> SignableMessage:
        """The attestation that `user` made these inputs for `contract`."""
        message = {
            "ctHandles": [bytes(handle) for handle in handles],
            "userAddress": user,
            "contractAddress": contract,
            "contractChainId": self.chain_id,
            "extraData": EXTRA_DATA,
        }
        domain = _domain(
            "InputVerification", self.gateway.chain_id, self.gateway.input_verification
        )
        return _encode("CiphertextVerification", message, domain)

    def public_decrypt_verification(
        self, handles: Sequence[Handle], result: bytes
    ) -> SignableMessage:
        """The KMS's statement that `handles` hold the ABI words of `result`."""
        message = {
            "ctHandles": [bytes(handle) for handle in handles],
            "decryptedResult": result,
            "extraData": EXTRA_DATA,
        }
        return _encode("PublicDecryptVerification", message, self._gateway_decryption())

    def user_decrypt_request(
        self,
        public_key: bytes,
        contracts: Sequence[str],
        start: int,
        days: int,
        delegator: str | None = None,
    ) -> SignableMessage:
        """What a user signs to read their values; with a `delegator`, those that were delegated to them."""
        message = {
            "publicKey": public_key,
            "contractAddresses": list(contracts),
            "startTimestamp": start,
            "durationDays": days,
            "extraData": EXTRA_DATA,
        }
        domain = _domain("Decryption", self.chain_id, self.gateway.decryption)
        if delegator is None:
            return _encode("UserDecryptRequestVerification", message, domain)
        message["delegatorAddress"] = delegator
        return _encode("DelegatedUserDecryptRequestVerification", message, domain)

    def user_decrypt_response(
        self, public_key: bytes, handles: Sequence[Handle], sealing: bytes
    ) -> SignableMessage:
        """The KMS's statement that `sealing` is its answer for `handles`."""
        message = {
            "publicKey": public_key,
            "ctHandles": [bytes(handle) for handle in handles],
            "userDecryptedShare": sealing,
            "extraData": EXTRA_DATA,
        }
        return _encode("UserDecryptResponseVerification", message, self._gateway_decryption())

    def _gateway_decryption(self) -> dict[str, Any]:
        return _domain("Decryption", self.gateway.chain_id, self.gateway.decryption)


def sign(message: SignableMessage, private_key: bytes) -> bytes:
    """65 bytes r ‖ s ‖ v with v = 27 or 28."""
    return bytes(Account.sign_message(message, private_key).signature)


def recover(message: SignableMessage, signature: bytes) -> str:
    """The address that signed. Raises MalformedProof where the bytes are no signature."""
    try:
        return str(Account.recover_message(message, signature=signature))
    except Exception as error:  # noqa: BLE001 - the libraries below raise each their own
        raise MalformedProof(f"not a signature: {type(error).__name__}") from None


def input_proof(handles: Sequence[Handle], signatures: Sequence[bytes]) -> bytes:
    """`numHandles ‖ numSigners ‖ handles ‖ signatures ‖ extraData`, as InputVerifier reads it."""
    counts = bytes([len(handles), len(signatures)])
    return counts + b"".join(map(bytes, handles)) + b"".join(signatures) + EXTRA_DATA


def decryption_proof(signatures: Sequence[bytes]) -> bytes:
    """`numSigners ‖ signatures ‖ extraData`, as KMSVerifier reads it."""
    return bytes([len(signatures)]) + b"".join(signatures) + EXTRA_DATA


def proof_signatures(proof: bytes) -> list[bytes]:
    """The signatures in a decryption proof. Raises MalformedProof."""
    if (
        not proof
        or len(proof) != 1 + SIGNATURE_BYTES * proof[0] + 1
        or not proof.endswith(EXTRA_DATA)
    ):
        raise MalformedProof("not a decryption proof of this protocol")
    return [proof[1 + SIGNATURE_BYTES * i : 1 + SIGNATURE_BYTES * (i + 1)] for i in range(proof[0])]


def _domain(name: str, chain_id: int, contract: str) -> dict[str, Any]:
    return {"name": name, "version": "1", "chainId": chain_id, "verifyingContract": contract}


def _encode(primary: str, message: dict[str, Any], domain: dict[str, Any]) -> SignableMessage:
    fields = [field.split(" ") for field in _TYPES[primary].split(",")]
    types = {primary: [{"name": name, "type": kind} for kind, name in fields]}
    return encode_typed_data(domain, types, message)
