"""anvil kept in a folder: every block survives a kill at any moment, to the hash."""

import contextlib
import os
import signal
import sys
import threading
import time

import pytest
import requests

from fhevm.devchain import dev_accounts
from fogbound.anvil import KeptAnvil, start_anvil
from fogbound.chain import Chain
from fogbound.errors import ChainRefused, ChainUnreachable, ProcessFailed
from fogbound.journal import Entries, Journal, MinedBlock
from fogbound.process import Process, free_port, is_listening


class ServedChain:
    """The chain's process on its own, and the anvil behind it."""

    def __init__(self, data):
        self.data, self.port, self.process = data, free_port(), None

    def start(self):
        command = [sys.executable, "-m", "fogbound.chainserver", str(self.data), str(self.port)]
        self.process = Process("chain", command, self.data / "chain.log")
        self.process.wait_until(lambda: is_listening(self.port), 30)

    def kill_anvil(self):
        """Kill the one that runs, if one does."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(int((self.data / "chain" / "anvil.pid").read_text()), signal.SIGKILL)

    def kill_process(self):
        os.kill(self.process.pid, signal.SIGKILL)
        while self.process.is_alive():
            time.sleep(0.01)
        self.start()


@pytest.fixture
def served(tmp_path):
    served = ServedChain(tmp_path)
    served.start()
    yield served
    served.process.stop()


@pytest.fixture
def anvil_chain(served):
    return Chain.connect(f"http://127.0.0.1:{served.port}")


@pytest.mark.slow
@pytest.mark.parametrize("what", ["anvil", "process"])
def test_ten_kills_lose_no_block(served, anvil_chain, what):
    kill = served.kill_anvil if what == "anvil" else served.kill_process
    host, guest = dev_accounts()[1:3]
    genesis = anvil_chain.block_hash(0)
    hashes = [genesis]
    for amount in range(1, 11):
        anvil_chain.transfer(host, guest.address, amount)
        anvil_chain.mine(amount % 3)
        hashes += [
            anvil_chain.block_hash(number)
            for number in range(len(hashes), anvil_chain.block_number + 1)
        ]
        kill()
        found = [anvil_chain.block_hash(number) for number in range(len(hashes))]
        assert found == hashes
    assert anvil_chain.balance(guest.address) == 10_000 * 10**18 + 55


@pytest.mark.slow
def test_every_transaction_arrives_once_through_kills_while_sending(served, anvil_chain):
    host, guest = dev_accounts()[1:3]
    received, done = [], threading.Event()

    def send():
        while not done.is_set():
            try:
                received.append(anvil_chain.transfer(host, guest.address, 1))
            except ChainUnreachable:  # before anything was sent
                time.sleep(0.02)

    sender = threading.Thread(target=send, daemon=True)
    sender.start()
    for number, seconds in enumerate((0.21, 0.13, 0.05, 0.31, 0.17, 0.02)):
        time.sleep(seconds)
        (served.kill_process if number % 3 == 2 else served.kill_anvil)()
    time.sleep(0.3)
    done.set()
    sender.join(30)
    assert not sender.is_alive()
    assert len(received) > 6
    assert anvil_chain.balance(guest.address) == 10_000 * 10**18 + len(received)


def test_a_peaceful_end_leaves_state_and_no_journal(served, anvil_chain, tmp_path):
    anvil_chain.mine(5)
    last = anvil_chain.block_hash(5)
    served.process.stop()
    assert (tmp_path / "chain" / "state.json").exists()
    assert not (tmp_path / "chain" / "journal.jsonl").exists()
    served.start()
    assert anvil_chain.block_hash(5) == last


def test_several_threads_share_an_account(anvil_chain):
    host, guest = dev_accounts()[1:3]
    threads = [
        threading.Thread(target=anvil_chain.transfer, args=(host, guest.address, 1))
        for _ in range(12)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert anvil_chain.balance(guest.address) == 10_000 * 10**18 + 12


def test_a_port_in_use_is_a_typed_error(served, tmp_path):
    with pytest.raises(ProcessFailed, match="in use"):
        start_anvil(served.port, tmp_path / "log", genesis_time=1, options=[])


def test_a_malformed_request_is_answered_by_anvil(served):
    for body in (b"", b"{", b"[]", b'{"method": 5}', b'[{"method": "eth_sendRawTransaction"}]'):
        answer = requests.post(f"http://127.0.0.1:{served.port}", data=body, timeout=10)
        assert answer.status_code < 500
        assert "result" not in answer.text


def test_a_browser_of_another_origin_may_ask(served):
    answer = requests.options(f"http://127.0.0.1:{served.port}", timeout=10)
    assert answer.headers["Access-Control-Allow-Origin"] == "*"


def test_a_journal_of_another_chain_is_refused(tmp_path):
    kept = KeptAnvil(tmp_path / "chain", tmp_path / "anvil.log")
    (tmp_path / "chain").mkdir()
    kept.journal.add_block(MinedBlock(1, 2_000_000_000, "0x" + "12" * 32, ()))
    with pytest.raises(ChainRefused, match="block 1 came out as"):
        kept.start()
    kept.stop()


def test_a_line_that_a_kill_cut_off_is_ignored(tmp_path):
    journal = Journal(tmp_path / "journal.jsonl")
    blocks = tuple(MinedBlock(n, 100 + n, f"0x{n:064x}", (f"0x0{n}",)) for n in (1, 2))
    for raw in ("0x01", "0x02", "0x03"):
        journal.add_sent(raw)
    for block in blocks:
        journal.add_block(block)
    with (tmp_path / "journal.jsonl").open("a") as stream:
        stream.write('{"number": 3, "timest')
    assert journal.read() == Entries(blocks, unmined=("0x03",))
