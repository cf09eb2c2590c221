"""Ports for processes that are started soon."""

import socket
import subprocess
import sys
from collections import deque

import pytest

from fogbound import ports
from fogbound.ports import LOWEST, free_port


@pytest.fixture(autouse=True)
def _own_folder(monkeypatch, tmp_path):
    monkeypatch.setattr(ports.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(ports, "_held", deque())


def only(monkeypatch, *firsts):
    """These are tried, in this order."""
    found = iter(firsts)
    monkeypatch.setattr(ports.random, "randint", lambda *_: next(found))


def test_no_connection_is_given_one_by_chance():
    with socket.socket() as given:
        given.bind(("127.0.0.1", 0))
        lowest = int(ports.GIVEN_BY_THE_SYSTEM.read_text().split()[0])
        assert given.getsockname()[1] >= lowest
    assert all(LOWEST <= free_port(4) <= lowest - 4 for _ in range(200))


@pytest.mark.parametrize("told", ["", "words", "1024 60999", None])
def test_where_the_system_does_not_say_what_it_gives(monkeypatch, tmp_path, told):
    file = tmp_path / "range"
    if told is not None:
        file.write_text(told)
    monkeypatch.setattr(ports, "GIVEN_BY_THE_SYSTEM", file)
    assert ports._given_from() == ports.USUALLY_GIVEN


def test_all_neighbours_are_free(monkeypatch):
    with socket.create_server(("127.0.0.1", free_port())) as taken:
        port = taken.getsockname()[1]
        only(monkeypatch, port - 2, port, port - 1, port + 1)
        assert free_port(3) == port + 1


def test_nobody_else_is_given_the_same(monkeypatch, tmp_path):
    port = free_port()
    only(monkeypatch, port, port + 1)
    assert free_port() == port + 1
    other = "import sys, tempfile; tempfile.gettempdir = lambda: sys.argv[1]\n"
    other += "from fogbound import ports; tries = iter([int(sys.argv[2]), int(sys.argv[2]) + 2])\n"
    other += "ports.random.randint = lambda *_: next(tries); print(ports.free_port())"
    command = [sys.executable, "-c", other, str(tmp_path), str(port)]
    assert int(subprocess.check_output(command)) == port + 2


def test_few_are_held(monkeypatch):
    monkeypatch.setattr(ports, "MOST_HELD", 2)
    first = free_port()
    free_port()
    free_port()
    only(monkeypatch, first)
    assert free_port() == first


def test_without_a_folder_for_locks(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(ports.tempfile, "gettempdir", lambda: str(tmp_path / "file"))
    assert free_port() > 0
