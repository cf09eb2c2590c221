"""JSON-RPC for the page and its wallets: passes a few methods on to the chain's node.

Nothing of a call is passed on but method and parameters, and answers go back under the caller's own ids.
"""

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NoReturn

from eth_account import Account
from fastapi import APIRouter, Request
from starlette.responses import Response

from fogbound.stack import DEPLOYER
from frontend.app.errors import TooManyRequests, UpstreamFailed
from frontend.app.limits import Buckets, client_of
from frontend.app.upstream import Upstream

METHODS = frozenset(
    (
        "eth_blockNumber",
        "eth_call",
        "eth_chainId",
        "eth_estimateGas",
        "eth_feeHistory",
        "eth_gasPrice",
        "eth_maxPriorityFeePerGas",
        "eth_getBalance",
        "eth_getBlockByNumber",
        "eth_getBlockByHash",
        "eth_getCode",
        "eth_getTransactionByHash",
        "eth_getTransactionCount",
        "eth_getTransactionReceipt",
        "eth_sendRawTransaction",
        "net_version",
        "web3_clientVersion",
    )
)
BATCH = 50  # calls
TRANSACTIONS = 60  # that a client may send at once; then one for each hundred calls
SEND = "eth_sendRawTransaction"
TRIED_OUT = ("eth_call", "eth_estimateGas")  # methods that the node computes for
GAS = 30_000_000  # that trying out one call may take; some nodes have no limit of their own
CALL_FIELDS = frozenset(
    (
        "from",
        "to",
        "gas",
        "gasPrice",
        "maxFeePerGas",
        "maxPriorityFeePerGas",
        "value",
        "data",
        "input",
    )
)
PARSE_ERROR, INVALID_REQUEST, NO_SUCH_METHOD = -32700, -32600, -32601
INVALID_PARAMETERS = -32602
REFUSED, FAILED = -32003, -32603

Json = Any


def rpc_router(upstream: Upstream, per_second: float) -> APIRouter:
    """The one path; `per_second`: how many calls a client may make, each of a batch counted."""
    router = APIRouter(tags=["chain"])
    allowance = Allowance(per_second)

    @router.post("/rpc", include_in_schema=False)
    async def rpc(request: Request) -> Response:
        count = partial(allowance.take, client_of(request.scope))
        status, answered = await answer(await request.body(), upstream, count)
        return Response(json.dumps(answered), status, media_type="application/json")

    return router


class Allowance:
    """How much each client may ask the chain.

    Transactions count apart: each is a block of the local chain, and games' clocks count blocks, so that
    whoever sends many makes others lose on time.
    """

    def __init__(self, per_second: float) -> None:
        self._calls = Buckets(per_second, 2 * per_second)
        self._transactions = Buckets(per_second / 100, TRANSACTIONS)

    def take(self, client: str, methods: Sequence[str]) -> None:
        """Raise TooManyRequests where that is more than this client may do now."""
        sent = methods.count(SEND)
        wait = self._calls.take(client, len(methods))
        wait = wait or (self._transactions.take(client, sent) if sent else 0.0)
        if wait:
            raise TooManyRequests("too many calls; slow down", math.ceil(wait))


async def answer(
    body: bytes, upstream: Upstream, count: Callable[[Sequence[str]], None]
) -> tuple[int, Json]:
    """Status and JSON for one call or a batch: 200, except where the chain gave no answer.

    `count` is told each call's method, and may raise.
    """
    try:
        content = json.loads(body, parse_constant=_no_number)
    except (ValueError, RecursionError):
        return 200, _failure(None, PARSE_ERROR, "not JSON")
    calls = content if isinstance(content, list) else [content]
    if not 0 < len(calls) <= BATCH:
        return 200, _failure(None, INVALID_REQUEST, f"a batch has 1 to {BATCH} calls")
    count([_method(call) for call in calls])
    local = upstream.network().local
    status, answers = await _answered([_parse(call, local) for call in calls], upstream)
    return status, answers if content is calls else answers[0]


