"""Who is told when the chain has moved: `eth_subscribe` for new heads and for logs.

What a connection is told of a block is put together only as it reads, a few notifications at a time, so that
no block, no filter and no number of subscriptions holds up anybody else.
"""

import asyncio
import json
import re
import secrets
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from fogbound.jsonrpc import BUSY, INVALID_PARAMETERS, Json, RpcError
from fogbound.outbox import Outbox, Overfull

CONNECTIONS = 64
OWN_CONNECTIONS = 16  # more, for the parts of the stack
IDLE_SECONDS = 5.0  # after which a connection without subscriptions gives way
SUBSCRIPTIONS = 32  # of a connection
TOPICS = 4  # of a log
FILTER_TERMS = 256  # addresses and choices of topics together
ADDRESS, TOPIC = (re.compile(f"0x[0-9a-fA-F]{{{digits}}}") for digits in (40, 64))
LOGS_AT_ONCE = 256  # looked at before others have their turn
LOG_BYTES = 1024  # what a log counts for, beside its data


@dataclass(frozen=True)
class LogFilter:
    """Which logs are wanted. No choices: all."""

    addresses: frozenset[str]
    topics: tuple[frozenset[str], ...]

    def accepts(self, log: Json) -> bool:
        """Whether a log, as eth_getLogs gives it, is wanted."""
        if self.addresses and log["address"].lower() not in self.addresses:
            return False
        found = [topic.lower() for topic in log["topics"]]
        return len(found) >= len(self.topics) and all(
            not choices or topic in choices
            for choices, topic in zip(self.topics, found, strict=False)
        )


Parts = AsyncIterator[str | None]  # of a message; None: nothing yet


@dataclass(eq=False)
class Subscriber:
    """A connection, and how to cut it off, with the reason. `is_own`: of a part of the stack."""

    cut_off: Callable[[str], object]
    outbox: Outbox[Parts] = field(default_factory=Outbox)
    heads: set[str] = field(default_factory=set)
    logs: dict[str, LogFilter] = field(default_factory=dict)
    is_own: bool = False
    clock: Callable[[], float] = time.monotonic
    _is_asking: bool = False
    _silent_since: float = field(init=False)

    def __post_init__(self) -> None:
        self._silent_since = self.clock()

    @contextmanager
    def asking(self) -> Iterator[None]:
        """Surrounds what is done for a message of theirs, to the answer's end."""
        self._is_asking = True
        try:
            yield
        finally:
            self._is_asking, self._silent_since = False, self.clock()

    @property
    def seconds_idle(self) -> float:
        """Since when they neither ask nor are subscribed to anything."""
        is_busy = self._is_asking or self.heads or self.logs
        return 0.0 if is_busy else self.clock() - self._silent_since

    def subscribe(self, parameters: Sequence[Json]) -> str:
        """A new subscription's id. Raises RpcError."""
        if len(self.heads) + len(self.logs) >= SUBSCRIPTIONS:
            raise RpcError(BUSY, f"at most {SUBSCRIPTIONS} subscriptions")
        name = "0x" + secrets.token_hex(16)
        match list(parameters):
            case ["newHeads"]:
                self.heads.add(name)
            case ["logs", *rest] if len(rest) <= 1:
                self.logs[name] = log_filter(*rest)
            case _:
                raise RpcError(INVALID_PARAMETERS, "newHeads, or logs with a filter, is expected")
        return name

    def unsubscribe(self, parameters: Sequence[Json]) -> bool:
        """Whether there was such a subscription. Raises RpcError."""
        match list(parameters):
            case [str(name)]:
                known = name in self.heads or name in self.logs
                self.heads.discard(name)
                self.logs.pop(name, None)
                return known
        raise RpcError(INVALID_PARAMETERS, "a subscription's id is expected")

    async def answer(self, text: str) -> None:
        """Have an answer sent; until then its connection is asked nothing more."""
        sent = asyncio.Event()
        self._put(_one(text, sent), len(text))
        await sent.wait()

    def tell_of(self, head: str, logs: Sequence[Json], weight: int) -> None:
        """Tell of a new block. `head`: as JSON; `weight`: of its logs, in bytes."""
        if self.heads:
            self._put(_each(tuple(self.heads), head), len(self.heads) * len(head))
        if self.logs:
            self._put(_matching(dict(self.logs), logs), weight)

    def _put(self, message: Parts, weight: int) -> None:
        try:
            self.outbox.put(message, weight)
        except Overfull:
            self.cut_off("it does not read")

    async def unread(self) -> AsyncIterator[str]:
        """What is to be sent, for ever; after each, others have their turn."""
        while True:
            async for part in await self.outbox.first():
                if part is not None:
                    yield part
                self.outbox.move()
                await asyncio.sleep(0)
            self.outbox.pop()


