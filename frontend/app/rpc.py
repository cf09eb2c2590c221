"""JSON-RPC for the page and its wallets: passes a few methods on to the chain's node.

Nothing of a call is passed on but method and parameters, and answers go back under the caller's own ids.
"""

import json
import math
import re
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from fogbound.accounts import DEPLOYER
from fogbound.errors import TransactionRefused
from fogbound.jsonrpc import RpcError, failed, parse_json
from fogbound.rawtransactions import RawTransaction
from frontend.app.errors import AnswerTooLong, TooManyRequests, UpstreamFailed
from frontend.app.limits import Buckets, Places, client_of
from frontend.app.upstream import ANSWER_BYTES, Upstream

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
FEE_HISTORY = "eth_feeHistory"
FEE_BLOCKS, FEE_PERCENTILES = 100, 20
HEX = re.compile(r"0x[0-9a-fA-F]{1,16}")
TRIED_OUT = ("eth_call", "eth_estimateGas")  # methods that the node computes for
GAS = 10_000_000  # that trying out one call may take: twice what the dearest of ours takes
TRIED_GAS = (200_000_000, 2_000_000_000)  # a second, and at once
# Of the local chain's time, a second and at once: some gas takes it forty times as long as other. On a busy
# machine honest calls take longer as well, so this is wide: places are what keeps the chain free for others.
TRIED_SECONDS = (0.5, 120.0)
TRIED_AT_ONCE, TRIED_OF_ONE = 2, 1  # by the local chain: in all, and for one client
PLACE_SECONDS = 10.0  # that a call waits for its turn to be tried out
SENT_GAS = (4_000_000, 120_000_000)
ANSWERED_BYTES = (4 << 20, 64 << 20)
TOO_LONG_BYTES = 32 << 20  # that the node may have written before it was cut short
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
INVALID_REQUEST, NO_SUCH_METHOD = -32600, -32601
INVALID_PARAMETERS = -32602
REFUSED, FAILED, LIMITED = -32003, -32603, -32005

Json = Any


def rpc_router(
    upstream: Upstream, per_second: float, clock: Callable[[], float] = time.monotonic
) -> APIRouter:
    """The one path; `per_second`: how many calls a client may make, each of a batch counted.

    `clock`: measures in seconds what is tried out.
    """
    router = APIRouter(tags=["chain"])
    allowance = Allowance(per_second, clock)

    @router.post("/rpc", include_in_schema=False)
    async def rpc(request: Request) -> Response:
        client = client_of(request.scope)
        status, answered = await answer(await request.body(), upstream, allowance.of(client))
        text = json.dumps(answered)
        allowance.charge(client, len(text))
        return Response(text, status, media_type="application/json")

    return router


