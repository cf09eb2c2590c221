"""What is tried out at the local chain: `eth_call` and `eth_estimateGas`.

anvil mines nothing while it tries something out, and nothing can stop it. So a run is bounded by gas, and
unknown code is run one at a time, each run in a turn of its own, as if it changed the chain.
"""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from math import isqrt

from fogbound.jsonrpc import INVALID_PARAMETERS, Json, NodeError, RpcError, quantity
from fogbound.knowncode import KnownCode
from fogbound.questions import READ_AGAIN, Questions, Room
from fogbound.rawtransactions import MAX_GAS
from fogbound.turns import Places, Turns

METHODS = ("eth_call", "eth_estimateGas")
USUAL_GAS = 10_000_000  # of a call that names none: twice what the dearest of ours takes
UNKNOWN_GAS = 10_000_000  # at most, of unknown code: a second or two
SMALL_GAS = 100_000  # what runs for so little is over in 10 ms, whatever it is
QUICK_GAS = (
    2_000_000  # anvil estimates up to so much in one go: it runs known code 24 times at most
)
AT_ONCE = 2  # of known code, and as many small ones of any other
CALLS = "calls are tried out"
WAITING = (256, 30.0)  # how many more may wait, and for how many seconds
NOW = ("latest", "pending")  # blocks as of which a call is tried out at the time of now
NO_OVERRIDES = 3  # parameters of a call before those that say what the block is like
PRECISION = 64  # an estimate is too high by one part of so many

Run = Callable[[int], Awaitable[Json]]  # with so much gas


class Trials:
    """Tries out what clients want, as of the time of a block that would be mined `now`."""

    def __init__(
        self, questions: Questions, turns: Turns, known: KnownCode, now: Callable[[], int]
    ) -> None:
        self._questions = questions
        self._turns = turns
        self._known = known
        self._now = now
        waiting, seconds = WAITING
        self._known_places, self._small_places = (
            Places(AT_ONCE, waiting=waiting, seconds=seconds, what=CALLS) for _ in range(2)
        )

    async def run(self, method: str, parameters: Sequence[Json], room: Room) -> Json:
        """The answer to one of METHODS. Raises RpcError, TooBusy, TimeoutError."""
        if not parameters or not isinstance(parameters[0], dict):
            raise RpcError(INVALID_PARAMETERS, "a call is expected")
        call = parameters[0]
        is_known = call.get("to") in self._known and len(parameters) < NO_OVERRIDES
        most = min(USUAL_GAS if call.get("gas") is None else quantity(call["gas"]), MAX_GAS)
        if not is_known:
            most = min(most, UNKNOWN_GAS)
        given = self._as_of_now(parameters)
        if method == "eth_call":
            return await self._try(method, given, is_known, room, most)
        return await self._estimate(given, is_known, room, most)

    async def _estimate(self, given: list[Json], is_known: bool, room: Room, most: int) -> Json:
        quick = min(most, QUICK_GAS if is_known else SMALL_GAS)
        try:
            return await self._try("eth_estimateGas", given, is_known, room, quick)
        except NodeError:
            if most <= quick:
                raise
        return hex(await least_gas(partial(self._try, "eth_call", given, is_known, room), most))

    async def _try(
        self, method: str, given: list[Json], is_known: bool, room: Room, gas: int
    ) -> Json:
        parameters = [{**given[0], "gas": hex(gas)}, *given[1:]]
        if is_known or gas <= SMALL_GAS:
            ask = partial(self._questions.ask, method, *parameters, room=room, again=READ_AGAIN)
            places = self._known_places if is_known else self._small_places
            return await places.run(ask)
        ask = partial(self._questions.ask, method, *parameters, room=room, again=0)
        return await self._turns.run(ask, known=False)

    def _as_of_now(self, given: Sequence[Json]) -> list[Json]:
        """What is tried out now sees the time that a transaction of now would: no block may come for long."""
        if len(given) > NO_OVERRIDES:
            return list(given)
        if len(given) > 1 and not _means_now(given[1]):
            return list(given)
        block, states = (*given, None, None)[1:NO_OVERRIDES]
        return [given[0], block or "latest", states or {}, {"time": hex(self._now())}]


def _means_now(block: Json) -> bool:
    return block is None or (isinstance(block, str) and block in NOW)


async def least_gas(run: Run, most: int, least: int = 21_000) -> int:
    """The least gas with which `run` succeeds, or a little more. Raises RpcError as it does with `most`."""
    await run(most)
    while most - least > most // PRECISION:
        middle = isqrt(least * most)
        try:
            await run(middle)
            most = middle
        except NodeError:
            least = middle
    return most
