"""Asking the chain's node and the gateway for a client, without telling where they are."""

import json
from collections.abc import Callable
from typing import Any

import httpx

from fhevm.clients import CLIENT_HEADER, TOKEN_HEADER
from fogbound.errors import FogboundError
from frontend.app.errors import AnswerTooLong, UpstreamFailed, UpstreamSlow
from frontend.app.network import Network

TIMEOUT = httpx.Timeout(30.0, connect=5.0)
LIMITS = httpx.Limits(max_connections=64, max_keepalive_connections=32)
ANSWER_BYTES = 8 << 20  # a few calls can ask for very much
AGAIN = ("retry-after",)  # the only header that means something to a client
JSON_TYPE = {"content-type": "application/json"}


class Upstream:
    """Both servers of one network."""

    def __init__(
        self, network: Callable[[], Network], transport: httpx.AsyncBaseTransport | None = None
    ) -> None:
        """`network`: says where they are now; `transport`: for tests."""
        self._network = network
        self._http = httpx.AsyncClient(
            timeout=TIMEOUT, limits=LIMITS, transport=transport, trust_env=False
        )

    def network(self) -> Network:
        """Where they are. Raises UpstreamFailed."""
        try:
            return self._network()
        except FogboundError as error:
            raise UpstreamFailed("no chain is served now") from error

    async def rpc(self, call: Any) -> Any:
        """The JSON that the chain's node answers to `call`. Raises UpstreamFailed, or a kind of it."""
        body = json.dumps(call)
        answer = await self._ask(
            "POST", self.network().rpc, "the chain", content=body, headers=JSON_TYPE
        )
        try:
            return answer.json()
        except ValueError:
            raise UpstreamFailed(f"the chain answers with status {answer.status_code}") from None

    async def gateway(
        self, method: str, path: str, body: bytes, client: str = ""
    ) -> httpx.Response:
        """What the gateway answers; `client`: for whom it is asked. Raises UpstreamFailed, UpstreamSlow."""
        network = self.network()
        base = network.gateway
        if base is None:
            raise UpstreamFailed("no gateway is known for this chain")
        url = base.rstrip("/") + path
        headers = JSON_TYPE
        if client and network.proxy_token:
            headers = headers | {CLIENT_HEADER: client, TOKEN_HEADER: network.proxy_token}
        return await self._ask(method, url, "the gateway", content=body, headers=headers)

    async def _ask(self, method: str, url: str, who: str, **request: Any) -> httpx.Response:
        """No cause is kept: it names the address, which may hold a key."""
        try:
            async with self._http.stream(method, url, **request) as answer:
                content = bytearray()
                async for part in answer.aiter_bytes():
                    content += part
                    if len(content) > ANSWER_BYTES:
                        raise AnswerTooLong(f"{who} answers with too much")
            again = {name: answer.headers[name] for name in AGAIN if name in answer.headers}
            return httpx.Response(answer.status_code, headers=again, content=bytes(content))
        except httpx.TimeoutException:
            raise UpstreamSlow(f"{who} does not answer in time") from None
        except httpx.HTTPError:
            raise UpstreamFailed(f"{who} does not answer") from None

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()
