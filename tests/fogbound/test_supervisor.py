"""Processes: who dies is started again; who cannot start is reported; no orphan stays."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from fogbound.errors import ProcessFailed
from fogbound.process import Process
from fogbound.supervisor import ATTEMPTS, Service, Supervisor

SLEEP = [sys.executable, "-c", "import time; time.sleep(60)"]


def test_who_dies_is_started_again(tmp_path):
    supervisor, restarts = Supervisor(), []
    supervisor.add(Service("sleeper", SLEEP, tmp_path / "log", lambda: True))

    def restarted():
        restarts.append(supervisor.pids["sleeper"])
        if len(restarts) == 3:
            raise Enough
        os.kill(supervisor.pids["sleeper"], signal.SIGKILL)

    first = supervisor.pids["sleeper"]
    os.kill(first, signal.SIGKILL)
    with pytest.raises(Enough):
        supervisor.watch(restarted)
    assert len({first, *restarts}) == 4
    supervisor.stop()
    assert not is_alive(restarts[-1])


def test_who_does_not_start_again_is_given_up(tmp_path, monkeypatch):
    monkeypatch.setattr("fogbound.supervisor.RETRY_SECONDS", 0.01)
    once = tmp_path / "once"
    code = (
        f"import pathlib, time; pathlib.Path({str(once)!r}).touch(exist_ok=False); time.sleep(60)"
    )
    supervisor, restarts = Supervisor(), []
    supervisor.add(Service("fickle", [sys.executable, "-c", code], tmp_path / "log", once.exists))
    os.kill(supervisor.pids["fickle"], signal.SIGKILL)
    monkeypatch.setattr(supervisor._services[0], "_ready", lambda: False)
    with pytest.raises(ProcessFailed, match="fickle does not start: FileExistsError"):
        supervisor.watch(lambda: restarts.append(1))
    assert len(restarts) == ATTEMPTS
    supervisor.stop()


class Enough(Exception):
    pass


def test_the_operator_is_told_how_often_a_part_has_ended_and_where_its_log_is(tmp_path, caplog):
    supervisor, restarts = Supervisor(), []
    command = [sys.executable, "-c", "import time; print('oh no', flush=True); time.sleep(0.1)"]
    supervisor.add(Service("fickle", command, tmp_path / "log", lambda: True))

    def restarted():
        restarts.append(1)
        if len(restarts) == 3:
            raise Enough

    with pytest.raises(Enough):
        supervisor.watch(restarted)
    supervisor.stop()
    told = f"times in 10 minutes (oh no), see {tmp_path / 'log'}; it is started again"
    assert caplog.messages[0] == f"fickle has ended once{told.removeprefix('times')}"
    assert caplog.messages[1:] == [f"fickle has ended {count} {told}" for count in (2, 3)]


def test_ends_of_long_ago_do_not_count(tmp_path, caplog, monkeypatch):
    monkeypatch.setattr("fogbound.supervisor.LATELY_SECONDS", 0.0)
    service = Service("fickle", [sys.executable, "-c", ""], tmp_path / "log", lambda: True)
    for _ in range(3):
        service.launch()
        service.stop()
        service._count_failure()
    assert {each.split(" in ")[0] for each in caplog.messages} == {"fickle has ended once"}


def test_the_operator_is_told_of_a_part_that_was_never_ready(tmp_path, caplog, monkeypatch):
    monkeypatch.setattr("fogbound.supervisor.READY_SECONDS", 0.1)
    service = Service("slow", SLEEP, tmp_path / "log", lambda: False)
    service.launch()
    until = time.monotonic() + 30
    while not service.tend():
        assert time.monotonic() < until
        time.sleep(0.01)
    service.stop()
    assert "slow has ended once" in caplog.text
    assert "it was not ready after 0.1 s: no output" in caplog.text


def test_a_dead_service_does_not_wait_for_another_that_starts(tmp_path):
    ready = threading.Event()
    ready.set()
    supervisor = Supervisor()
    supervisor.add(
        *(Service(name, SLEEP, tmp_path / "log", ready.is_set) for name in ("one", "two"))
    )
    ready.clear()
    before, told = supervisor.pids, []

    def restarted():
        told.append(supervisor.pids)
        if len(told) == 2:
            raise Enough
        os.kill(before["two"], signal.SIGKILL)

    os.kill(before["one"], signal.SIGKILL)
    with pytest.raises(Enough):
        supervisor.watch(restarted)
    assert not set(before.values()) & set(told[-1].values())
    supervisor.stop()


def test_who_cannot_start_is_reported_with_its_last_words(tmp_path):
    command = [sys.executable, "-c", "print('no such luck'); raise SystemExit(1)"]
    with pytest.raises(ProcessFailed, match="no such luck"):
        Supervisor().add(Service("unlucky", command, tmp_path / "log", lambda: False))


def test_who_is_never_ready_is_reported(tmp_path):
    process = Process("slow", SLEEP, tmp_path / "log")
    with pytest.raises(ProcessFailed, match="not ready"):
        process.wait_until(lambda: False, 0.1)
    assert process.stop()


def test_who_ignores_sigterm_is_killed(tmp_path):
    stubborn = (
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
        "print('up', flush=True); time.sleep(60)"
    )
    process = Process("stubborn", [sys.executable, "-c", stubborn], tmp_path / "log")
    process.wait_until(lambda: "up" in (tmp_path / "log").read_text(), 10)
    assert not process.stop(seconds=0.2)
    assert not process.is_alive()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells children of a parent's death")
def test_a_killed_parent_leaves_no_orphan(tmp_path):
    parent = (
        "import sys, time; from pathlib import Path; from fogbound.process import Process;"
        f"print(Process('child', {SLEEP!r}, Path({str(tmp_path / 'log')!r})).pid, flush=True);"
        "time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", parent], stdout=subprocess.PIPE) as process:
        child = int(process.stdout.readline())
        assert is_alive(child)
        process.kill()
    until = time.monotonic() + 10
    while is_alive(child) and time.monotonic() < until:
        time.sleep(0.01)
    assert not is_alive(child)


def is_alive(pid):
    """Whether a process runs (one that is dead but not yet collected does not)."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"
