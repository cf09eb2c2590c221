"""The gateway: takes requests in the relayer's JSON, has the KMS check and decrypt, and answers.

It holds the attestation signer and no key that decrypts. `gateway_http` serves it over HTTP;
in one process the client calls `Gateway.answer` itself.
"""

import time
from collections.abc import Callable, Sequence
from threading import Semaphore
from typing import Any, Protocol

from fhevm.acl import Acl
from fhevm.eip712 import EXTRA_DATA, Domains, sign
from fhevm.errors import MalformedRequest, NotAllowed, NotComputedYet, UnknownHandle
from fhevm.handles import Handle
from fhevm.inputs import input_handles, split_blob
from fhevm.keys import CoprocessorKeys
from fhevm.kms import Answer, KmsService
from fhevm.prepared import Json, Prepared
from fhevm.typed import Typed
from fhevm.waiting import WaitingRoom
from fhevm.wire import (
    DelegatedUserDecryptRequest,
    InputProofRequest,
    PublicDecryptRequest,
    UserDecryptRequest,
)

_HEAR_SECONDS = 0.05
_LOOKERS = 2  # threads that may wait to hear whether a handle exists
_REQUEST_COST = 8  # of asking chain and KMS, in digits
_BYTES_OF_A_DIGIT = 1024  # of an input, of about the work of decrypting one
_EXTRA = "0x" + EXTRA_DATA.hex()


class Ciphertexts(Protocol):
    """The coprocessor as the gateway sees it."""

    def add_input(self, ciphertext: bytes, handles: Sequence[Handle], client: str = "") -> None:
        """Keep an attested input of `client`, once; `handles` name its values in order."""
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
        self._room = WaitingRoom(lambda handles: ciphertexts.wait_for(handles, 0.0), wait_seconds)
        self._lookers = Semaphore(_LOOKERS)

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

    def prepare(self, kind: str, body: bytes, client: str = "") -> Prepared:
        """Read a request (`kind` in REQUESTS) of `client` from its JSON, for who answers many at once.

        Raises MalformedRequest, TooLarge.
        """
        form, make = REQUESTS[kind]
        return make(self, form.read(body), client)

    def answer(self, kind: str, payload: Any) -> Json:
        """The result of one request, once it is there. Raises ServiceError."""
        form, make = REQUESTS[kind]
        prepared = make(self, form.parse(payload), "")
        prepared.check()
        deadline = time.monotonic() + self._wait_seconds
        while True:
            try:
                return prepared.answer()
            except (NotComputedYet, UnknownHandle):
                if time.monotonic() >= deadline:
                    raise
                time.sleep(_HEAR_SECONDS)

    def _input_proof(self, request: InputProofRequest, client: str) -> Prepared:
        cost = len(request.ciphertext_with_input_verification) // _BYTES_OF_A_DIGIT
        return Prepared(
            check=lambda: None,
            answer=lambda: self._attest(request, client),
            cost=_REQUEST_COST + cost,
        )

    def _attest(self, request: InputProofRequest, client: str) -> Json:
        """Attest an encrypted input, once the KMS has found it honest."""
        if request.contract_chain_id != self._domains.chain_id:
            raise MalformedRequest(f"contractChainId: not {self._domains.chain_id}")
        blob = request.ciphertext_with_input_verification
        user, contract = request.user_address, request.contract_address
        types = self._kms.verify_input(blob, user, contract)
        handles = input_handles(blob, types, self._domains)
        self._ciphertexts.add_input(split_blob(blob)[0], handles, client)
        message = self._domains.ciphertext_verification(handles, user, contract)
        return {
            "handles": [str(handle) for handle in handles],
            "signatures": [_hex(sign(message, self._keys.attestation))],
            "extraData": _EXTRA,
        }

    def _public_decrypt(self, request: PublicDecryptRequest, _client: str) -> Prepared:
        """Decrypt what everybody may read, with the KMS's signature for the chain."""
        handles = request.ciphertext_handles

        def answer() -> Json:
            ciphertexts = self._ciphertexts.wait_for(handles, 0.0)
            return _json_answer("decryptedValue", self._kms.public_decrypt(handles, ciphertexts))

        return self._waiting(handles, lambda: self._kms.authorize_public(handles), answer)

    def _user_decrypt(self, request: UserDecryptRequest, _client: str) -> Prepared:
        """Re-encrypt values to their reader, or to their delegate."""

        def answer() -> Json:
            ciphertexts = self._ciphertexts.wait_for(request.handles, 0.0)
            return _json_answer("payload", self._kms.user_decrypt(request, ciphertexts))

        return self._waiting(request.handles, lambda: self._kms.authorize_user(request), answer)

    def _waiting(
        self, handles: Sequence[Handle], allowed: Callable[[], None], answer: Callable[[], Json]
    ) -> Prepared:
        return Prepared(
            check=lambda: self._authorized(handles, allowed),
            answer=answer,
            park=lambda: self._room.park(handles),
            cost=_REQUEST_COST + sum(1 + handle.type.bits // 2 for handle in handles),
        )

    def _authorized(self, handles: Sequence[Handle], check: Callable[[], None]) -> None:
        """Ask before waiting: nobody waits for what they will not get, nor for what nothing made."""
        try:
            check()
        except NotAllowed:
            if (unknown := self._first_unknown(handles)) is not None:
                raise UnknownHandle(f"{unknown}: no input and no operation made it") from None
            raise

    def _first_unknown(self, handles: Sequence[Handle]) -> Handle | None:
        """A handle that nothing made. Also None where too many ask that already: none of them is allowed."""
        if not self._lookers.acquire(blocking=False):
            return None
        try:
            return next((each for each in handles if not self._ciphertexts.knows(each)), None)
        finally:
            self._lookers.release()


_Make = Callable[[Gateway, Any, str], Prepared]
REQUESTS: dict[str, tuple[type[Typed], _Make]] = {
    "input-proof": (InputProofRequest, Gateway._input_proof),
    "user-decrypt": (UserDecryptRequest, Gateway._user_decrypt),
    "delegated-user-decrypt": (DelegatedUserDecryptRequest, Gateway._user_decrypt),
    "public-decrypt": (PublicDecryptRequest, Gateway._public_decrypt),
}


def _json_answer(name: str, answer: Answer) -> Json:
    return {
        name: _hex(answer.result),
        "signatures": [_hex(answer.signature)],
        "extraData": _EXTRA,
    }


def _hex(data: bytes) -> str:
    return "0x" + data.hex()
