"""The KMS in its own process: a small HTTP service on 127.0.0.1, and the gateway's side of it.

Whoever knows the token may ask; it lies in a file of mode 0600 that the gateway shares.
"""

from collections.abc import Sequence
from typing import Any

import httpx
from fastapi import FastAPI

from fhevm.bearer import BearerToken
from fhevm.bodies import Body
from fhevm.errors import Unavailable
from fhevm.gateway_http import answer_errors
from fhevm.handles import Handle
from fhevm.kms import Answer, KmsService
from fhevm.limits import BodyLimit
from fhevm.statuses import raise_failure
from fhevm.typed import read_json
from fhevm.types import FheType
from fhevm.wire import (
    InputQuestion,
    InputTypes,
    PublicQuestion,
    Question,
    Signed,
    UserDecryptRequest,
    UserQuestion,
)

MAX_BODY_BYTES = 32 << 20  # 2,048 bits are 1,024 blocks of 8 to 11 KB, in base64
_TIMEOUT_SECONDS = 30.0


def kms_app(kms: KmsService, token: str) -> FastAPI:
    """The service; without the token not even a body is read."""
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    answer_errors(app)
    app.add_middleware(BodyLimit, max_bytes=MAX_BODY_BYTES)
    app.add_middleware(BearerToken, token=token)  # the outermost
    _add_paths(app, kms)
    return app


def _add_paths(app: FastAPI, kms: KmsService) -> None:
    @app.get("/health")
    async def health() -> dict[str, str]:
        return {"status": "ready"}

    @app.post("/input")
    def verify_input(body: Body) -> dict[str, Any]:
        question = InputQuestion.read(body)
        types = kms.verify_input(question.blob, question.user, question.contract)
        return InputTypes(types=tuple(types)).to_json()

    @app.post("/public")
    def public(body: Body) -> dict[str, Any]:
        question = PublicQuestion.read(body)
        if question.ciphertexts is None:
            kms.authorize_public(question.handles)
            return {}
        return _signed(kms.public_decrypt(question.handles, question.ciphertexts))

    @app.post("/user")
    def user(body: Body) -> dict[str, Any]:
        question = UserQuestion.read(body)
        if question.ciphertexts is None:
            kms.authorize_user(question.request)
            return {}
        return _signed(kms.user_decrypt(question.request, question.ciphertexts))


def _signed(answer: Answer) -> dict[str, Any]:
    return Signed(result=answer.result, signature=answer.signature).to_json()


class RemoteKms:
    """The KMS of another process, as the gateway sees it (a KmsService)."""

    def __init__(self, url: str, token: str) -> None:
        headers = {"authorization": f"Bearer {token}"}
        self._client = httpx.Client(base_url=url, headers=headers, timeout=_TIMEOUT_SECONDS)

    def is_ready(self) -> bool:
        """Whether it answers."""
        try:
            return self._client.get("/health").is_success
        except httpx.HTTPError:
            return False

    def verify_input(self, blob: bytes, user: str, contract: str) -> list[FheType]:
        """See KmsService."""
        question = InputQuestion(blob=blob, user=user, contract=contract)
        return list(InputTypes.parse(self._ask("/input", question)).types)

    def authorize_public(self, handles: Sequence[Handle]) -> None:
        """See KmsService."""
        self._ask("/public", PublicQuestion.parse({"handles": tuple(handles)}))

    def public_decrypt(self, handles: Sequence[Handle], ciphertexts: Sequence[bytes]) -> Answer:
        """See KmsService."""
        question = {"handles": tuple(handles), "ciphertexts": tuple(ciphertexts)}
        return self._answer("/public", PublicQuestion.parse(question))

    def authorize_user(self, request: UserDecryptRequest) -> None:
        """See KmsService."""
        self._ask("/user", UserQuestion(request=request))

    def user_decrypt(self, request: UserDecryptRequest, ciphertexts: Sequence[bytes]) -> Answer:
        """See KmsService."""
        question = UserQuestion(request=request, ciphertexts=tuple(ciphertexts))
        return self._answer("/user", question)

    def _answer(self, path: str, question: Question) -> Answer:
        signed = Signed.parse(self._ask(path, question))
        return Answer(signed.result, signed.signature)

    def _ask(self, path: str, question: Question) -> Any:
        try:
            response = self._client.post(path, json=question.to_json())
            answer = read_json(response.content)
        except (httpx.HTTPError, ValueError) as error:
            raise Unavailable(f"the KMS does not answer: {type(error).__name__}") from None
        if response.is_error:
            raise_failure(answer)
        return answer
