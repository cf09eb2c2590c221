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
from fogbound.errors import (
    ChainRefused,
    ChainUnreachable,
    ProcessFailed,
    StackRunning,
    TransactionRefused,
)
from fogbound.journal import Block, Journal, mine
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
    until = time.monotonic() + 60
    while len(received) <= 6 and time.monotonic() < until:
        time.sleep(0.05)
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


@pytest.mark.parametrize("name", ["Origin", "Host"])
def test_a_page_of_another_origin_is_refused(served, name):
    other = {"Origin": "https://example.org", "Host": "example.org"}[name]
    for value, status in (
        (other, 403),
        ({"Origin": "http://localhost:1", "Host": "localhost"}[name], 200),
    ):
        answer = requests.post(
            f"http://127.0.0.1:{served.port}",
            json={"jsonrpc": "2.0", "id": 1, "method": "eth_chainId", "params": []},
            headers={name: value},
            timeout=10,
        )
        assert answer.status_code == status


def raw_transfer(nonce, value):
    sender, receiver = dev_accounts()[1:3]
    signed = sender.sign_transaction(
        {
            "to": receiver.address,
            "value": value,
            "gas": 21_000,
            "gasPrice": 10**10,
            "nonce": nonce,
            "chainId": 31337,
        }
    )
    return "0x" + signed.raw_transaction.hex()


def call(served, method, *parameters):
    body = {"jsonrpc": "2.0", "id": 7, "method": method, "params": list(parameters)}
    return requests.post(f"http://127.0.0.1:{served.port}", json=body, timeout=10).json()


@pytest.mark.parametrize(
    "method",
    [
        "anvil_impersonateAccount",
        "anvil_setBalance",
        "anvil_setStorageAt",
        "evm_snapshot",
        "evm_revert",
        "eth_sendTransaction",
        "eth_sendUnsignedTransaction",
        "eth_sign",
        "eth_signTypedData_v4",
        "anvil_dumpState",
        "debug_traceCall",
    ],
)
def test_what_only_an_owner_may_do_is_not_offered(served, method):
    assert call(served, method)["error"]["code"] == -32601


def test_a_transaction_that_is_refused_changes_nothing(served, anvil_chain):
    answer = call(served, "eth_sendRawTransaction", raw_transfer(0, 10**30))
    assert "nsufficient funds" in answer["error"]["message"]
    assert anvil_chain.block_number == 0
    served.kill_process()
    assert anvil_chain.block_number == 0
    anvil_chain.transfer(dev_accounts()[1], dev_accounts()[2].address, 1)
    served.kill_process()
    assert anvil_chain.block_number == 1


def test_blocks_are_mined_on_request(served, anvil_chain):
    assert call(served, "anvil_mine", "0x10")["result"] == "0x0"
    assert anvil_chain.block_number == 16
    for parameters in ([-1], [10_001], ["x"], [1, 2]):
        assert call(served, "anvil_mine", *parameters)["error"]["code"] == -32602
    assert anvil_chain.block_number == 16


def test_a_second_process_does_not_get_the_folder(served, tmp_path):
    second = KeptAnvil(tmp_path / "chain", tmp_path / "second.log")
    with pytest.raises(StackRunning):
        second.hold()


@pytest.fixture
def kept(tmp_path):
    kept = KeptAnvil(tmp_path / "chain", tmp_path / "anvil.log")
    kept.start()
    yield kept
    kept.stop()


@pytest.fixture
def deaths(kept, monkeypatch):
    """When the next requests that mine find anvil dying: it may have mined, it looks alive still."""
    moments = []

    def dying(web3, block):
        moment = moments.pop() if moments else None
        found = mine(web3, block) if moment != "before" else None
        if moment is not None:
            os.kill(kept._process.pid, signal.SIGSTOP)  # neither dead nor answering
            raise requests.ConnectionError
        return found

    monkeypatch.setattr("fogbound.anvil.mine", dying)
    return moments


