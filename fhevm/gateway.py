"""The gateway: takes requests in the relayer's JSON, has the KMS check and decrypt, and answers.

It holds the attestation signer and no key that decrypts. `gateway_http` serves it over HTTP;
in one process the client calls `Gateway.answer` itself.
"""

import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from fhevm.acl import Acl
from fhevm.eip712 import EXTRA_DATA, Domains, sign
from fhevm.errors import MalformedRequest, NotAllowed, UnknownHandle
from fhevm.handles import Handle
from fhevm.inputs import input_handles, split_blob
from fhevm.keys import CoprocessorKeys
from fhevm.kms import Answer, KmsService
from fhevm.wire import (
    InputProofRequest,
    PublicDecryptRequest,
    UserDecryptRequest,
)

Json = dict[str, Any]
_HEAR_SECONDS = 0.05
_EXTRA = "0x" + EXTRA_DATA.hex()


class Ciphertexts(Protocol):
    """The coprocessor as the gateway sees it."""

    def add_input(self, ciphertext: bytes, handles: Sequence[Handle]) -> None:
        """Keep an attested input, once; `handles` name its values in order."""
        ...

    def knows(self, handle: Handle) -> bool:
        """Whether an input or an operation made this handle."""
        ...

    def wait_for(self, handles: Sequence[Handle], timeout: float) -> list[bytes]:
        """The dumped ciphertexts of `handles`, computed within `timeout` seconds.

        Raises UnknownHandle, NotComputedYet, ComputationFailed.
        """
        ...


class Gateway:
    """Answers the requests of one chain."""

    def __init__(
        self,
        keys: CoprocessorKeys,
        kms: KmsService,
        ciphertexts: Ciphertexts,
        acl: Acl,
        domains: Domains,
        *,
        wait_seconds: float = 120.0,
    ) -> None:
        """`wait_seconds`: how long a request waits for a value that is not computed yet."""
        self._keys = keys
        self._kms = kms
        self._ciphertexts = ciphertexts
        self._acl = acl
        self._domains = domains
        self._wait_seconds = wait_seconds

    def key_material(self) -> Json:
        """The public keys with their fingerprint, and the domains that signatures are made for."""
        gateway = self._domains.gateway
        return {
            "publicKeys": self._keys.public.to_json(),
            "fingerprint": self._keys.public.fingerprint,
            "chainId": self._domains.chain_id,
            "acl": self._domains.acl,
            "gatewayChainId": gateway.chain_id,
            "decryption": gateway.decryption,
            "inputVerification": gateway.input_verification,
        }

    def clock(self) -> Json:
        """The newest block and its time: what the dates of requests are compared with."""
        now = self._acl.now()
        return {"block": now.block, "timestamp": now.timestamp}

    def prepare(self, kind: str, payload: Any) -> Callable[[], Json]:
        """Parse a request (`kind` in REQUESTS); what is returned answers it. Raises MalformedRequest."""
        parse, respond = REQUESTS[kind]
        request = parse(payload)
        return lambda: respond(self, request)

    def answer(self, kind: str, payload: Any) -> Json:
        """The result of one request. Raises ServiceError."""
        return self.prepare(kind, payload)()

    def input_proof(self, request: InputProofRequest) -> Json:
        """Attest an encrypted input, once the KMS has found it honest."""
        if request.contract_chain_id != self._domains.chain_id:
            raise MalformedRequest(f"contractChainId: not {self._domains.chain_id}")
        blob = request.ciphertext_with_input_verification
        user, contract = request.user_address, request.contract_address
        types = self._kms.verify_input(blob, user, contract)
        handles = input_handles(blob, types, self._domains)
        self._ciphertexts.add_input(split_blob(blob)[0], handles)
        message = self._domains.ciphertext_verification(handles, user, contract)
        return {
            "handles": [str(handle) for handle in handles],
            "signatures": [_hex(sign(message, self._keys.attestation))],
            "extraData": _EXTRA,
        }

    def public_decrypt(self, request: PublicDecryptRequest) -> Json:
        """Decrypt what everybody may read, with the KMS's signature for the chain."""
        handles = request.ciphertext_handles
        self._authorized(handles, lambda: self._kms.authorize_public(handles))
        ciphertexts = self._computed(handles)
        return _json_answer("decryptedValue", self._kms.public_decrypt(handles, ciphertexts))

    def user_decrypt(self, request: UserDecryptRequest) -> Json:
        """Re-encrypt values to their reader, or to his delegate."""
        self._authorized(request.handles, lambda: self._kms.authorize_user(request))
        ciphertexts = self._computed(request.handles)
        return _json_answer("payload", self._kms.user_decrypt(request, ciphertexts))

    def _computed(self, handles: Sequence[Handle]) -> list[bytes]:
        """Wait for values that the chain allows, also where the coprocessor has yet to hear of them."""
        deadline = time.monotonic() + self._wait_seconds
        while True:
            left = deadline - time.monotonic()
            try:
                return self._ciphertexts.wait_for(handles, max(left, 0.0))
            except UnknownHandle:
                if left <= 0:
                    raise
                time.sleep(_HEAR_SECONDS)

    def _authorized(self, handles: Sequence[Handle], check: Callable[[], None]) -> None:
        """Ask before waiting: nobody waits for what he will not get, nor for what nothing made."""
        try:
            check()
        except NotAllowed:
            for handle in handles:
                if not self._ciphertexts.knows(handle):
                    raise UnknownHandle(f"{handle}: no input and no operation made it") from None
            raise


def _parse_delegated(payload: Any) -> UserDecryptRequest:
    request = UserDecryptRequest.parse(payload)
    if request.delegator_address is None:
        raise MalformedRequest("delegatorAddress: missing")
    return request


REQUESTS: dict[str, tuple[Callable[[Any], Any], Callable[[Gateway, Any], Json]]] = {
    "input-proof": (InputProofRequest.parse, Gateway.input_proof),
    "user-decrypt": (UserDecryptRequest.parse, Gateway.user_decrypt),
    "delegated-user-decrypt": (_parse_delegated, Gateway.user_decrypt),
    "public-decrypt": (PublicDecryptRequest.parse, Gateway.public_decrypt),
}


def _json_answer(name: str, answer: Answer) -> Json:
    return {
        name: _hex(answer.result),
        "signatures": [_hex(answer.signature)],
        "extraData": _EXTRA,
    }


def _hex(data: bytes) -> str:
    return "0x" + data.hex()
