"""The local chain's methods, in front of an anvil that may be killed at any moment.

It passes on what only reads, and changes the chain in two ways: a signed transaction with its account's next
nonce is mined at once, alone in its block, and empty blocks are mined when asked for. Nothing else: what
anvil offers beyond that (to act as any account, to go back, to write storage) would let whoever reaches the
port read every board, and could not be done again after a kill. An anvil that dies is started again; whoever
asked meanwhile just waits.
"""

import asyncio
import logging
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import TypeVar

import aiohttp

from fhevm.memory import trim_memory
from fogbound.accounts import DEPLOYER
from fogbound.anvil import KeptAnvil
from fogbound.errors import FogboundError, TransactionRefused
from fogbound.gasused import GasUsed
from fogbound.journal import Block
from fogbound.jsonrpc import (
    BUSY,
    FAILED,
    INVALID_PARAMETERS,
    INVALID_REQUEST,
    NO_SUCH_METHOD,
    Call,
    Json,
    RpcError,
    error,
    failed,
    id_of,
    quantity,
    succeeded,
)
from fogbound.knowncode import KnownCode
from fogbound.logranges import METHOD as LOGS
from fogbound.logranges import LogRanges
from fogbound.questions import READ_AGAIN, Questions, Room
from fogbound.rawtransactions import RawTransaction
from fogbound.subscriptions import Subscriber, Subscribers
from fogbound.trials import METHODS as TRIED_OUT
from fogbound.trials import SMALL_GAS, Trials
from fogbound.turns import Places, TooBusy, Turns, whole

log = logging.getLogger(__name__)

OF_ONE_SENDER = 4  # transactions that may wait; only one of them can be mined
MAX_BLOCKS = 1_000  # that one request may mine
# Nothing that anvil keeps in memory for whoever asks (filters).
READS = frozenset(
    (
        "eth_accounts",
        "eth_blockNumber",
        "eth_chainId",
        "eth_feeHistory",
        "eth_gasPrice",
        "eth_getBalance",
        "eth_getBlockByHash",
        "eth_getBlockByNumber",
        "eth_getBlockReceipts",
        "eth_getBlockTransactionCountByHash",
        "eth_getBlockTransactionCountByNumber",
        "eth_getCode",
        "eth_getLogs",
        "eth_getStorageAt",
        "eth_getTransactionByBlockHashAndIndex",
        "eth_getTransactionByBlockNumberAndIndex",
        "eth_getTransactionByHash",
        "eth_getTransactionCount",
        "eth_getTransactionReceipt",
        "eth_maxPriorityFeePerGas",
        "eth_syncing",
        "net_listening",
        "net_version",
        "web3_clientVersion",
        "web3_sha3",
    )
)
FEE_BLOCKS, FEE_PERCENTILES = 100, 20
CLIENT_BYTES = 20 << 20  # of anvil's answers to one request
LARGE_AT_ONCE, LARGE_WAITING, LARGE_SECONDS = 2, 64, 30.0  # answers of more than a few megabytes
LARGE = "large answers are asked for"
PRICES = ("eth_gasPrice", "eth_maxPriorityFeePerGas")

T = TypeVar("T")