def _no_number(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


async def _answered(calls: "Sequence[Call]", upstream: Upstream) -> tuple[int, list[Json]]:
    try:
        return 200, await _answers(calls, upstream)
    except UpstreamFailed as error:
        return error.status, [_failure(call.id, FAILED, str(error)) for call in calls]
    except RecursionError:
        return 200, [_failure(call.id, INVALID_REQUEST, "nested too deeply") for call in calls]


@dataclass(frozen=True)
class Call:
    """What is passed on of a call, or the answer that it has already."""

    id: Json
    method: str = ""
    parameters: Sequence[Json] = ()
    refused: Json = None


def _parse(call: Json, local: bool) -> Call:
    name = _id(call)
    if not isinstance(call, dict) or not isinstance(call.get("method"), str):
        return Call(name, refused=_failure(name, INVALID_REQUEST, "not a JSON-RPC call"))
    method, parameters = call["method"], call.get("params") or []
    if method not in METHODS:
        return Call(name, refused=_failure(name, NO_SUCH_METHOD, "that method is not offered here"))
    if not isinstance(parameters, list):
        return Call(name, refused=_failure(name, INVALID_REQUEST, "params: a list is expected"))
    if method == SEND and local and (words := _objection(parameters)):
        return Call(name, refused=_failure(name, REFUSED, words))
    if method in TRIED_OUT:
        if not 1 <= len(parameters) <= 2 or not isinstance(parameters[0], dict):
            words = "a call, and a block, are expected"  # no other code or balances to try it with
            return Call(name, refused=_failure(name, INVALID_PARAMETERS, words))
        parameters = [_bounded(parameters[0]), *parameters[1:]]
    return Call(name, method, parameters)


def _method(call: Json) -> str:
    return str(call.get("method")) if isinstance(call, dict) else ""


def _objection(parameters: Sequence[Json]) -> str | None:
    """Everybody knows the development keys, and the faucet's money is that of one of them.

    A node may take what we cannot read (bytes after the transaction's end), so that is refused too.
    """
    try:
        sender = Account.recover_transaction(parameters[0])
    except Exception:  # noqa: BLE001 - the libraries below raise each their own
        return "that is no signed transaction"
    return "that account is this server's" if sender == DEPLOYER.address else None


def _bounded(call: dict[str, Json]) -> dict[str, Json]:
    """What of a call is tried out: with no more than GAS."""
    kept = {key: value for key, value in call.items() if key in CALL_FIELDS}
    try:
        return {**kept, "gas": hex(min(int(kept["gas"], 16), GAS))} if "gas" in kept else kept
    except (TypeError, ValueError):  # null, or no number
        return {key: value for key, value in kept.items() if key != "gas"}


async def _answers(calls: Sequence[Call], upstream: Upstream) -> list[Json]:
    """In the order of the calls."""
    asked = [
        {"jsonrpc": "2.0", "id": place, "method": call.method, "params": call.parameters}
        for place, call in enumerate(calls)
        if call.refused is None
    ]
    known = _by_place(await upstream.rpc(asked if len(asked) > 1 else asked[0])) if asked else {}
    return [call.refused or _renamed(call.id, known.get(at)) for at, call in enumerate(calls)]


def _by_place(answers: Json) -> dict[Json, Json]:
    found = answers if isinstance(answers, list) else [answers]
    return {each["id"]: each for each in found if isinstance(each, dict) and _has_place(each)}


def _has_place(answer: Json) -> bool:
    return type(answer.get("id")) is int


def _renamed(name: Json, found: Json) -> Json:
    if found is None:
        return _failure(name, FAILED, "the chain gave no answer")
    kept = {key: found[key] for key in ("result", "error") if key in found}
    return {"jsonrpc": "2.0", "id": name, **kept}


def _failure(name: Json, code: int, message: str) -> Json:
    return {"jsonrpc": "2.0", "id": name, "error": {"code": code, "message": message}}


def _id(call: Json) -> Json:
    name = call.get("id") if isinstance(call, dict) else None
    return name if isinstance(name, str | int) else None