@pytest.mark.parametrize(
    "moments", [("before",), ("after",), ("after", "before"), ("before", "after"), ("after",) * 5]
)
def test_a_block_is_mined_once_however_often_anvil_dies_over_it(kept, deaths, moments):
    deaths += moments
    kept.mine((raw_transfer(0, 3),))
    assert not deaths
    assert kept.web3.eth.block_number == 1
    assert kept.web3.eth.get_balance(dev_accounts()[2].address) == 10_000 * 10**18 + 3
    kept.mine((raw_transfer(1, 4),))
    assert kept.web3.eth.block_number == 2
    assert [block.hash is not None for block in kept.journal.read()] == [True, True]


def test_a_refusal_is_told_however_often_anvil_dies_over_it(kept, deaths):
    deaths += ["before"] * 2
    with pytest.raises(TransactionRefused, match="nsufficient funds"):
        kept.mine((raw_transfer(0, 10**30),))
    assert not deaths
    assert kept.web3.eth.block_number == 0
    assert kept.journal.read() == ()


def test_an_anvil_that_dies_at_every_start_is_a_typed_error(kept, deaths):
    deaths += ["before"] * 100
    with pytest.raises(ProcessFailed, match="died 10 times"):
        kept.mine()
    deaths.clear()
    kept.start()
    assert kept.web3.eth.block_number == 1


@pytest.mark.parametrize("torso", [b"", b'{"block": {"number"'])
def test_a_dump_that_is_not_whole_replaces_nothing(tmp_path, monkeypatch, torso):
    kept = KeptAnvil(tmp_path / "chain", tmp_path / "anvil.log")
    kept.start()
    kept.mine()
    stop = Process.stop

    def cut_off(process, seconds):
        stopped = stop(process, seconds)
        kept._dump.write_bytes(torso)
        return stopped

    monkeypatch.setattr(Process, "stop", cut_off)
    kept.stop()
    monkeypatch.undo()
    kept.start()
    assert kept.web3.eth.block_number == 1
    kept.stop()


def test_a_checkpoint_keeps_every_block_and_shortens_the_journal(tmp_path, monkeypatch):
    monkeypatch.setattr("fogbound.anvil.CHECKPOINT_BLOCKS", 3)
    kept = KeptAnvil(tmp_path / "chain", tmp_path / "anvil.log")
    kept.start()
    hashes = []
    for _ in range(8):
        kept.mine()
        hashes.append(kept.web3.eth.get_block("latest")["hash"])
    assert [block.number for block in kept.journal.read()] == [7, 8]
    os.kill(int((tmp_path / "chain" / "anvil.pid").read_text()), signal.SIGKILL)
    while kept.is_alive():
        time.sleep(0.01)
    kept.start()
    assert [kept.web3.eth.get_block(number)["hash"] for number in range(1, 9)] == hashes
    kept.stop()


def test_a_journal_of_another_chain_is_refused(tmp_path):
    kept = KeptAnvil(tmp_path / "chain", tmp_path / "anvil.log")
    (tmp_path / "chain").mkdir()
    kept.journal.intend(Block(1, 2_000_000_000))
    kept.journal.mined(1, "0x" + "12" * 32)
    with pytest.raises(ChainRefused, match="block 1 came out as"):
        kept.start()
    kept.stop()


def test_a_line_that_a_kill_cut_off_is_ignored(tmp_path):
    journal = Journal(tmp_path / "journal.jsonl")
    for number in (1, 2, 3):
        journal.intend(Block(number, 100 + number, (f"0x0{number}",)))
    journal.mined(1, "0x11")
    journal.refused(3)
    with (tmp_path / "journal.jsonl").open("a") as stream:
        stream.write('{"mined": 2, "ha')
    journal.intend(Block(3, 200))
    assert journal.read() == (
        Block(1, 101, ("0x01",), "0x11"),
        Block(2, 102, ("0x02",)),
        Block(3, 200),
    )


@pytest.mark.slow
def test_no_kill_loses_what_was_acknowledged(served, anvil_chain):
    """Also where the answer has just gone out, and with the receipt in hand."""
    for nonce in range(20):
        sent = call(served, "eth_sendRawTransaction", raw_transfer(nonce, 1))["result"]
        before = call(served, "eth_getTransactionReceipt", sent)["result"] if nonce % 2 else None
        (served.kill_anvil if nonce % 4 else served.kill_process)()
        after = call(served, "eth_getTransactionReceipt", sent)["result"]
        assert after["status"] == "0x1"
        assert before is None or after["blockHash"] == before["blockHash"]
