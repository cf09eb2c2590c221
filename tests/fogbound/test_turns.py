"""Who comes first, who is told to pay or to come again, and what nobody can do to the others."""

import asyncio
import random
from collections import Counter

import pytest

from fogbound import turns
from fogbound.turns import KNOWN_PASSES, QUICK_SECONDS, RESTS, TooBusy, Turns

SECONDS = 30


def play(act):
    async def bounded():
        await asyncio.wait_for(act(), SECONDS)

    asyncio.run(bounded())


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


class Queueing:
    """Turns of which the first is held; who had theirs, in order."""

    def __init__(self, waiting=1_024, clock=None):
        self.turns = Turns(waiting, **({"clock": clock} if clock else {}))
        self.order, self.tasks = [], []

    async def hold(self):
        self._held = self.turns.turn(known=True)
        await self._held.__aenter__()

    async def let_go(self):
        await self._held.__aexit__(None, None, None)

    async def come(self, name, *, known=True, tip=0):
        async def have():
            async with self.turns.turn(known=known, tip=tip):
                self.order.append(name)

        self.tasks.append(asyncio.create_task(have()))
        await asyncio.sleep(0)
        return self.tasks[-1]

    async def all_done(self):
        await self.let_go()
        await asyncio.gather(*self.tasks, return_exceptions=True)


def test_first_come_first_served():
    async def act():
        queue = Queueing()
        await queue.hold()
        for number in range(20):
            await queue.come(number)
        await queue.all_done()
        assert queue.order == [*range(20)]

    play(act)


def test_known_code_goes_first_and_keeps_no_other_out_for_ever():
    async def act():
        queue = Queueing()
        await queue.hold()
        for number in range(3):
            await queue.come(f"unknown {number}", known=False)
        for number in range(2 * KNOWN_PASSES):
            await queue.come(number)
        await queue.all_done()
        expected = [*range(KNOWN_PASSES), "unknown 0"]
        expected += [*range(KNOWN_PASSES, 2 * KNOWN_PASSES), "unknown 1", "unknown 2"]
        assert queue.order == expected

    play(act)


def test_who_pays_more_goes_first():
    async def act():
        queue = Queueing()
        await queue.hold()
        for number, tip in enumerate([1, 5, 1, 9, 5]):
            await queue.come(number, tip=tip)
        await queue.all_done()
        assert queue.order == [3, 1, 4, 0, 2]

    play(act)


def test_what_is_advised_goes_first():
    async def act():
        queue = Queueing()
        await queue.hold()
        assert queue.turns.tip_to_come_first() == 0
        for number, tip in enumerate([0, 1000, 70]):
            await queue.come(number, tip=tip)
            assert tip < queue.turns.tip_to_come_first() <= 1016
        await queue.come("advised", tip=queue.turns.tip_to_come_first())
        await queue.all_done()
        assert queue.order[0] == "advised"

    play(act)


def test_attack_a_few_that_come_again_and_again(monkeypatch):
    """However few wait at a time: who is never next is told, and pays what is advised then."""
    monkeypatch.setattr(turns, "PATIENCE_SECONDS", 0.05)

    async def act():
        chain, served = Turns(), []

        async def attack():
            while "honest" not in served:
                async with chain.turn(known=True, tip=2_000):
                    await asyncio.sleep(0.001)

        attacking = [asyncio.create_task(attack()) for _ in range(5)]
        await asyncio.sleep(0.02)
        with pytest.raises(TooBusy):
            async with chain.turn(known=True, tip=1_000):
                pass
        async with chain.turn(known=True, tip=chain.tip_to_come_first()):
            served.append("honest")
        await asyncio.gather(*attacking)

    play(act)


