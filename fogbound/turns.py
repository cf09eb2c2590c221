"""Whose turn it is at the local chain: one after the other changes it; a few try out what will end soon.

Accounts are free and gas is cheap here, so neither keeps anybody from filling a queue. Two things do: what
code is run, and what is paid for coming first.
"""

import asyncio
import heapq
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any, TypeVar

WAITING = 1_024  # of each kind; one more is refused, or whoever pays least
KNOWN_PASSES = 8  # known ones that may go before one of unknown code that waits
QUICK_SECONDS = 0.25  # a turn of unknown code that takes longer is followed by a rest
RESTS = 4  # times what it took beyond that
MARGIN = 64  # whoever is advised what to pay pays one part of so many more than who waits
PATIENCE_SECONDS = 2.0  # between two looks whether whoever waits is outbid

T = TypeVar("T")


async def whole(work: Coroutine[Any, Any, T]) -> T:
    """Do it to its end, even where whoever asked has left: then nobody hears how it went."""
    task = asyncio.create_task(work)
    task.add_done_callback(lambda done: done.cancelled() or done.exception())
    return await asyncio.shield(task)


async def _within(
    turn: AbstractAsyncContextManager[None], work: Callable[[], Coroutine[Any, Any, T]]
) -> T:
    try:
        return await work()
    finally:
        await turn.__aexit__(None, None, None)


class TooBusy(Exception):
    """As many wait as may."""

    def __init__(self, what: str = "transactions wait") -> None:
        super().__init__(f"too many {what}; try again")


@dataclass(order=True)
class _Place:
    """In a queue: who pays most comes first, of these who came first."""

    price: int  # negative
    number: int
    turn: "asyncio.Future[None]" = field(compare=False)


class _Queue:
    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._heap: list[_Place] = []
        self._numbers = count()

    def __len__(self) -> int:
        return len(self._heap)

    @property
    def highest_tip(self) -> int:
        return -self._heap[0].price if self._heap else 0

    def enter(self, tip: int) -> "asyncio.Future[None]":
        """A new place. Where there is none, whoever pays least gives way, and is told. Raises TooBusy."""
        if len(self._heap) >= self._limit:
            self._make_room(tip)
        turn = asyncio.get_running_loop().create_future()
        heapq.heappush(self._heap, _Place(-tip, next(self._numbers), turn))
        return turn

    def _make_room(self, tip: int) -> None:
        last = max(self._heap)
        if -last.price >= tip:
            raise TooBusy
        self._heap.remove(last)
        heapq.heapify(self._heap)
        last.turn.set_exception(TooBusy())

    def leave(self, turn: "asyncio.Future[None]") -> None:
        self._heap = [place for place in self._heap if place.turn is not turn]
        heapq.heapify(self._heap)

    def first(self) -> "asyncio.Future[None]":
        return heapq.heappop(self._heap).turn