class LocalNode:
    """Answers JSON-RPC calls for a KeptAnvil; used from one event loop."""

    def __init__(self, anvil: KeptAnvil, http: aiohttp.ClientSession) -> None:
        self.subscribers = Subscribers()
        self._anvil = anvil
        self._turns = Turns()
        self._known = KnownCode()
        self._questions = Questions(anvil, http, lambda: self._turns.is_taken)
        self._trials = Trials(self._questions, self._turns, self._known, self._now)
        self._gas = GasUsed(self._questions)
        self._large = Places(
            LARGE_AT_ONCE, waiting=LARGE_WAITING, seconds=LARGE_SECONDS, what=LARGE
        )
        self._log_ranges = LogRanges(self._questions, self._gas, self._large)
        self._senders: Counter[str] = Counter()  # how many transactions of each wait
        # One thread changes the chain; it lasts as long as anvil, which ends with it.
        self._thread = ThreadPoolExecutor(1, "anvil")

    async def start(self) -> None:
        """Start anvil. Raises StackRunning, ProcessFailed, ChainRefused."""
        self._anvil.hold()
        await self._change(self._anvil.start)
        following = await self._questions.ask("eth_getTransactionCount", DEPLOYER.address, "latest")
        self._known.learn(int(following, 16))
        trim_memory()

    async def stop(self) -> None:
        """End anvil in peace, after what it is at."""
        await self._change(self._anvil.stop)
        self._thread.shutdown()

    async def keep_alive(self) -> None:
        """Start anvil again whenever it dies. Raises FogboundError where that is in vain.

        That waits for no turn: whoever has one may be asking anvil, again and again until it answers.
        """
        while True:
            await asyncio.to_thread(self._anvil.wait_for_end)
            await self._change(self._revive)

    def _revive(self) -> None:
        if not self._anvil.is_alive():
            log.warning("anvil died; starting it again")
            self._anvil.start()

    async def _change(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    # -- calls --

    async def answer(self, content: Json, subscriber: Subscriber | None = None) -> Json:
        """The answer to one call or a batch. `subscriber`: whose connection it came over, if it stays.

        Cancelled, it reads no further; what changes the chain is done all the same.
        """
        room = Room(CLIENT_BYTES)
        if isinstance(content, list):
            return [await self._answer(each, subscriber, room) for each in content]
        return await self._answer(content, subscriber, room)

    async def _answer(self, content: Json, subscriber: Subscriber | None, room: Room) -> Json:
        try:
            call = Call.parse(content)
            return succeeded(call.id, await self._result(call, subscriber, room))
        except Exception as problem:  # noqa: BLE001 - one call's fault is not its batch's
            return failed(id_of(content), _told(problem))

    async def _result(self, call: Call, subscriber: Subscriber | None, room: Room) -> Json:
        if call.method == "eth_sendRawTransaction":
            return await whole(self._send(call))
        if call.method in ("evm_mine", "anvil_mine"):
            return await self._mine_empty(call)
        if subscriber and call.method == "eth_subscribe":
            return subscriber.subscribe(call.parameters)
        if subscriber and call.method == "eth_unsubscribe":
            return subscriber.unsubscribe(call.parameters)
        if call.method in TRIED_OUT:
            return await self._trials.run(call.method, call.parameters, room)
        if call.method in READS:
            return await self._read(call, room)
        raise RpcError(NO_SUCH_METHOD, f"{call.method} is not offered by this chain")

    async def _read(self, call: Call, room: Room) -> Json:
        if call.method == LOGS:
            return await self._log_ranges.logs(call.parameters, self._anvil.head.number, room)
        parameters = call.parameters
        if call.method == "eth_feeHistory":
            parameters = _few_fees(parameters)
        ask = partial(self._questions.ask, call.method, *parameters, room=room, again=READ_AGAIN)
        if self._may_be_large(call):
            return await self._large.run(ask)
        result = await ask()
        if call.method in PRICES:
            return hex(max(int(result, 16), self._turns.tip_to_come_first()))
        if call.method == "eth_getBlockByNumber" and result and call.parameters[0] == "pending":
            result["timestamp"] = hex(self._now())
        return result

    def _may_be_large(self, call: Call) -> bool:
        """Whether an answer is bounded by what a transaction logged only, and that was much."""
        if call.method == "eth_getTransactionReceipt":
            return bool(call.parameters) and self._gas.was_large(call.parameters[0])
        return call.method == "eth_getBlockReceipts"

    def _now(self) -> int:
        """The time of a block that would be mined now."""
        return max(int(time.time()), self._anvil.head.timestamp)

    # -- changes --

    async def _send(self, call: Call) -> str:
        """Mine a signed transaction; its hash."""
        if len(call.parameters) != 1:
            raise RpcError(INVALID_PARAMETERS, "one raw transaction is expected")
        sent = RawTransaction.parse(call.parameters[0])
        checked_at = self._anvil.head
        if not await self._is_mined(sent):
            with self._waiting(sent.sender):
                await self._mine_in_turn(sent, checked_at)
        return sent.hash

    async def _is_mined(self, sent: RawTransaction) -> bool:
        """Whether it is, already. What could not be mined now raises TransactionRefused."""
        receipt, following, balance = await self._questions.ask_all(
            ("eth_getTransactionReceipt", sent.hash),
            ("eth_getTransactionCount", sent.sender, "latest"),
            ("eth_getBalance", sent.sender, "latest"),
        )
        if receipt is None:
            sent.check_nonce(int(following, 16))
            sent.check_funds(int(balance, 16))
        return receipt is not None

    @contextmanager
    def _waiting(self, sender: str) -> Iterator[None]:
        """No account fills the queue for all others. Raises TooBusy."""
        if self._senders[sender] >= OF_ONE_SENDER:
            raise TooBusy
        self._senders[sender] += 1
        try:
            yield
        finally:
            self._senders[sender] -= 1
            self._senders += Counter()  # forgets who has none

    async def _mine_in_turn(self, sent: RawTransaction, checked_at: Block) -> None:
        known = self._is_known(sent)
        async with self._turns.turn(known=known, tip=sent.tip):
            if self._anvil.head == checked_at or not await self._is_mined(sent):
                await self._mine(sent, suspect=not known)

    def _is_known(self, sent: RawTransaction) -> bool:
        return sent.to in self._known or sent.gas <= SMALL_GAS or sent.sender == DEPLOYER.address

    async def _mine(self, sent: RawTransaction, *, suspect: bool) -> None:
        await self._change(lambda: self._anvil.mine((sent.raw,), suspect=suspect))
        if sent.sender == DEPLOYER.address:
            self._known.learn(sent.nonce + 1)
        receipt, *_ = await self._ask_and_tell(("eth_getTransactionReceipt", sent.hash))
        gas = int(receipt["gasUsed"], 16) if receipt else 0
        self._gas.note(self._anvil.head.number, sent.hash, gas)
        if receipt is None:
            raise RpcError(
                FAILED, "the transaction could not be mined and is forgotten; its block is empty"
            )

    async def _mine_empty(self, call: Call) -> str:
        for _ in range(_count(call.parameters)):
            await whole(self._mine_one_empty())
        return "0x0"

    async def _mine_one_empty(self) -> None:
        async with self._turns.turn(known=True):
            await self._change(self._anvil.mine)
            self._gas.note(self._anvil.head.number)
            await self._ask_and_tell()

    async def _ask_and_tell(self, *questions: tuple[Json, ...]) -> list[Json]:
        """Tell subscribers of the newest block; the answers to what else is asked at the same go."""
        number = hex(self._anvil.head.number)
        about_head: list[tuple[Json, ...]] = []
        if self.subscribers.want_heads:
            about_head.append(("eth_getBlockByNumber", number, False))
        if self.subscribers.want_logs:
            about_head.append(("eth_getLogs", {"fromBlock": number, "toBlock": number}))
        if not questions and not about_head:
            return []
        answers = await self._questions.ask_all(*questions, *about_head)
        self._tell(*answers[len(questions) :])
        return answers

    def _tell(self, head: Json = None, logs: Sequence[Json] = ()) -> None:
        if head is not None:
            head.pop("transactions", None)
            head.pop("uncles", None)
            self.subscribers.tell_of(head, logs)


def _told(problem: Exception) -> Json:
    """The error object for what went wrong."""
    match problem:
        case RpcError() | TransactionRefused():
            return problem.answer
        case RecursionError():
            code, words = INVALID_REQUEST, "nested too deeply"
        case TooBusy():
            code, words = BUSY, str(problem)
        case TimeoutError():
            code, words = FAILED, "the node did not answer in time"
        case OSError():  # a full disk: nothing is mined that cannot be noted
            code, words = FAILED, f"the chain cannot be written: {os.strerror(problem.errno or 0)}"
        case FogboundError():
            code, words = FAILED, str(problem)
        case _:
            log.error("a call failed: %s", type(problem).__name__)
            code, words = FAILED, "the node failed over that"
    return error(code, words)


def _few_fees(parameters: Sequence[Json]) -> list[Json]:
    """Of eth_feeHistory: its answer has a number for each block and percentile."""
    count, *rest = parameters or [None]
    percentiles = rest[1] if len(rest) > 1 else None
    if not isinstance(percentiles, list | None) or len(percentiles or ()) > FEE_PERCENTILES:
        raise RpcError(INVALID_PARAMETERS, f"at most {FEE_PERCENTILES} percentiles")
    return [hex(min(quantity(count), FEE_BLOCKS)), *rest]


def _count(parameters: Json) -> int:
    """How many blocks."""
    try:
        (count,) = parameters or [1]
        number = int(count, 16) if isinstance(count, str) else int(count)
    except (ValueError, TypeError, OverflowError):
        raise RpcError(INVALID_PARAMETERS, "at most a number of blocks is expected") from None
    if not 0 <= number <= MAX_BLOCKS:
        raise RpcError(INVALID_PARAMETERS, f"at most {MAX_BLOCKS} blocks at once")
    return number
