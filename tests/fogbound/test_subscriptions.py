"""Who is told what, how far behind they may be, and that nobody waits for them."""

import asyncio
import json
from contextlib import suppress

import pytest

from fogbound import outbox, subscriptions
from fogbound.jsonrpc import RpcError
from fogbound.outbox import Outbox
from fogbound.subscriptions import (
    CONNECTIONS,
    IDLE_SECONDS,
    LOGS_AT_ONCE,
    OWN_CONNECTIONS,
    SUBSCRIPTIONS,
    Subscriber,
    Subscribers,
    log_filter,
)

HEAD = {"number": "0x1"}
ELSEWHERE = {"address": "0x" + "ee" * 20}


def log(number, data="0x"):
    return {"address": "0x" + "aa" * 20, "topics": [topic(number)], "data": data}


def topic(number):
    return f"0x{number:064x}"


class Reader:
    """A connection whose clock stands still, and which is cut off only once."""

    def __init__(self, *filters):
        self.now, self.is_cut_off = 0.0, False
        self.subscriber = Subscriber(self.cut_off, Outbox(lambda: self.now))
        self.names = [self.subscriber.subscribe(["logs", each]) for each in filters]

    def cut_off(self, why):
        assert not self.is_cut_off
        self.is_cut_off = True

    def tell_of(self, logs):
        subscribers = Subscribers()
        subscribers.enter(self.subscriber)
        subscribers.tell_of(HEAD, logs)

    async def read(self, count):
        """The next messages."""
        unread = self.subscriber.unread()
        return [json.loads(await anext(unread)) for _ in range(count)]


def of(messages):
    """Of which subscription each is, and its log's topic."""
    told = [each["params"] for each in messages]
    return [(each["subscription"], int(each["result"]["topics"][0], 16)) for each in told]


async def turns_until(work):
    """How often others have their turn while something is done."""
    count, task = 0, asyncio.ensure_future(work)
    while not task.done():
        await asyncio.sleep(0)
        count += 1
    await task
    return count


def test_every_log_of_a_large_block_is_told_to_who_reads():
    async def check():
        reader = Reader({})
        reader.tell_of([log(number) for number in range(600)])
        (name,) = reader.names
        assert of(await reader.read(600)) == [(name, number) for number in range(600)]
        assert not reader.is_cut_off

    asyncio.run(check())


def test_a_block_beyond_the_room_cuts_off_nobody_who_reads(monkeypatch):
    monkeypatch.setattr(outbox, "ROOM_BYTES", 100_000)

    async def check():
        reader = Reader({})
        reading = asyncio.ensure_future(reader.read(400))
        for block in range(4):
            reader.tell_of([log(100 * block + number, "0x" + "00" * 1000) for number in range(100)])
            reader.now += outbox.SILENT_SECONDS
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        assert [number for _, number in of(await reading)] == list(range(400))
        assert not reader.is_cut_off

    asyncio.run(check())


def test_who_reads_nothing_is_cut_off_once_they_have_no_room(monkeypatch):
    monkeypatch.setattr(outbox, "ROOM_BYTES", 100_000)

    async def check():
        reader = Reader({})
        for seconds in (0, 100, 100):
            reader.now += seconds
            reader.tell_of([log(number) for number in range(45)])
            assert not reader.is_cut_off
        reader.tell_of([log(1)])
        assert reader.is_cut_off

    asyncio.run(check())


def test_who_reads_too_slowly_is_cut_off_in_the_end(monkeypatch):
    monkeypatch.setattr(outbox, "MOST_BYTES", 100_000)

    async def check():
        reader = Reader({})
        for _ in range(3):
            reader.tell_of([log(number) for number in range(45)])
            await reader.read(1)
        assert not reader.is_cut_off
        reader.tell_of([log(1)])
        assert reader.is_cut_off

    asyncio.run(check())


def test_a_connection_is_asked_nothing_more_until_its_answer_was_sent():
    async def check():
        reader = Reader()
        reader.subscriber.heads.add("0x1")
        reader.tell_of([])
        answering = asyncio.ensure_future(reader.subscriber.answer("7"))
        unread = reader.subscriber.unread()
        for expected in (HEAD, 7):
            await asyncio.sleep(0)
            assert not answering.done()
            told = json.loads(await anext(unread))
            assert (told if told == 7 else told["params"]["result"]) == expected
        reading = asyncio.ensure_future(anext(unread))
        await answering
        reading.cancel()

    asyncio.run(check())


def test_others_have_their_turn_while_a_block_is_looked_at():
    async def check():
        filters = [ELSEWHERE, {"topics": [topic(7)]}, {}]
        reader = Reader(*filters)
        reader.tell_of([log(number) for number in range(10 * LOGS_AT_ONCE)])
        turns = await turns_until(reader.read(1 + 10 * LOGS_AT_ONCE))
        assert turns >= len(filters) * 10 + 10 * LOGS_AT_ONCE

    asyncio.run(check())


def test_telling_of_a_block_looks_at_no_log():
    class Unseen(dict):
        def __getitem__(self, key):
            assert key == "data"
            return super().__getitem__(key)

    async def check():
        Reader({"topics": [topic(7)]}).tell_of([Unseen(log(1))])

    asyncio.run(check())


