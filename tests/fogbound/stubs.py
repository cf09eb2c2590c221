"""A local node with something in anvil's place that answers as it likes."""

import asyncio
from types import SimpleNamespace

import aiohttp
from aiohttp import web
from aiohttp.test_utils import TestServer

from fhevm.addresses import LOCAL
from fogbound.journal import Block
from fogbound.localnode import LocalNode

KNOWN = LOCAL.acl  # a contract whose code does the node no harm
SECONDS = 60  # in which everything here has long been answered


def behind(answer, act, head=0):
    """Run `act` at a node with `answer` (of a request) in anvil's place."""

    async def main():
        app = web.Application()
        app.router.add_post("/", answer)
        async with TestServer(app) as server, aiohttp.ClientSession() as http:
            anvil = SimpleNamespace(url=str(server.make_url("/")), head=Block(head, 0))
            await asyncio.wait_for(act(LocalNode(anvil, http)), SECONDS)

    asyncio.run(main())


async def ask(node, method, *parameters):
    """The result, or in which words it is refused."""
    answer = await node.answer({"id": 1, "method": method, "params": [*parameters]})
    return answer["result"] if "result" in answer else answer["error"]["message"]


class Slow:
    """Answers what is tried out once it is `let`; notes what it was asked."""

    def __init__(self):
        self.asked, self.let = [], asyncio.Event()

    async def __call__(self, request):
        (call,) = await request.json()
        if call["method"] == "eth_call":
            self.asked.append(call["params"][0].get("number"))
            await self.let.wait()
        return web.json_response([{"id": call["id"], "result": "0x"}])

    async def is_asked(self, *expected):
        """Wait for exactly that; others would come meanwhile."""
        while len(self.asked) < len(expected):
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)
        assert self.asked == [*expected]
