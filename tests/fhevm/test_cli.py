"""The `fhevm` command, run as its users run it."""

import json
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass

import pytest

from fhevm.backends import get_backend
from fhevm.cli import main
from fhevm.client import FhevmClient
from fhevm.devchain import dev_accounts
from fhevm.errors import Unavailable
from fhevm.keyfiles import ensure_keys
from fogbound.ports import free_port
from tests.fhevm.box import Box

HOST = dev_accounts()[1]
COMMANDS = ["up", "kms", "coprocessor", "check-vectors", "bench", "decrypt"]
VECTORS = {
    "add_euint8_euint8": [
        {"inputs": ["59", "114"], "output": "173"},
        {"inputs": ["200", "100"], "output": "44"},
    ],
    "not_ebool": [{"inputs": ["1"], "output": "0"}],
}


@dataclass(frozen=True)
class Result:
    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def fhevm(monkeypatch, capsys):
    """Runs the console script's function in this process (a start of Python takes seconds)."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["fhevm", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        return Result(ended.value.code or 0, *capsys.readouterr())

    return run


def fails(result, *words):
    """One line that says why, no trace, exit code 1."""
    assert result.returncode == 1
    assert result.stdout == ""
    assert len(result.stderr.strip().splitlines()) == 1, result.stderr
    for word in ("fhevm: ", *words):
        assert word in result.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(fhevm, command):
    result = fhevm(command, "--help")
    assert (result.returncode, result.stderr) == (0, "")


def test_errors_are_one_line(fhevm, tmp_path):
    fails(fhevm("kms", "--data", tmp_path), "manifest.json")
    fails(fhevm("decrypt", "0x12", "--data", tmp_path), "not a handle")
    fails(fhevm("check-vectors", tmp_path / "none.json"), "none.json")


def test_no_chain(fhevm, tmp_path):
    ensure_keys(tmp_path, get_backend("clear"))
    rpc = "http://127.0.0.1:9"
    for command in ("kms", "coprocessor"):
        fails(fhevm(command, "--data", tmp_path, "--rpc", rpc), "no chain answers")


def test_check_vectors(fhevm, tmp_path):
    file = tmp_path / "vectors.json"
    file.write_text(json.dumps(VECTORS))
    result = fhevm("check-vectors", file, "--backend", "clear", "--json")
    report = json.loads(result.stdout)
    assert (result.returncode, report["vectors"], report["wrong"]) == (0, 3, 0)
    only = fhevm("check-vectors", file, "--backend", "clear", "--types", "ebool", "--json")
    assert json.loads(only.stdout)["vectors"] == 1


def test_check_vectors_that_differ(fhevm, tmp_path):
    file = tmp_path / "vectors.json"
    wrong = {"add_euint8_euint8": [{"inputs": ["1", "1"], "output": "3"}]}
    file.write_text(json.dumps(wrong))
    result = fhevm("check-vectors", file, "--backend", "clear")
    assert result.returncode == 1
    assert "2, not 3" in result.stdout


def connected(port, process):
    give_up = time.monotonic() + 90
    while time.monotonic() < give_up:
        assert process.poll() is None
        try:
            return FhevmClient.connect(f"http://127.0.0.1:{port}")
        except Unavailable:
            time.sleep(0.1)
    raise AssertionError("fhevm up did not start")


@pytest.mark.slow
def test_up_serves_and_stops_cleanly(fhevm, tmp_path, served_chain):
    """Ctrl-C ends the process and the KMS, which gets a SIGTERM from it."""
    port = free_port(2)
    rpc = served_chain.provider.endpoint_uri
    options = ["--backend", "clear", "--rpc", rpc, "--data", tmp_path, "--port", port]
    command = [sys.executable, "-m", "fhevm.cli", "up", *map(str, options)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        client = connected(port, process)
        box = Box(served_chain, HOST)
        box.add(client, HOST, 7, True)
        assert client.user_decrypt([box.total()], box.address, HOST) == [7]
        shown = fhevm("decrypt", box.total().hex(), "--data", tmp_path, "--json")
        assert json.loads(shown.stdout)["value"] == 7
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 0, said
    assert "Traceback" not in said
    for left in (port, port + 1):
        with socket.socket() as probe:
            assert probe.connect_ex(("127.0.0.1", left)) != 0


@pytest.mark.slow
def test_up_on_a_port_in_use(fhevm, tmp_path, served_chain):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        result = fhevm(
            *("up", "--backend", "clear", "--data", tmp_path),
            *("--rpc", served_chain.provider.endpoint_uri, "--port", taken.getsockname()[1]),
        )
    assert result.returncode == 1
    assert "in use" in result.stderr
    assert "Traceback" not in result.stderr
