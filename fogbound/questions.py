"""What the local chain's server asks its anvil, which may be killed at any moment: then it is asked again."""

import asyncio
import json
from collections.abc import Callable

import aiohttp

from fogbound.anvil import KeptAnvil
from fogbound.jsonrpc import BUSY, FAILED, INVALID_PARAMETERS, Json, NodeError, RpcError

RETRY_SECONDS = 0.02  # where anvil does not answer
ANSWER_SECONDS = 120.0  # for a question, a start of anvil included
READ_AGAIN = 1  # times, where anvil died over a client's question: it may have died of it
# times, where it died while somebody changed the chain: then it died of that, most likely
ANYHOW_AGAIN = 5
OWN_BYTES = 256 << 20  # of anvil's answer to a question of our own: a block full of logs has 20 MB

Question = tuple[Json, ...]  # (method, *parameters)


class Room:
    """How many bytes of answers a request may still take."""

    def __init__(self, left: int) -> None:
        self._left = left

    def take(self, count: int) -> None:
        """Raises RpcError where that is too much, and from then on."""
        self._left -= count
        self.check()

    def check(self) -> None:
        """Raises RpcError where there is none."""
        if self._left < 0:
            raise RpcError(BUSY, "the answer is too long; ask for less")


class Questions:
    """Used from one event loop. `is_changing`: whether somebody changes the chain, or may end its node."""

    def __init__(
        self, anvil: KeptAnvil, http: aiohttp.ClientSession, is_changing: Callable[[], bool]
    ) -> None:
        self._anvil = anvil
        self._http = http
        self._is_changing = is_changing

    async def ask(
        self, method: str, *parameters: Json, room: Room | None = None, again: int | None = None
    ) -> Json:
        """One question. Raises as `ask_all` does."""
        (answer,) = await self.ask_all((method, *parameters), room=room, again=again)
        return answer

    async def ask_all(
        self, *questions: Question, room: Room | None = None, again: int | None = None
    ) -> list[Json]:
        """The answers to questions, all of them asked at one go.

        They are asked again where anvil dies meanwhile; if it had them, at most `again` times where nobody
        changes the chain, whose fault it might be. Raises RpcError with anvil's answer, TimeoutError.
        """
        body = [
            {"jsonrpc": "2.0", "id": number, "method": method, "params": parameters}
            for number, (method, *parameters) in enumerate(questions)
        ]
        room = room or Room(OWN_BYTES)
        room.check()
        deaths = Deaths(again)
        async with asyncio.timeout(ANSWER_SECONDS):
            while True:
                try:
                    return _results_of(await self._post(body, room), len(body))
                except aiohttp.ClientConnectorError:
                    pass
                except aiohttp.ClientError:
                    deaths.count(self._is_changing())
                except ValueError:
                    raise RpcError(INVALID_PARAMETERS, "the node did not understand that") from None
                await asyncio.sleep(RETRY_SECONDS)

    async def _post(self, body: Json, room: Room) -> Json:
        async with self._http.post(self._anvil.url, json=body) as response:
            answer = bytearray()
            async for chunk in response.content.iter_any():
                room.take(len(chunk))
                answer += chunk
        return json.loads(answer)


class Deaths:
    """How often anvil may still end over a question."""

    def __init__(self, again: int | None) -> None:
        """`again`: None where it is asked for ever."""
        self._left = again
        self._anyhow = ANYHOW_AGAIN

    def count(self, is_changing: bool) -> None:
        """One more. `is_changing`: whether it may have been another's fault. Raises RpcError."""
        if self._left is None:
            return
        if self._left and is_changing and self._anyhow:
            self._anyhow -= 1
        elif self._left:
            self._left -= 1
        else:
            raise RpcError(FAILED, "the node ended over that; it is not asked again")


def _results_of(answers: Json, count: int) -> list[Json]:
    """In the order of the questions."""
    if not isinstance(answers, list) or len(answers) != count:
        raise RpcError(FAILED, "the node gave no answer")
    return [_result_of(each) for each in sorted(answers, key=lambda each: each["id"])]


def _result_of(answer: Json) -> Json:
    if isinstance(answer, dict) and isinstance(answer.get("error"), dict):
        raise NodeError(answer["error"])
    if not isinstance(answer, dict) or "result" not in answer:
        raise RpcError(FAILED, "the node gave no answer")
    return answer["result"]