async def _one(text: str, sent: asyncio.Event) -> Parts:
    yield text
    sent.set()


async def _each(names: Sequence[str], head: str) -> Parts:
    for name in names:
        yield _notification(name, head)


async def _matching(wanted: Mapping[str, LogFilter], logs: Sequence[Json]) -> Parts:
    """A notification for each log that a subscription wants. Equal filters are looked at once."""
    names = defaultdict(list)
    for name, each in wanted.items():
        names[each].append(name)
    for each in names:
        for number, log in enumerate(logs):
            if number % LOGS_AT_ONCE == 0:
                yield None
            if each.accepts(log):
                text = json.dumps(log)
                for name in names[each]:
                    yield _notification(name, text)


class Subscribers:
    """All connections."""

    def __init__(self) -> None:
        self._all: set[Subscriber] = set()

    def enter(self, subscriber: Subscriber) -> bool:
        """Take in a new one; False where all places of its kind are taken, and nobody gives theirs up."""
        others = [each for each in self._all if each.is_own == subscriber.is_own]
        most = OWN_CONNECTIONS if subscriber.is_own else CONNECTIONS
        if len(others) >= most and not self._give_way(others):
            return False
        self._all.add(subscriber)
        return True

    def _give_way(self, among: Sequence[Subscriber]) -> bool:
        """Whoever is idle the longest has their place taken away, if that is long enough."""
        idlest = max(among, key=lambda each: each.seconds_idle)
        if idlest.seconds_idle < IDLE_SECONDS:
            return False
        self.leave(idlest)
        idlest.cut_off("it wants nothing, and others want its place")
        return True

    def leave(self, subscriber: Subscriber) -> None:
        """It is gone."""
        self._all.discard(subscriber)

    @property
    def want_heads(self) -> bool:
        """Whether anybody wants to know of blocks."""
        return any(each.heads or each.logs for each in self._all)

    @property
    def want_logs(self) -> bool:
        """Whether anybody wants to know of logs."""
        return any(each.logs for each in self._all)

    def tell_of(self, head: Json, logs: Sequence[Json]) -> None:
        """Tell all of a new block; `logs` are its logs, as eth_getLogs gives them."""
        text, weight = json.dumps(head), sum(LOG_BYTES + len(log["data"]) for log in logs)
        for each in self._all:
            each.tell_of(text, logs, weight)


def log_filter(wanted: Json = None) -> LogFilter:
    """The filter that `{address, topics}` says. Raises RpcError for what is no filter."""
    if not isinstance(wanted, dict | None):
        raise RpcError(INVALID_PARAMETERS, "a filter is an object")
    given = wanted or {}
    topics = given.get("topics") or []
    if not isinstance(topics, list) or len(topics) > TOPICS:
        raise RpcError(INVALID_PARAMETERS, f"topics: a list of at most {TOPICS} is expected")
    addresses = _choices(given.get("address"), ADDRESS)
    found = LogFilter(addresses, tuple(_choices(each, TOPIC) for each in topics))
    if len(found.addresses) + sum(map(len, found.topics)) > FILTER_TERMS:
        raise RpcError(INVALID_PARAMETERS, f"at most {FILTER_TERMS} addresses and topics")
    return found


def _choices(given: Json, form: re.Pattern[str]) -> frozenset[str]:
    """None, or a list with it: all; else one, or a list of them."""
    several: list[Json] = given if isinstance(given, list) else [given]
    if None in several:
        return frozenset()
    if not all(isinstance(each, str) and form.fullmatch(each) for each in several):
        raise RpcError(INVALID_PARAMETERS, "addresses have 20 bytes and topics 32: 0x…")
    return frozenset(each.lower() for each in several)


def _notification(name: str, result: str) -> str:
    """`result`: as JSON."""
    parameters = f'{{"subscription": {json.dumps(name)}, "result": {result}}}'
    return f'{{"jsonrpc": "2.0", "method": "eth_subscription", "params": {parameters}}}'
