"""Logs stay short, whoever writes them, and keep what was said last."""

import sys
import time

import pytest

from fogbound import logfile
from fogbound.logfile import bound_log, last_line, older_log
from fogbound.process import Process

LATEST = 30.0  # seconds
LOUD = """
import pathlib, sys, time
said, more = map(pathlib.Path, sys.argv[1:])
for number in range(20_000):
    print("a line", number, flush=True)
said.touch()
while not more.exists():
    time.sleep(0.01)
print("the last line")
"""


def wait_until(done):
    until = time.monotonic() + LATEST
    while not done():
        assert time.monotonic() < until
        time.sleep(0.01)


@pytest.fixture
def short(monkeypatch):
    monkeypatch.setattr(logfile, "BYTES", 1_000)
    monkeypatch.setattr(logfile, "LOOK_SECONDS", 0.01)


def test_a_long_log_begins_anew_and_its_end_is_kept(tmp_path, short):
    log = tmp_path / "log"
    log.write_bytes(b"old" + b"new" * 333 + b".")
    bound_log(log)
    assert log.read_bytes() == b""
    assert older_log(log).read_bytes() == b"new" * 333 + b"."
    log.write_bytes(b"short")
    bound_log(log)
    assert log.read_bytes() == b"short"
    bound_log(tmp_path / "none")


def test_attack_a_process_that_says_very_much(tmp_path, short):
    """Its log gets short while it runs, and what it says then is there."""
    log, said, more = tmp_path / "log", tmp_path / "said", tmp_path / "more"
    process = Process("loud", [sys.executable, "-c", LOUD, str(said), str(more)], log)
    wait_until(said.exists)
    wait_until(lambda: log.stat().st_size <= logfile.BYTES)
    assert process.is_alive()
    assert older_log(log).stat().st_size <= logfile.BYTES
    more.touch()
    wait_until(lambda: not process.is_alive())
    assert last_line(log) == "the last line"


def test_a_long_log_is_shortened_before_a_process_begins(tmp_path, short):
    log = tmp_path / "log"
    log.write_bytes(b"." * 1_001)
    process = Process("quiet", [sys.executable, "-c", ""], log)
    assert log.stat().st_size == 0
    process.stop()


def test_the_last_line_of_a_long_log(tmp_path):
    log = tmp_path / "log"
    log.write_bytes(b"x" * 10_000 + b"\n  said \xff last \n\n")
    assert last_line(log) == "said \ufffd last"
    log.write_bytes(b"\n")
    assert last_line(log) is None
