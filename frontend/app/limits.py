"""How much one client may ask for: at once, in a second, in a body; and how long the body may take.

A client is an address, or a network of 64 bits of IPv6, which is what one household has.
"""

import asyncio
import math
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address, ip_network
from threading import Lock
from weakref import WeakValueDictionary

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fhevm.limits import BodyLimit
from frontend.app.answers import refusal
from frontend.app.errors import TooLarge, TooManyRequests, TooSlow

REMEMBERED = (
    20_000  # clients; whoever did not ask for the longest time is forgotten, so has all again
)

RETRY_SECONDS = 5  # after which a place may be free


class Buckets:
    """A token bucket for each key: `burst` tokens at most, filled with `rate` tokens a second."""

    def __init__(
        self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._lock = Lock()
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str, tokens: float = 1.0) -> float:
        """Take tokens: 0.0 where there were enough, else the seconds until there are (none is taken)."""
        with self._lock:
            level, now = self._level(key)
            missing = tokens - level
            self._keep(key, level if missing > 0 else level - tokens, now)
        return max(missing, 0.0) / self._rate

    def give_back(self, key: str, tokens: float = 1.0) -> None:
        """Return tokens that came to nothing."""
        with self._lock:
            level, now = self._level(key)
            self._keep(key, min(level + tokens, self._burst), now)

    def charge(self, key: str, tokens: float) -> None:
        """Take tokens for what was done already, also where there are too few."""
        with self._lock:
            level, now = self._level(key)
            self._keep(key, level - tokens, now)

    def _level(self, key: str) -> tuple[float, float]:
        now = self._clock()
        level, since = self._levels.get(key, (self._burst, now))
        return min(level + (now - since) * self._rate, self._burst), now

    def _keep(self, key: str, level: float, now: float) -> None:
        self._levels[key] = level, now
        self._levels.move_to_end(key)
        if len(self._levels) > REMEMBERED:
            self._levels.popitem(last=False)


class Places:
    """So many at once of all, and of each key: a key's others wait behind its own, not before others'."""

    def __init__(self, of_all: int, of_one: int, patience: float) -> None:
        """`patience`: seconds that one waits for a place."""
        self._of_all = asyncio.Semaphore(of_all)
        self._limit = of_one
        self._of_one: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
        self._patience = patience

    @asynccontextmanager
    async def taken(self, key: str) -> AsyncIterator[None]:
        """Surrounds what takes a place, first come, first served. Raises TooManyRequests."""
        of_one = self._of_one.setdefault(key, asyncio.Semaphore(self._limit))
        async with AsyncExitStack() as stack:
            try:
                async with asyncio.timeout(self._patience):
                    await stack.enter_async_context(of_one)
                    await stack.enter_async_context(self._of_all)
            except TimeoutError:
                raise TooManyRequests("too many calls at once", RETRY_SECONDS) from None
            yield


@dataclass(frozen=True)
class Rate:
    """A limit for the requests whose path begins with `prefix`; `method`: only those of it."""

    prefix: str
    per_second: float
    burst: float
    method: str | None = None
    buckets: Buckets = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "buckets", Buckets(self.per_second, self.burst))

    def seconds(self, scope: Scope) -> float:
        """How long this client must wait; 0.0: they may ask now, or are not meant."""
        if not scope["path"].startswith(self.prefix) or self.method not in (None, scope["method"]):
            return 0.0
        return self.buckets.take(client_of(scope))


class RateLimit:
    """ASGI middleware: answers 429 with Retry-After to a client beyond one of the rates."""

    def __init__(self, app: ASGIApp, rates: Sequence[Rate]) -> None:
        self._app = app
        self._rates = rates

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand on what is within every rate."""
        app = self._app
        if scope["type"] == "http" and (wait := self._wait(scope)):
            app = refusal(TooManyRequests("too many requests; slow down", math.ceil(wait)))
        await app(scope, receive, send)

    def _wait(self, scope: Scope) -> float:
        """The first rate that refuses decides, so that the others are not used up in vain."""
        return next((wait for rate in self._rates if (wait := rate.seconds(scope))), 0.0)


class AtOnce:
    """ASGI middleware: answers 429 to a client with `limit` requests under way on paths in `prefix`."""

    def __init__(
        self, app: ASGIApp, prefix: str, limit: int, retry_seconds: int = RETRY_SECONDS
    ) -> None:
        self._app = app
        self._prefix = prefix
        self._limit = limit
        self._retry = retry_seconds
        self._running: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand on, and count until the answer is over."""
        if scope["type"] != "http" or not scope["path"].startswith(self._prefix):
            await self._app(scope, receive, send)
            return
        client = client_of(scope)
        if self._running[client] >= self._limit:
            answer = refusal(TooManyRequests("too many requests at once", self._retry))
            await answer(scope, receive, send)
            return
        self._running[client] += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._running[client] -= 1
            if not self._running[client]:
                del self._running[client]


class BodyLimits:
    """ASGI middleware: answers 413 to a body beyond the limit in bytes of the longest prefix."""

    def __init__(self, app: ASGIApp, limits: Mapping[str, int]) -> None:
        """`limits` must have one for the empty prefix."""
        self._limited = {
            prefix: BodyLimit(app, size, lambda error: refusal(TooLarge(str(error))))
            for prefix, size in sorted(limits.items(), key=lambda each: -len(each[0]))
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand on to the limit that holds for this path."""
        path = scope.get("path", "")
        limit = next(each for prefix, each in self._limited.items() if path.startswith(prefix))
        await limit(scope, receive, send)


class BodyTime:
    """ASGI middleware: answers 408, and has the connection closed, where a body takes more than `seconds`.

    To be outside whatever reads the body whole, as BodyLimits does, before it acts.
    """

    def __init__(self, app: ASGIApp, seconds: float) -> None:
        self._app = app
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand on; once the body is there, the answer may take its time."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        patience = asyncio.timeout(self._seconds)

        async def receiving() -> Message:
            message = await receive()
            if not message.get("more_body"):
                patience.reschedule(None)
            return message

        try:
            async with patience:
                await self._app(scope, receiving, send)
        except TimeoutError:
            if not patience.expired():
                raise
            answer = refusal(TooSlow("the body takes too long to come"))
            answer.headers["connection"] = "close"
            await answer(scope, receive, send)


def client_of(scope: Scope) -> str:
    """Who asks, as far as limits go."""
    host = scope["client"][0] if scope.get("client") else ""
    try:
        address = ip_address(host)
    except ValueError:
        return str(host)
    if isinstance(address, IPv6Address):
        return str(address.ipv4_mapped or ip_network((int(address) >> 64 << 64, 64)))
    return host
