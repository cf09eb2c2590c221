"""JSON-RPC 2.0 as a server sees it: calls taken apart, results and errors put together."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from fhevm.jsonsize import is_costly

PARSE_ERROR, INVALID_REQUEST, NO_SUCH_METHOD, INVALID_PARAMETERS = -32700, -32600, -32601, -32602
FAILED, BUSY = -32603, -32005
MAX_BATCH = 100  # calls

Json = Any


class RpcError(Exception):
    """What a call is answered with instead of a result."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.answer = error(code, message)


class NodeError(RpcError):
    """A node's own error object, passed on."""

    def __init__(self, answer: "dict[str, Json]") -> None:
        super().__init__(int(answer.get("code", FAILED)), str(answer.get("message", "")))
        self.answer = answer


@dataclass(frozen=True)
class Call:
    """One call; `id` is given back as it came."""

    id: Json
    method: str
    parameters: Sequence[Json]

    @classmethod
    def parse(cls, content: Json) -> "Call":
        """Raises RpcError for what is no call."""
        if not isinstance(content, dict) or not isinstance(content.get("method"), str):
            raise RpcError(INVALID_REQUEST, "not a JSON-RPC call")
        parameters = content.get("params")
        if parameters is not None and not isinstance(parameters, list):
            raise RpcError(INVALID_PARAMETERS, "params: a list is expected")
        return cls(id_of(content), content["method"], parameters or [])


def parse_body(body: bytes | str) -> Json:
    """One call or a batch, not looked at any further. Raises RpcError."""
    content = parse_json(body)
    if isinstance(content, list) and not 0 < len(content) <= MAX_BATCH:
        raise RpcError(INVALID_REQUEST, f"a batch has 1 to {MAX_BATCH} calls")
    return content


def parse_json(body: bytes | str) -> Json:
    """A text of few parts: to build a megabyte of empty lists takes half a second. Raises RpcError."""
    if is_costly(body.encode(errors="replace") if isinstance(body, str) else body):
        raise RpcError(INVALID_REQUEST, "too many values")
    try:
        return json.loads(body, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise RpcError(PARSE_ERROR, "not JSON") from None


def error(code: int, message: str) -> dict[str, Json]:
    """An error object."""
    return {"code": code, "message": message}


def succeeded(name: Json, result: Json) -> Json:
    """The answer with a result."""
    return {"jsonrpc": "2.0", "id": name, "result": result}


def failed(name: Json, error: Json) -> Json:
    """The answer with an error object."""
    return {"jsonrpc": "2.0", "id": name, "error": error}


def id_of(content: Json) -> Json:
    """A call's id; None where it is none."""
    name = content.get("id") if isinstance(content, dict) else None
    return name if isinstance(name, str | int) else None


def quantity(value: Json) -> int:
    """A number that is not negative, as hexadecimal or as such. Raises RpcError."""
    try:
        number = int(value, 16) if isinstance(value, str) else int(value)
    except (ValueError, TypeError, OverflowError):
        number = -1
    if number < 0:
        raise RpcError(INVALID_PARAMETERS, "a quantity is expected: 0x…")
    return number


def _no_number(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")