def test_attack_a_full_queue():
    """However many accounts wait: whoever pays more than the least of them has a place, and is first."""

    async def act():
        queue = Queueing(waiting=50)
        await queue.hold()
        crowd = [await queue.come(number, tip=10) for number in range(50)]
        with pytest.raises(TooBusy):
            await (await queue.come("poor", tip=10))
        await queue.come("honest", tip=queue.turns.tip_to_come_first())
        await queue.all_done()
        assert queue.order[0] == "honest"
        assert queue.order[1:] == [*range(49)]
        assert isinstance(crowd[-1].exception(), TooBusy)

    play(act)


def test_who_is_outbid_is_told_and_who_is_not_waits_on(monkeypatch):
    monkeypatch.setattr(turns, "PATIENCE_SECONDS", 0.01)

    async def act():
        queue = Queueing()
        await queue.hold()
        early = await queue.come("early", tip=1)
        await queue.come("patient", tip=None)
        await queue.come("equal", tip=1)
        await asyncio.sleep(0.1)
        assert not early.done()
        await queue.come("dear", tip=2)
        with pytest.raises(TooBusy):
            await early
        await asyncio.sleep(0.1)
        await queue.all_done()
        assert queue.order == ["dear", "patient"]

    play(act)


@pytest.mark.parametrize("took", [QUICK_SECONDS, 1.0, 8.0])
def test_attack_slow_unknown_code_has_a_fifth_of_the_time(took):
    async def act():
        clock = Clock()
        queue = Queueing(clock=clock)
        async with queue.turns.turn(known=False):
            clock.now += took
        await queue.come("again", known=False)
        await queue.come("known")
        clock.now += RESTS * (took - QUICK_SECONDS) * 0.99
        await asyncio.sleep(0)
        assert queue.order == (["again", "known"] if took == QUICK_SECONDS else ["known"])
        clock.now += took
        await queue.come("another")
        await asyncio.gather(*queue.tasks)
        assert set(queue.order) == {"again", "known", "another"}

    play(act)


def test_unknown_code_goes_on_after_its_rest_though_nobody_else_comes(monkeypatch):
    monkeypatch.setattr(turns, "QUICK_SECONDS", 0.0)

    async def act():
        queue = Queueing()
        for _ in range(3):
            async with queue.turns.turn(known=False):
                await asyncio.sleep(0.02)
            await (await queue.come("again", known=False))
        assert queue.order == ["again"] * 3

    play(act)


def test_a_turn_lasts_as_long_as_its_work():
    async def act():
        queue, working, end = Queueing(), asyncio.Event(), asyncio.Event()

        async def work():
            working.set()
            await end.wait()

        leaving = asyncio.create_task(queue.turns.run(work, known=False))
        await working.wait()
        leaving.cancel()
        next_one = await queue.come("next")
        await asyncio.sleep(0.01)
        assert not next_one.done()
        end.set()
        await next_one

    play(act)


def test_what_fails_gives_its_turn_back():
    async def act():
        turns = Turns()

        async def fail():
            raise ArithmeticError

        for known in (True, False):
            with pytest.raises(ArithmeticError):
                await turns.run(fail, known=known)
        assert not turns.is_taken

    play(act)


def test_at_random_nobody_is_forgotten_and_only_one_has_their_turn():
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    chance = random.Random(seed)

    async def act():
        turns, inside, ends = Turns(waiting=30), 0, Counter()

        async def have():
            nonlocal inside
            await asyncio.sleep(chance.random() * 0.05)
            try:
                async with turns.turn(known=chance.random() < 0.5, tip=chance.randrange(3)):
                    inside += 1
                    assert inside == 1
                    await asyncio.sleep(chance.random() * 0.001)
                    inside -= 1
                    ends["done"] += 1
            except TooBusy:
                ends["busy"] += 1
            except asyncio.CancelledError:
                inside = 0 if inside else inside
                ends["left"] += 1

        tasks = [asyncio.create_task(have()) for _ in range(400)]
        for each in chance.sample(tasks, 60):
            await asyncio.sleep(chance.random() * 0.002)
            each.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert not turns.is_taken
        assert ends["done"] > 0

    play(act)
