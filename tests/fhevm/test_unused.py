"""Which attested inputs have to go."""

import pytest

from fhevm.unused import Unused


@pytest.fixture
def now():
    return [0.0]


@pytest.fixture
def unused(now):
    return Unused(seconds=100, client_bytes=1000, all_bytes=3000, clock=lambda: now[0])


def test_an_input_goes_when_its_time_is_over(unused, now):
    unused.add(b"first", 10, "host")
    now[0] = 60
    unused.add(b"second", 10, "guest")
    assert unused.take_old() == []
    now[0] = 100
    assert unused.take_old() == [b"first"]
    now[0] = 160
    assert (unused.take_old(), len(unused)) == ([b"second"], 0)


def test_what_a_block_used_stays(unused, now):
    unused.add(b"first", 10, "host")
    unused.use(b"first")
    unused.use(b"never seen")
    now[0] = 1000
    assert unused.take_old() == []


def test_a_client_pays_for_too_many_with_their_own_oldest(unused):
    unused.add(b"guest", 900, "guest")
    for number in range(10):
        assert unused.add(bytes([number]), 100, "host") == []
    assert unused.add(b"ten", 150, "host") == [b"\0", b"\1"]


def test_where_all_is_full_the_heaviest_client_pays(unused):
    for client in ("a", "b", "c"):
        for number in range(9):
            assert unused.add(f"{client} {number}".encode(), 100, client) == []
    unused.add(b"a more", 100, "a")
    assert unused.add(b"guest", 250, "guest") == [b"a 0"]
    assert len(unused) == 28


def test_the_same_input_again_counts_once(unused):
    for _ in range(100):
        assert unused.add(b"same", 900, "host") == []
    assert len(unused) == 1


def test_what_was_there_before_a_restart_has_no_clients_share(unused):
    for number in range(25):
        assert unused.add(bytes([number]), 100) == []
    assert len(unused) == 25
