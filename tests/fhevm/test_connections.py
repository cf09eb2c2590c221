"""Who gives way where places are wanted, and whoever does not read."""

import asyncio

import pytest

from fhevm import descriptors, unread
from fhevm.connections import Connections
from fhevm.descriptors import room_for_connections


class Transport:
    """One connection, with so much in it that nobody has read."""

    def __init__(self, size=0):
        self.size, self.is_cut_off = size, False

    def get_write_buffer_size(self):
        return self.size

    def abort(self):
        self.is_cut_off, self.size = True, 0


def entered(connections, count):
    transports = [Transport() for _ in range(count)]
    for each in transports:
        connections.enter(each)
    return transports


def cut_off(transports):
    return [number for number, each in enumerate(transports) if each.is_cut_off]


def test_the_longest_silent_gives_way():
    connections = Connections(3)
    first = entered(connections, 3)
    connections.serve(first[0])
    connections.rest(first[0])
    entered(connections, 1)
    assert cut_off(first) == [1]
    connections.leave(first[1])
    entered(connections, 1)
    assert cut_off(first) == [1, 2]


def test_who_is_being_answered_gives_way_last_and_who_is_kept_never():
    connections = Connections(3)
    first = entered(connections, 3)
    connections.keep(first[0])
    connections.serve(first[1])
    second = entered(connections, 3)
    assert (cut_off(first), cut_off(second)) == ([2], [0, 1])
    connections.serve(second[2])
    entered(connections, 1)
    assert cut_off(first) == [1, 2]


def test_places_are_free_again():
    connections = Connections(3)
    first = entered(connections, 3)
    connections.keep(first[0])
    connections.serve(first[1])
    for each in first:
        connections.leave(each)
    second = entered(connections, 3)
    assert not cut_off(first + second)


def test_beyond_all_bytes_the_longest_behind_is_cut_off(monkeypatch):
    monkeypatch.setattr(unread, "MOST_BYTES", 100)

    async def check():
        connections = Connections(9)
        first = entered(connections, 4)
        for each, size in zip(first, (40, 60, 0, 0), strict=True):
            each.size = size
            connections.unread.fell_behind(each)
        assert not cut_off(first)
        connections.unread.caught_up(first[2])
        with connections.unread.holding(first[3], 40):
            assert cut_off(first) == [0]
        first[2].size = 30
        connections.unread.fell_behind(first[2])
        assert cut_off(first) == [0]

    asyncio.run(check())


@pytest.mark.parametrize("reads", [True, False])
def test_who_reads_nothing_is_cut_off(monkeypatch, reads):
    monkeypatch.setattr(unread, "LOOK_SECONDS", 0.01)

    async def check():
        connections = Connections(9, read_seconds=0.1)
        slow = Transport(1 << 20)
        connections.unread.fell_behind(slow)
        for _ in range(30):
            slow.size -= reads
            await asyncio.sleep(0.01)
        assert slow.is_cut_off is not reads

    asyncio.run(check())


def test_who_has_read_all_is_not_looked_at_any_more(monkeypatch):
    monkeypatch.setattr(unread, "LOOK_SECONDS", 0.001)

    async def check():
        connections = Connections(9)
        done = Transport()
        with connections.unread.holding(done, 7):
            pass
        while connections.unread._looking:
            await asyncio.sleep(0.001)
        assert not connections.unread._behind

    asyncio.run(check())


@pytest.mark.parametrize(
    ("limit", "room"), [(64, 32), (1_024, 512), (2_000, 1_488), (65_536, 2_000)]
)
def test_connections_leave_descriptors_for_other_things(monkeypatch, limit, room):
    monkeypatch.setattr(descriptors, "_raised_limit", lambda: limit)
    assert room_for_connections() == room
