"""Who shares a reading, and who waits for the next."""

import asyncio
from threading import Event

import pytest

from fhevm.reading import Reading


class Slow:
    """Reads a number, larger each time, once it is told to."""

    def __init__(self):
        self.count, self.told = 0, Event()

    def read(self):
        self.count += 1
        count = self.count
        assert self.told.wait(30)
        if count == 2:
            raise ValueError("two")
        return count


def test_all_who_ask_share_what_is_read_after_they_asked():
    async def check():
        slow = Slow()
        reading = Reading(slow.read)
        first = [asyncio.create_task(reading.get()) for _ in range(100)]
        while not slow.count:
            await asyncio.sleep(0.001)
        second = [asyncio.create_task(reading.get()) for _ in range(100)]
        await asyncio.sleep(0.01)
        assert slow.count == 1
        slow.told.set()
        assert set(await asyncio.gather(*first)) == {1}
        assert {str(each) for each in await asyncio.gather(*second, return_exceptions=True)} == {
            "two"
        }
        assert await reading.get() == 3

    asyncio.run(check())


def test_who_leaves_takes_nothing_from_the_others():
    async def check():
        slow = Slow()
        reading = Reading(slow.read)
        leaving, staying = (asyncio.create_task(reading.get()) for _ in range(2))
        await asyncio.sleep(0.01)
        leaving.cancel()
        slow.told.set()
        assert await staying == 1
        with pytest.raises(asyncio.CancelledError):
            await leaving

    asyncio.run(check())
