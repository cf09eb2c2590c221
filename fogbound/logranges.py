"""The logs of a range of blocks, asked of anvil a part at a time: it builds each answer in its memory, and a
few blocks full of logs would be too much for that.
"""

from collections.abc import Iterator, Sequence

from fogbound.gasused import LARGE_GAS, GasUsed
from fogbound.jsonrpc import INVALID_PARAMETERS, Json, RpcError, quantity
from fogbound.questions import READ_AGAIN, Questions, Room
from fogbound.rawtransactions import MAX_GAS
from fogbound.turns import Places

METHOD = "eth_getLogs"
NEWEST = (None, "latest", "pending", "safe", "finalized")
Part = tuple[int, int]  # first and last block


class LogRanges:
    """`places`: for answers that may be large."""

    def __init__(self, questions: Questions, gas: GasUsed, places: Places) -> None:
        self._questions = questions
        self._gas = gas
        self._places = places

    async def logs(self, parameters: Sequence[Json], head: int, room: Room) -> list[Json]:
        """The answer to eth_getLogs. `head`: a block that is there; the node may have a newer one already,
        of which followers know. Raises RpcError, TooBusy, TimeoutError.
        """
        wanted = parameters[0] if len(parameters) == 1 else None
        if not isinstance(wanted, dict):
            raise RpcError(INVALID_PARAMETERS, "a filter is expected")
        if "blockHash" in wanted:
            return await self._places.run(lambda: self._ask(wanted, room))
        if _number(wanted.get("toBlock"), head + 1) > head:
            head = int(await self._questions.ask("eth_blockNumber", again=READ_AGAIN), 16)
        first = _number(wanted.get("fromBlock"), head)
        last = min(_number(wanted.get("toBlock"), head), head)
        gas = await self._gas.of(range(first, last + 1))
        if sum(gas) <= LARGE_GAS:
            return await self._collect(wanted, parts(gas, first), room)
        return await self._places.run(lambda: self._collect(wanted, parts(gas, first), room))

    async def _collect(self, wanted: Json, ranges: Iterator[Part], room: Room) -> list[Json]:
        found: list[Json] = []
        for start, end in ranges:
            part = {**wanted, "fromBlock": hex(start), "toBlock": hex(end)}
            found += await self._ask(part, room)
        return found

    async def _ask(self, wanted: Json, room: Room) -> list[Json]:
        found: list[Json] = await self._questions.ask(METHOD, wanted, room=room, again=READ_AGAIN)
        return found


def parts(gas: Sequence[int], first: int) -> Iterator[Part]:
    """Of blocks from `first` on that took so much gas: in each no more than one transaction may take, or one
    block. There are none of no blocks.
    """
    begin, taken = first, 0
    for number, each in enumerate(gas, first):
        if number > begin and taken + each > MAX_GAS:
            yield begin, number - 1
            begin, taken = number, 0
        taken += each
    if gas:
        yield begin, first + len(gas) - 1


def _number(block: Json, head: int) -> int:
    if block in NEWEST:
        return head
    return 0 if block == "earliest" else quantity(block)