class Turns:
    """A lock with two queues. What runs *known* code, which is quick and does no harm, goes first; what runs
    any other goes when nothing known waits, and after every KNOWN_PASSES known ones. After a turn of unknown
    code that was slow, or that ended the node, its queue rests: so such code has a fifth of the time at most.
    """

    def __init__(self, waiting: int = WAITING, clock: Callable[[], float] = time.monotonic) -> None:
        """`waiting`: how many of each kind may wait."""
        self._known, self._unknown = _Queue(waiting), _Queue(waiting)
        self._clock = clock
        self._taken = False
        self._passed = 0
        self._rest_ends = 0.0
        self._alarm: asyncio.TimerHandle | None = None

    @property
    def is_taken(self) -> bool:
        """Whether somebody has their turn now."""
        return self._taken

    def tip_to_come_first(self) -> int:
        """What to pay, in wei a gas, for going before whoever waits; 0 where nobody does."""
        highest = self._known.highest_tip
        return highest + highest // MARGIN + 1 if self._known else 0

    @asynccontextmanager
    async def turn(self, *, known: bool, tip: int | None = None) -> AsyncIterator[None]:
        """Have the chain for oneself. `tip`: paid, in wei a gas, by who hears of it where others pay more;
        None: nothing is paid, and waited for as long as it takes. Raises TooBusy.
        """
        if self._taken or not (known or self._may_run_unknown()):
            await self._wait(self._known if known else self._unknown, tip)
        self._taken = True
        begun = self._clock()
        try:
            yield
        finally:
            if not known:
                self._rest_after(self._clock() - begun)
            self._pass_on()

    async def run(self, work: Callable[[], Coroutine[Any, Any, T]], *, known: bool) -> T:
        """What `work` gives. The turn lasts until then, even where whoever wanted it has left meanwhile;
        who leaves before it begins has none. Raises TooBusy.
        """
        turn = self.turn(known=known)
        await turn.__aenter__()
        return await whole(_within(turn, work))

    async def _wait(self, queue: _Queue, tip: int | None) -> None:
        """Whoever is outbid meanwhile is told, and may come again with a better tip."""
        turn = queue.enter(tip or 0)
        self._wake_up_for_unknown()
        try:
            while not turn.done():
                await asyncio.wait([turn], timeout=PATIENCE_SECONDS)
                if not turn.done() and tip is not None and queue.highest_tip > tip:
                    raise TooBusy
            turn.result()
        except (asyncio.CancelledError, TooBusy):
            if turn.cancel():
                queue.leave(turn)
            elif turn.exception() is None:  # it had come just now
                self._pass_on()
            raise

    def _rest_after(self, seconds: float) -> None:
        self._rest_ends = self._clock() + RESTS * max(0.0, seconds - QUICK_SECONDS)

    def _may_run_unknown(self) -> bool:
        return self._clock() >= self._rest_ends

    def _pass_on(self) -> None:
        """The lock stays taken where somebody may go on: nobody comes between."""
        turn = self._next()
        if turn is not None:
            turn.set_result(None)
            return
        self._taken = False
        self._wake_up_for_unknown()

    def _next(self) -> "asyncio.Future[None] | None":
        may_run_unknown = bool(self._unknown) and self._may_run_unknown()
        if may_run_unknown and (not self._known or self._passed >= KNOWN_PASSES):
            self._passed = 0
            return self._unknown.first()
        if not self._known:
            return None
        self._passed += 1
        return self._known.first()

    def _wake_up_for_unknown(self) -> None:
        """At the end of the rest, where nobody has a turn that would end with the next one's."""
        if self._taken or not self._unknown or self._alarm is not None:
            return
        pause = max(0.0, self._rest_ends - self._clock())
        self._alarm = asyncio.get_running_loop().call_later(pause, self._wake_up)

    def _wake_up(self) -> None:
        self._alarm = None
        if not self._taken:
            self._taken = True
            self._pass_on()


class Places:
    """A few at once; the others wait, first come, first served, but not too many and not for ever."""

    def __init__(self, at_once: int, *, waiting: int, seconds: float, what: str) -> None:
        """`waiting`: how many may wait; `seconds`: for how long; `what`: there are too many of."""
        self._free = asyncio.Semaphore(at_once)
        self._limit, self._seconds = waiting, seconds
        self._waiting = 0
        self._what = what

    async def run(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """What `work` gives. Raises TooBusy.

        A place is taken until the work is done, even where whoever wanted it has left meanwhile.
        """
        await self._take()
        return await whole(self._within_place(work))

    async def _within_place(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        try:
            return await work()
        finally:
            self._free.release()

    async def _take(self) -> None:
        if self._free.locked() and self._waiting >= self._limit:
            raise TooBusy(self._what)
        self._waiting += 1
        try:
            async with asyncio.timeout(self._seconds):
                await self._free.acquire()
        except TimeoutError:
            raise TooBusy(self._what) from None
        finally:
            self._waiting -= 1
