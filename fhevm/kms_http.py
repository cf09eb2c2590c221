"""The KMS in its own process: a small HTTP service on 127.0.0.1, and the gateway's side of it.

Whoever knows the token may ask; it lies in a file of mode 0600 that the gateway shares.
"""

import secrets
from base64 import b64decode, b64encode
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
from fastapi import FastAPI
from pydantic import Base64Bytes

from fhevm.bearer import BearerToken
from fhevm.errors import KeysDamaged, Unavailable
from fhevm.gateway_http import answer_errors
from fhevm.handles import Handle
from fhevm.keyfiles import write_private
from fhevm.kms import Answer, KmsService
from fhevm.limits import BodyLimit
from fhevm.statuses import raise_failure
from fhevm.types import FheType
from fhevm.wire import Address, HandleField, Message, UserDecryptRequest

MAX_BODY_BYTES = 64 << 20  # 2,048 bits are 1,024 blocks of 16 KB, in base64
_TIMEOUT_SECONDS = 60.0
_TOKEN_BYTES = 32


class InputQuestion(Message):
    """An input to verify."""

    blob: Base64Bytes
    user: Address
    contract: Address


class PublicQuestion(Message):
    """A public decryption; without ciphertexts only the permission is checked."""

    handles: tuple[HandleField, ...]
    ciphertexts: tuple[Base64Bytes, ...] | None = None


class UserQuestion(Message):
    """A user decryption; without ciphertexts only the permission is checked."""

    request: UserDecryptRequest
    ciphertexts: tuple[Base64Bytes, ...] | None = None


def make_token(file: Path) -> str:
    """The token in `file`, made where there is none (once, whoever else makes one). Raises KeysDamaged."""
    if not file.exists():
        file.parent.mkdir(parents=True, mode=0o700, exist_ok=True)
        token = secrets.token_hex(_TOKEN_BYTES)
        partial = file.with_name(f"{file.name}.{token[:8]}")
        write_private(partial, token.encode())
        with suppress(FileExistsError):
            file.hardlink_to(partial)
        partial.unlink()
    return read_token(file)


def read_token(file: Path) -> str:
    """The token in `file`. Raises KeysDamaged where others could read it, or it is none."""
    try:
        token, mode = file.read_text(), file.stat().st_mode
    except (OSError, UnicodeDecodeError) as error:
        raise KeysDamaged(f"{file}: {type(error).__name__}") from None
    if mode & 0o077 or len(token) != 2 * _TOKEN_BYTES:
        raise KeysDamaged(f"{file}: not a token that only its owner can read")
    return token


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
    def health() -> dict[str, str]:
        return {"status": "ready"}

    @app.post("/input")
    def verify_input(question: InputQuestion) -> dict[str, Any]:
        types = kms.verify_input(question.blob, question.user, question.contract)
        return {"types": [int(fhe_type) for fhe_type in types]}

    @app.post("/public")
    def public(question: PublicQuestion) -> dict[str, Any]:
        if question.ciphertexts is None:
            kms.authorize_public(question.handles)
            return {}
        return _answer_json(kms.public_decrypt(question.handles, question.ciphertexts))

    @app.post("/user")
    def user(question: UserQuestion) -> dict[str, Any]:
        if question.ciphertexts is None:
            kms.authorize_user(question.request)
            return {}
        return _answer_json(kms.user_decrypt(question.request, question.ciphertexts))


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
        question = {"blob": _text(blob), "user": user, "contract": contract}
        return [FheType(number) for number in self._ask("/input", question)["types"]]

    def authorize_public(self, handles: Sequence[Handle]) -> None:
        """See KmsService."""
        self._ask("/public", {"handles": list(map(str, handles))})

    def public_decrypt(self, handles: Sequence[Handle], ciphertexts: Sequence[bytes]) -> Answer:
        """See KmsService."""
        question = {
            "handles": list(map(str, handles)),
            "ciphertexts": list(map(_text, ciphertexts)),
        }
        return _json_answer(self._ask("/public", question))

    def authorize_user(self, request: UserDecryptRequest) -> None:
        """See KmsService."""
        self._ask("/user", {"request": request.to_json()})

    def user_decrypt(self, request: UserDecryptRequest, ciphertexts: Sequence[bytes]) -> Answer:
        """See KmsService."""
        question = {
            "request": request.to_json(),
            "ciphertexts": list(map(_text, ciphertexts)),
        }
        return _json_answer(self._ask("/user", question))

    def _ask(self, path: str, question: dict[str, Any]) -> dict[str, Any]:
        try:
            response = self._client.post(path, json=question)
            answer: dict[str, Any] = response.json()
        except (httpx.HTTPError, ValueError) as error:
            raise Unavailable(f"the KMS does not answer: {type(error).__name__}") from None
        if response.is_error:
            raise_failure(answer)
        return answer


def _text(data: bytes) -> str:
    return b64encode(data).decode()


def _answer_json(answer: Answer) -> dict[str, str]:
    return {"result": _text(answer.result), "signature": _text(answer.signature)}


def _json_answer(answer: dict[str, str]) -> Answer:
    return Answer(b64decode(answer["result"]), b64decode(answer["signature"]))