def test_attack_telling_of_a_block_costs_the_same_however_many_subscriptions(monkeypatch):
    """Whoever mined it waits for that; notifications are put together as their connections read."""
    made, notification = [], subscriptions._notification

    def counted(name, result):
        made.append(name)
        return notification(name, result)

    monkeypatch.setattr(subscriptions, "_notification", counted)

    async def check():
        subscribers, readers = Subscribers(), [Reader() for _ in range(CONNECTIONS)]
        for each in readers:
            subscribers.enter(each.subscriber)
            for _ in range(SUBSCRIPTIONS):
                each.subscriber.subscribe(["newHeads"])
        subscribers.tell_of(HEAD, [])
        assert not made
        told = [each["params"] for each in await readers[0].read(SUBSCRIPTIONS)]
        assert {each["subscription"] for each in told} == readers[0].subscriber.heads
        assert all(each["result"] == HEAD for each in told)
        assert len(made) == SUBSCRIPTIONS

    asyncio.run(check())


def test_who_left_has_nothing_more_looked_at():
    seen = []

    class Watched(dict):
        def __getitem__(self, key):
            seen.append(key)
            return super().__getitem__(key)

    async def check():
        reader = Reader(ELSEWHERE, {"topics": [topic(0)]})
        reader.tell_of([Watched(log(1)) for _ in range(10 * LOGS_AT_ONCE)])
        reading = asyncio.ensure_future(reader.read(1))
        while "address" not in seen:
            await asyncio.sleep(0)
        reading.cancel()
        with suppress(asyncio.CancelledError):
            await reading
        assert seen.count("address") == LOGS_AT_ONCE

    asyncio.run(check())


def test_equal_filters_are_looked_at_once():
    seen = []

    class Watched(dict):
        def __getitem__(self, key):
            seen.append(key)
            return super().__getitem__(key)

    async def check():
        ten = topic(10)
        upper = "0x" + ten[2:].upper()
        filters = [{"topics": [upper]}, {"topics": [[ten]]}, {"topics": [ten], "address": None}]
        reader = Reader(*filters)
        reader.tell_of([Watched(log(10))])
        assert of(await reader.read(3)) == [(name, 10) for name in reader.names]
        assert seen.count("topics") == 1

    asyncio.run(check())


class Crowd:
    """Connections one after another, on a clock that stands still; who was cut off, by number."""

    def __init__(self):
        self.now, self.cut_off, self.all = 0.0, [], Subscribers()
        self._count = 0

    def enter(self, *, is_own=False, subscribes=False):
        """The new one, if it was let in."""
        number, self._count = self._count, self._count + 1
        new = Subscriber(
            lambda why: self.cut_off.append(number), is_own=is_own, clock=lambda: self.now
        )
        if not self.all.enter(new):
            return None
        if subscribes:
            new.subscribe(["newHeads"])
        return new


def test_who_wants_nothing_gives_their_place_up_the_longest_silent_first():
    crowd, first = Crowd(), []
    for _ in range(CONNECTIONS):
        first.append(crowd.enter())
        crowd.now += 0.01
    assert crowd.enter() is None
    with first[0].asking():
        crowd.now += IDLE_SECONDS
        later = [crowd.enter() for _ in range(CONNECTIONS)]
    assert later[-1] is None
    assert crowd.cut_off == list(range(1, CONNECTIONS))


def test_who_is_subscribed_keeps_their_place():
    crowd = Crowd()
    for _ in range(CONNECTIONS):
        assert crowd.enter(subscribes=True)
    crowd.now = 100 * IDLE_SECONDS
    assert crowd.enter() is None
    assert not crowd.cut_off


def test_the_parts_of_the_stack_have_places_of_their_own():
    crowd = Crowd()
    for _ in range(CONNECTIONS):
        crowd.enter(subscribes=True)
    for _ in range(OWN_CONNECTIONS):
        assert crowd.enter(is_own=True, subscribes=True)
    assert crowd.enter(is_own=True) is None


NO_FILTERS = {
    "number": 7,
    "long address": {"address": "0x" + "aa" * 21},
    "short address": {"address": "0x" + "aa" * 19},
    "no prefix": {"address": "aa" * 21},
    "no digits": {"address": "0x" + "zz" * 20},
    "line break": {"address": "0x" + "aa" * 20 + "\n"},
    "megabytes": {"address": ["0x" + "a" * 1_000_000]},
    "topic as address": {"address": topic(1)},
    "address as topic": {"topics": ["0x" + "aa" * 20]},
    "nested": {"topics": [[[topic(1)]]]},
    "five topics": {"topics": [topic(1)] * 5},
    "many terms": {"topics": [[topic(n) for n in range(65)]] * 4},
}


@pytest.mark.parametrize("given", NO_FILTERS.values(), ids=NO_FILTERS)
def test_what_is_no_filter_is_refused(given):
    with pytest.raises(RpcError) as refused:
        log_filter(given)
    assert refused.value.answer["code"] == -32602


@pytest.mark.parametrize(
    "given", [None, {}, {"address": None}, {"address": []}, {"topics": [None]}, {"topics": []}]
)
def test_a_filter_without_choices_accepts_all(given):
    assert log_filter(given).accepts(log(1))


def test_null_stands_for_any_topic():
    given = [log(1) | {"topics": [topic(one), topic(2)]} for one in (1, 3)]
    for any_topic in (None, [None], [topic(9), None]):
        wanted = log_filter({"topics": [any_topic, [topic(2), topic(4)]]})
        assert all(wanted.accepts(each) for each in given)
        wanted = log_filter({"topics": [any_topic, topic(1)]})
        assert not any(wanted.accepts(each) for each in given)
