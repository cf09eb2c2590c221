"""The local chain's process: JSON-RPC on one port, in front of an anvil that may be killed at any moment.

It passes on what only reads, and changes the chain in two ways: a signed transaction is mined at once in a
block of its own, and empty blocks are mined when asked for. Nothing else: what anvil offers beyond that (to
act as any account, to go back, to write storage) would let whoever reaches the port read every board, and
could not be done again after a kill. Pages of other origins are refused. An anvil that dies is started
again; whoever asked meanwhile just waits. There is no WebSocket: clients poll.
"""

import asyncio
import json
import logging
import os
import signal
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import aiohttp
from aiohttp import web
from eth_typing import HexStr
from web3 import Web3

from fogbound.anvil import KeptAnvil
from fogbound.errors import FogboundError, TransactionRefused

log = logging.getLogger(__name__)

CHECK_SECONDS = 0.05
MAX_BODY_BYTES = 1 << 20
MAX_BLOCKS = 10_000  # that one request may mine
READS = ("eth_", "net_", "web3_")  # beginnings of methods
WRITES = ("eth_send", "eth_sign", "eth_submit")
LOCAL = ("127.0.0.1", "localhost", "::1")
PARSE_ERROR, INVALID_REQUEST, NO_SUCH_METHOD, INVALID_PARAMETERS = -32700, -32600, -32601, -32602

Json = Any


class RpcError(Exception):
    """What a call is answered with instead of a result."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.answer: dict[str, Json] = {"code": code, "message": message}


class ChainServer:
    """JSON-RPC for a KeptAnvil."""

    def __init__(self, anvil: KeptAnvil) -> None:
        self._anvil = anvil
        self._changing = asyncio.Lock()
        self._http: aiohttp.ClientSession | None = None

    def app(self) -> web.Application:
        """The application; it starts and stops anvil."""
        app = web.Application(client_max_size=MAX_BODY_BYTES)
        app.router.add_post("/", self._answer)
        app.cleanup_ctx.append(self._running)
        return app

    async def _running(self, _app: web.Application) -> Any:
        self._anvil.hold()
        self._anvil.start()
        async with aiohttp.ClientSession() as self._http:
            watching = asyncio.create_task(self._watch())
            yield
            watching.cancel()
        async with self._changing:
            self._anvil.stop()

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            async with self._changing:
                try:
                    self._revive()
                except FogboundError as error:
                    log.error("%s", error)
                    os.kill(os.getpid(), signal.SIGTERM)

    def _revive(self) -> None:
        """Blocks everything else on purpose: there is nothing to answer with."""
        if not self._anvil.is_alive():
            log.warning("anvil died; starting it again")
            self._anvil.start()

    # -- JSON-RPC --

    async def _answer(self, request: web.Request) -> web.Response:
        _require_local(request)
        try:
            content = json.loads(await request.read())
        except ValueError:
            return web.json_response(_failed(None, RpcError(PARSE_ERROR, "not JSON").answer))
        if isinstance(content, list) and content:
            return web.json_response([await self._answer_call(call) for call in content])
        return web.json_response(await self._answer_call(content))

    async def _answer_call(self, call: Json) -> Json:
        if not isinstance(call, dict) or not isinstance(call.get("method"), str):
            return _failed(None, RpcError(INVALID_REQUEST, "not a JSON-RPC call").answer)
        method, parameters = call["method"], call.get("params") or []
        try:
            if method == "eth_sendRawTransaction":
                return _succeeded(call, await self._send(parameters))
            if method in ("evm_mine", "anvil_mine"):
                return _succeeded(call, await self._mine_empty(parameters))
            if method.startswith(READS) and not method.startswith(WRITES):
                return await self._ask(call)
            raise RpcError(NO_SUCH_METHOD, f"{method} is not offered by this chain")
        except (RpcError, TransactionRefused) as refusal:
            return _failed(call, refusal.answer)

    async def _ask(self, call: Json) -> Json:
        """A question; asked again where anvil dies meanwhile."""
        assert self._http is not None
        while True:
            try:
                async with self._http.post(self._anvil.url, json=call) as response:
                    return await response.json(content_type=None)
            except aiohttp.ClientError:
                await asyncio.sleep(CHECK_SECONDS)

    async def _send(self, parameters: Json) -> str:
        """Mine a signed transaction; its hash."""
        try:
            (raw,) = parameters
            found = Web3.to_hex(Web3.keccak(hexstr=HexStr(raw)))
        except (ValueError, TypeError):
            raise RpcError(INVALID_PARAMETERS, "one raw transaction is expected") from None
        async with self._changing:
            self._anvil.mine((raw,))
        return found

    async def _mine_empty(self, parameters: Json) -> str:
        count = _count(parameters)
        async with self._changing:
            for _ in range(count):
                self._anvil.mine()
                await asyncio.sleep(0)
        return "0x0"


def _require_local(request: web.Request) -> None:
    """No page of another origin (also one whose name leads here) may use the chain; extensions may."""
    origin = urlsplit(request.headers.get("Origin", "http://localhost"))
    named = urlsplit(f"http://{request.host}").hostname
    if named not in LOCAL or not (origin.hostname in LOCAL or origin.scheme.endswith("-extension")):
        raise web.HTTPForbidden(text="this chain is for programs on this machine")


def _count(parameters: Json) -> int:
    try:
        (count,) = parameters or [1]
        number = int(count, 16) if isinstance(count, str) else int(count)
    except (ValueError, TypeError):
        raise RpcError(INVALID_PARAMETERS, "at most a number of blocks is expected") from None
    if not 0 <= number <= MAX_BLOCKS:
        raise RpcError(INVALID_PARAMETERS, f"{number} blocks: at most {MAX_BLOCKS} at once")
    return number


def _succeeded(call: Json, result: Json) -> Json:
    return {"jsonrpc": "2.0", "id": call.get("id"), "result": result}


def _failed(call: Json, error: Json) -> Json:
    return {"jsonrpc": "2.0", "id": call.get("id") if call else None, "error": error}


def main() -> None:
    """`python -m fogbound.chainserver DATA PORT`: serve on 127.0.0.1 until SIGINT or SIGTERM."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    data, port = Path(sys.argv[1]), int(sys.argv[2])
    app = ChainServer(KeptAnvil(data / "chain", data / "logs" / "anvil.log")).app()
    web.run_app(app, host="127.0.0.1", port=port, print=None, access_log=None)


if __name__ == "__main__":
    main()
