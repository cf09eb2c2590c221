"""How much gas blocks and transactions took, hence how long what is told of them may be (a byte a gas)."""

from collections import OrderedDict
from collections.abc import Sequence

from fogbound.jsonrpc import Json
from fogbound.questions import READ_AGAIN, Question, Questions

LARGE_GAS = 2_000_000
MOST_LARGE = 100_000  # transactions that are remembered
MOST_BLOCKS = 200_000  # that are remembered, about 100 bytes each
HEADERS_AT_ONCE = 100


class GasUsed:
    """On a chain that takes no block back."""

    def __init__(self, questions: Questions) -> None:
        self._questions = questions
        self._blocks: dict[int, int] = {}
        self._large: OrderedDict[str, None] = OrderedDict()

    def note(self, block: int, transaction: str | None = None, gas: int = 0) -> None:
        """A block was mined, with that transaction or empty."""
        self._blocks[block] = gas
        if len(self._blocks) > MOST_BLOCKS:
            del self._blocks[next(iter(self._blocks))]
        if transaction is not None and gas > LARGE_GAS:
            self._large[transaction] = None
            while len(self._large) > MOST_LARGE:
                self._large.popitem(last=False)

    def was_large(self, transaction: Json) -> bool:
        """Whether it took more than LARGE_GAS, of those that were noted."""
        return isinstance(transaction, str) and transaction.lower() in self._large

    async def of(self, blocks: Sequence[int]) -> list[int]:
        """What each of these took; what is not known is asked for. Raises RpcError, TimeoutError."""
        found = {each: self._blocks[each] for each in blocks if each in self._blocks}
        missing = [each for each in blocks if each not in found]
        for begin in range(0, len(missing), HEADERS_AT_ONCE):
            some = missing[begin : begin + HEADERS_AT_ONCE]
            asked: list[Question] = [("eth_getBlockByNumber", hex(each), False) for each in some]
            for header in await self._questions.ask_all(*asked, again=READ_AGAIN):
                number, gas = int(header["number"], 16), int(header["gasUsed"], 16)
                found[number] = gas
                self.note(number, gas=gas)
        return [found[each] for each in blocks]
