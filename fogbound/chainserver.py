"""The local chain's process: JSON-RPC on one port, in front of an anvil that may be killed at any moment.

What changes the chain passes one by one: it is noted in the journal, sent, and answered only when the new
blocks are noted too. An anvil that dies is started again; whoever asked meanwhile just waits. Notices over
WebSocket are not passed on: clients poll.
"""

import asyncio
import json
import logging
import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
import requests
from aiohttp import web
from eth_typing import HexStr
from hexbytes import HexBytes
from web3 import Web3
from web3.exceptions import TransactionNotFound

from fogbound.anvil import KeptAnvil
from fogbound.errors import FogboundError

log = logging.getLogger(__name__)

CHECK_SECONDS = 0.05
MAX_BODY_BYTES = 64 << 20
CHANGES = ("eth_send", "evm_", "anvil_", "hardhat_")  # beginnings of methods
PREFLIGHT = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "POST",
    "Access-Control-Allow-Headers": "*",
}


@dataclass(frozen=True)
class Call:
    """One JSON-RPC call."""

    id: Any
    method: str
    parameters: Any

    @property
    def transaction(self) -> str | None:
        """The signed transaction that it sends."""
        if self.method != "eth_sendRawTransaction" or not isinstance(self.parameters, list):
            return None
        return str(self.parameters[0]) if self.parameters else None


class ChainServer:
    """Passes requests on to a KeptAnvil."""

    def __init__(self, anvil: KeptAnvil) -> None:
        self._anvil = anvil
        self._changing = asyncio.Lock()
        self._http: aiohttp.ClientSession | None = None

    def app(self) -> web.Application:
        """The application; it starts and stops anvil."""
        app = web.Application(client_max_size=MAX_BODY_BYTES)
        app.router.add_post("/", self._answer)
        app.router.add_options("/", self._preflight)
        app.cleanup_ctx.append(self._running)
        return app

    async def _running(self, _app: web.Application) -> Any:
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

    async def _preflight(self, _request: web.Request) -> web.Response:
        return web.Response(headers=PREFLIGHT)

    async def _answer(self, request: web.Request) -> web.Response:
        body = await request.read()
        calls = _calls(body)
        if any(call.method.startswith(CHANGES) for call in calls):
            async with self._changing:
                answer = await self._change(body, calls)
        else:
            answer = await self._pass_on(body)
        headers = {"Access-Control-Allow-Origin": "*"}
        return web.Response(body=answer, content_type="application/json", headers=headers)

    async def _pass_on(self, body: bytes) -> bytes:
        """A question; asked again where anvil dies meanwhile."""
        while True:
            try:
                return await self._ask(body)
            except aiohttp.ClientError:
                await asyncio.sleep(CHECK_SECONDS)

    async def _change(self, body: bytes, calls: list[Call]) -> bytes:
        for raw in filter(None, (call.transaction for call in calls)):
            self._anvil.journal.add_sent(raw)
        answer = None
        while answer is None:
            try:
                self._revive()
                answer = await self._ask(body)
                self._anvil.note_blocks()
            except (aiohttp.ClientError, requests.RequestException):
                # It died. What was sent is sent again at its start; that is the answer then.
                self._revive()
                answer = _known(self._anvil.web3, calls)
        return answer

    async def _ask(self, body: bytes) -> bytes:
        assert self._http is not None
        headers = {"content-type": "application/json"}
        async with self._http.post(self._anvil.url, data=body, headers=headers) as response:
            return await response.read()


def _calls(body: bytes) -> list[Call]:
    """The calls of a request; none where it is malformed (anvil says in which way)."""
    try:
        content = json.loads(body)
        calls = content if isinstance(content, list) else [content]
        return [Call(call.get("id"), str(call["method"]), call.get("params")) for call in calls]
    except (ValueError, KeyError, TypeError, AttributeError):
        return []


def _known(web3: Web3, calls: list[Call]) -> bytes | None:
    """The answer for one sent transaction that the chain already has."""
    raw = calls[0].transaction if len(calls) == 1 else None
    if raw is None:
        return None
    try:
        found = Web3.to_hex(Web3.keccak(hexstr=HexStr(raw)))
        web3.eth.get_transaction(HexBytes(found))
    except (TransactionNotFound, ValueError, requests.RequestException):
        return None
    return json.dumps({"jsonrpc": "2.0", "id": calls[0].id, "result": found}).encode()


def main() -> None:
    """`python -m fogbound.chainserver DATA PORT`: serve on 127.0.0.1 until SIGINT or SIGTERM."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    data, port = Path(sys.argv[1]), int(sys.argv[2])
    app = ChainServer(KeptAnvil(data / "chain", data / "logs" / "anvil.log")).app()
    web.run_app(app, host="127.0.0.1", port=port, print=None, access_log=None)


if __name__ == "__main__":
    main()