class Allowance:
    """How much each client may ask the chain: calls, gas and time of what is tried out, gas of what is sent,
    transactions, and bytes of answers.

    Each transaction is a block of the local chain, in which the others wait: a few full ones cost as much as
    hundreds of moves. What is tried out delays the next block.
    """

    def __init__(self, per_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._calls = Buckets(per_second, 2 * per_second)
        self._tried = Buckets(*TRIED_GAS)
        self._seconds = Buckets(*TRIED_SECONDS, clock)
        self._places = Places(TRIED_AT_ONCE, TRIED_OF_ONE, PLACE_SECONDS)
        self._transactions = Buckets(per_second / 100, TRANSACTIONS)
        self._sent = Buckets(*SENT_GAS)
        self._bytes = Buckets(*ANSWERED_BYTES)

    def of(self, client: str) -> "Share":
        """What one client may ask for."""
        return Share(
            partial(self.take, client), partial(self.trying, client), partial(self.charge, client)
        )

    def take(self, client: str, calls: "Sequence[Call]") -> None:
        """Raise TooManyRequests where that is more than this client may do now."""
        sent = [call for call in calls if call.method == SEND]
        tried = sum(call.gas for call in calls if call.method != SEND)
        costs = (
            (self._calls, len(calls)),
            (self._bytes, 1),
            (self._tried, tried),
            (self._transactions, len(sent)),
            (self._sent, sum(call.gas for call in sent)),
        )
        if wait := next((wait for each, cost in costs if (wait := each.take(client, cost))), 0.0):
            raise _too_many(wait)

    @asynccontextmanager
    async def trying(self, client: str) -> AsyncIterator[None]:
        """One call's turn at the local chain, whose time is this client's. Raises TooManyRequests."""
        async with self._places.taken(client):
            if wait := self._seconds.take(client, 0.0):
                raise _too_many(wait)
            begun = self._clock()
            try:
                yield
            finally:
                self._seconds.charge(client, self._clock() - begun)

    def charge(self, client: str, size: int) -> None:
        """Count an answer of so many bytes: who was sent much waits before the next one."""
        self._bytes.charge(client, size)


@dataclass(frozen=True)
class Share:
    """`take` is told all calls before one is passed on; `trying` surrounds each that the chain tries out.
    `charge` is told of bytes that the chain wrote in vain.

    The first two may raise TooManyRequests.
    """

    take: "Callable[[Sequence[Call]], None]"
    trying: Callable[[], AbstractAsyncContextManager[None]]
    charge: Callable[[int], None]


def _too_many(wait: float) -> TooManyRequests:
    return TooManyRequests("too many calls; slow down", math.ceil(wait))


async def answer(body: bytes, upstream: Upstream, share: Share) -> tuple[int, Json]:
    """Status and JSON for one call or a batch: 200, except where the chain gave no answer.

    Raises TooManyRequests, but not for a few calls of a batch: those are answered by an error each.
    """
    try:
        content = parse_json(body)
    except RpcError as error:
        return 200, failed(None, error.answer)
    calls = content if isinstance(content, list) else [content]
    if not 0 < len(calls) <= BATCH:
        return 200, _failure(None, INVALID_REQUEST, f"a batch has 1 to {BATCH} calls")
    local = upstream.network().local
    parsed = [_parse(call, local) for call in calls]
    share.take(parsed)
    status, answers = await _answered(parsed, upstream, share, local)
    return status, answers if content is calls else answers[0]


async def _answered(
    calls: "Sequence[Call]", upstream: Upstream, share: Share, local: bool
) -> tuple[int, list[Json]]:
    """On a local chain they are tried out by `share`'s turns, one by one, after the others."""
    one_by_one = [local and call.method in TRIED_OUT for call in calls]
    together = [call for call, alone in zip(calls, one_by_one, strict=True) if not alone]
    status, answers = await _passed_on(together, upstream, share)
    found, answered, size = iter(answers), [], 0
    for call, alone in zip(calls, one_by_one, strict=True):
        if not alone:
            answered.append(next(found))
            continue
        if size > ANSWER_BYTES:
            answered.append(_failure(call.id, LIMITED, "the other answers are too long"))
            continue
        status_here, answer_here = await _tried_out(call, upstream, share, len(calls) > 1)
        status = max(status, status_here)
        size += len(json.dumps(answer_here))
        answered.append(answer_here)
    return status, answered


async def _tried_out(
    call: "Call", upstream: Upstream, share: Share, in_batch: bool
) -> tuple[int, Json]:
    try:
        async with share.trying():
            status, answers = await _passed_on([call], upstream, share)
    except TooManyRequests as error:
        if not in_batch:
            raise
        return 200, _failure(call.id, LIMITED, str(error))
    return status, answers[0]


async def _passed_on(
    calls: "Sequence[Call]", upstream: Upstream, share: Share
) -> tuple[int, list[Json]]:
    try:
        return 200, await _answers(calls, upstream)
    except UpstreamFailed as error:
        if isinstance(error, AnswerTooLong):
            share.charge(TOO_LONG_BYTES)
        return error.status, [_failure(call.id, FAILED, str(error)) for call in calls]
    except RecursionError:
        return 200, [_failure(call.id, INVALID_REQUEST, "nested too deeply") for call in calls]


@dataclass(frozen=True)
class Call:
    """What is passed on of a call, or the answer that it has already. `gas`: what it may cost the node."""

    id: Json
    method: str = ""
    parameters: Sequence[Json] = ()
    refused: Json = None
    gas: int = 0


def _parse(call: Json, local: bool) -> Call:
    name = _id(call)
    if not isinstance(call, dict) or not isinstance(call.get("method"), str):
        return Call(name, refused=_failure(name, INVALID_REQUEST, "not a JSON-RPC call"))
    method, parameters = call["method"], call.get("params") or []
    if method not in METHODS:
        return Call(name, refused=_failure(name, NO_SUCH_METHOD, "that method is not offered here"))
    if not isinstance(parameters, list):
        return Call(name, refused=_failure(name, INVALID_REQUEST, "params: a list is expected"))
    if method == SEND and local:
        return _sent(name, method, parameters)
    return _asked(name, method, parameters)


def _sent(name: Json, method: str, parameters: Sequence[Json]) -> Call:
    """Everybody knows the development keys, and the faucet's money is that of one of them.

    A node may take what we cannot read (bytes after the transaction's end), so that is refused too.
    """
    try:
        transaction = RawTransaction.parse(parameters[0] if parameters else None)
    except TransactionRefused as error:
        return Call(name, method, refused=_failure(name, REFUSED, str(error)))
    except ValueError:  # a number of thousands of digits
        return Call(name, method, refused=_failure(name, REFUSED, "not a signed transaction"))
    if transaction.sender == DEPLOYER.address:
        words = "that account is this server's"
        return Call(name, method, refused=_failure(name, REFUSED, words), gas=transaction.gas)
    return Call(name, method, parameters, gas=transaction.gas)


def _asked(name: Json, method: str, parameters: Sequence[Json]) -> Call:
    if method in TRIED_OUT:
        return _tried(name, method, parameters)
    if method == FEE_HISTORY and not _is_short(parameters):
        words = f"at most {FEE_BLOCKS} blocks, in hexadecimal, and {FEE_PERCENTILES} percentiles"
        return Call(name, refused=_failure(name, INVALID_PARAMETERS, words))
    return Call(name, method, parameters)


def _is_short(parameters: Sequence[Json]) -> bool:
    """Of a fee history: the node computes, and answers with, blocks times percentiles."""
    blocks, _, percentiles = [*parameters, *("0x0", None, None)[len(parameters) :]][:3]
    if not isinstance(blocks, str) or not HEX.fullmatch(blocks) or int(blocks, 16) > FEE_BLOCKS:
        return False
    listed = percentiles or []
    return isinstance(listed, list) and len(listed) <= FEE_PERCENTILES


def _tried(name: Json, method: str, parameters: Sequence[Json]) -> Call:
    """On the state as it is: with no other code or balances than the chain's."""
    if not 1 <= len(parameters) <= 2 or not isinstance(parameters[0], dict):
        words = "a call, and a block, are expected"
        return Call(name, refused=_failure(name, INVALID_PARAMETERS, words))
    tried = _bounded(parameters[0])
    return Call(name, method, [tried, *parameters[1:]], gas=int(tried["gas"], 16))


def _bounded(call: dict[str, Json]) -> dict[str, Json]:
    """What of a call is tried out: with no more than GAS."""
    kept = {key: value for key, value in call.items() if key in CALL_FIELDS}
    given = str(kept.get("gas"))
    gas = min(int(given, 16), GAS) if HEX.fullmatch(given) else GAS
    return {**kept, "gas": hex(gas)}


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
