"""anvil kept in a folder: every block survives a kill at any moment, to the hash."""

import errno
import os
import signal
import threading
import time
from itertools import count

import pytest
import requests

from fhevm.devchain import dev_accounts
from fhevm.rpc import connect_rpc
from fogbound.anvil import KeptAnvil, start_anvil
from fogbound.anvilrpc import AnvilRpc
from fogbound.errors import (
    ChainRefused,
    ChainUnreachable,
    ProcessFailed,
    StackRunning,
    TransactionRefused,
)
from fogbound.journal import Block, Journal, mine
from fogbound.process import Process, wait_for_end
from tests.fogbound.served import raw_memory_eater, raw_transfer


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
    assert served.call(method)["error"]["code"] == -32601


def test_a_transaction_that_is_refused_changes_nothing(served, anvil_chain):
    answer = served.call("eth_sendRawTransaction", raw_transfer(0, 10**30))
    assert "nsufficient funds" in answer["error"]["message"]
    assert anvil_chain.block_number == 0
    served.kill_process()
    assert anvil_chain.block_number == 0
    anvil_chain.transfer(dev_accounts()[1], dev_accounts()[2].address, 1)
    served.kill_process()
    assert anvil_chain.block_number == 1


def test_blocks_are_mined_on_request(served, anvil_chain):
    assert served.call("anvil_mine", "0x10")["result"] == "0x0"
    assert anvil_chain.block_number == 16
    for parameters in ([-1], [10_001], ["x"], [1, 2]):
        assert served.call("anvil_mine", *parameters)["error"]["code"] == -32602
    assert anvil_chain.block_number == 16


def test_a_second_process_does_not_get_the_folder(served, tmp_path):
    second = KeptAnvil(tmp_path / "chain", tmp_path / "second.log")
    with pytest.raises(StackRunning):
        second.hold()


LONG = 3_600.0  # seconds


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """However busy the machine is, no checkpoint comes for the time that blocks took."""
    monkeypatch.setattr("fogbound.anvil.CHECKPOINT_SECONDS", LONG)


@pytest.fixture
def kept(tmp_path, patient):
    kept = KeptAnvil(tmp_path / "chain", tmp_path / "anvil.log")
    kept.start()
    yield kept
    kept.stop()


def web3_of(kept):
    return connect_rpc(kept.url)


def states(kept):
    """What anvil has written of past blocks."""
    return {file for file in (kept._folder / "states").rglob("*") if file.is_file()}


def test_what_a_killed_anvil_wrote_goes_with_the_next_start(kept):
    for _ in range(700):  # it holds those of some hundred blocks in memory
        kept.mine()
    written = states(kept)
    assert written
    kept._process.stop(0)
    kept.start()
    assert not written & states(kept)


@pytest.fixture
def deaths(kept, monkeypatch):
    """When the next requests that mine find anvil dying: it may have mined, it looks alive still."""
    moments = []

    def dying(rpc, block):
        moment = moments.pop() if moments else None
        found = mine(rpc, block) if moment != "before" else None
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
    assert web3_of(kept).eth.block_number == 1
    assert web3_of(kept).eth.get_balance(dev_accounts()[2].address) == 10_000 * 10**18 + 3
    kept.mine((raw_transfer(1, 4),))
    assert web3_of(kept).eth.block_number == 2
    assert [block.hash is not None for block in kept.journal.read()] == [True, True]


def test_a_refusal_is_told_however_often_anvil_dies_over_it(kept, deaths):
    deaths += ["before"] * 2
    with pytest.raises(TransactionRefused, match="nsufficient funds"):
        kept.mine((raw_transfer(0, 10**30),))
    assert not deaths
    assert web3_of(kept).eth.block_number == 0
    assert kept.journal.read() == ()


def test_an_anvil_that_dies_at_every_start_is_a_typed_error(kept, deaths):
    deaths += ["before"] * 100
    with pytest.raises(ProcessFailed, match="died 10 times"):
        kept.mine()
    deaths.clear()
    kept.start()
    assert web3_of(kept).eth.block_number == 1


@pytest.fixture
def full_disk(monkeypatch):
    """Entries of the journal that find the disk full, each once, by what is in them."""
    keys, append = [], Journal._append

    def fail_once(journal, entry):
        if keys and keys[0] in entry:
            keys.pop()
            raise OSError(errno.ENOSPC, "No space left on device")
        append(journal, entry)

    monkeypatch.setattr(Journal, "_append", fail_once)
    return keys


def test_a_block_that_cannot_be_noted_is_not_mined(kept, full_disk):
    full_disk.append("timestamp")
    with pytest.raises(OSError, match="No space left"):
        kept.mine((raw_transfer(0, 3),))
    assert web3_of(kept).eth.block_number == kept.head.number == 0
    _check_that_a_kill_loses_nothing(kept, raw_transfer(0, 4))


def test_a_hash_that_cannot_be_noted_is_found_again(kept, full_disk):
    full_disk.append("mined")
    kept.mine((raw_transfer(0, 3),))
    assert not full_disk
    assert web3_of(kept).eth.block_number == kept.head.number == 1
    _check_that_a_kill_loses_nothing(kept, raw_transfer(1, 4))
    assert [block.hash is not None for block in kept.journal.read()] == [True] * 3


def test_a_refusal_that_cannot_be_noted_is_told(kept, full_disk):
    full_disk.append("refused")
    with pytest.raises(TransactionRefused, match="nsufficient funds"):
        kept.mine((raw_transfer(0, 10**30),))
    assert not full_disk
    assert web3_of(kept).eth.block_number == kept.head.number == 0
    kept._kill()
    kept.start()
    assert kept.head.number == 0
    _check_that_a_kill_loses_nothing(kept, raw_transfer(0, 4))


def _check_that_a_kill_loses_nothing(kept, raw):
    kept.mine((raw,))
    kept.mine()
    hashes = _hashes(kept)
    assert len(hashes) == kept.head.number + 1
    kept._kill()
    kept.start()
    assert _hashes(kept) == hashes


def _hashes(kept):
    blocks = range(web3_of(kept).eth.block_number + 1)
    return [web3_of(kept).eth.get_block(number)["hash"] for number in blocks]


def test_a_block_of_another_number_is_a_typed_error_and_not_noted(kept):
    AnvilRpc(kept.url).ask("evm_mine")
    with pytest.raises(ChainRefused, match="block 2 was mined, not 1"):
        kept.mine()
    assert not kept.is_alive()
    kept.start()
    assert web3_of(kept).eth.block_number == kept.head.number == 1


def test_a_transaction_that_ends_the_node_is_refused_and_forgotten(kept):
    with pytest.raises(
        TransactionRefused, match="this transaction ended the node; it is forgotten"
    ):
        kept.mine((raw_memory_eater(1_000_000),))
    assert kept.journal.read() == ()
    kept.mine((raw_transfer(0, 3),))
    assert web3_of(kept).eth.block_number == kept.head.number == 1
    kept._kill()
    kept.start()
    assert web3_of(kept).eth.get_balance(dev_accounts()[2].address) == 10_000 * 10**18 + 3


def test_what_is_suspect_is_refused_after_the_first_end_of_the_node(kept):
    starts = _starts_of(kept)
    with pytest.raises(TransactionRefused, match="this transaction ended the node"):
        kept.mine((raw_memory_eater(1_000_000),), suspect=True)
    assert len(starts) == 1
    kept.mine((raw_transfer(0, 3),))
    assert web3_of(kept).eth.block_number == kept.head.number == 1


def test_what_is_suspect_is_mined_where_somebody_killed_the_node(kept, monkeypatch):
    killed_before_mining(kept, monkeypatch, [signal.SIGKILL] * 3)
    kept.mine((raw_transfer(0, 3),), suspect=True)
    assert web3_of(kept).eth.block_number == kept.head.number == 1


def _starts_of(kept):
    starts, start = [], kept._start
    kept._start = lambda: starts.append(start())
    return starts


def test_a_start_does_not_mine_for_ever_what_ends_the_node(kept):
    kept._kill()
    kept.journal.intend(Block(1, int(time.time()), (raw_memory_eater(1_000_000),)))
    kept.start()
    assert web3_of(kept).eth.block_number == kept.head.number == 0
    assert kept.journal.read() == ()


def killed_before_mining(kept, monkeypatch, signals):
    """anvil gets these one after the other, each before it mines; those that are left."""
    left = list(signals)

    def ending(rpc, block):
        if left:
            os.kill(kept._process.pid, left.pop())
            wait_for_end([kept._process])
        return mine(rpc, block)

    monkeypatch.setattr("fogbound.anvil.mine", ending)
    return left


@pytest.mark.parametrize("signals", [(signal.SIGKILL,) * 3, (signal.SIGABRT,)])
def test_a_block_is_mined_where_another_reason_ended_the_node(kept, monkeypatch, signals):
    """Killed from outside; or out of memory once, by what somebody asked meanwhile."""
    left = killed_before_mining(kept, monkeypatch, signals)
    kept.mine((raw_transfer(0, 3),))
    assert not left
    assert web3_of(kept).eth.block_number == kept.head.number == 1
    assert web3_of(kept).eth.get_balance(dev_accounts()[2].address) == 10_000 * 10**18 + 3


def test_a_full_chain_takes_no_more_transactions_and_starts_all_the_same(kept, monkeypatch):
    kept.mine((raw_transfer(0, 3),))
    monkeypatch.setattr("fogbound.anvil.FULL_MEMORY", 1 << 20)
    with pytest.raises(TransactionRefused, match="the chain is full: its node keeps 1 MiB"):
        kept.mine((raw_transfer(1, 4),))
    kept.mine()
    kept._kill()
    kept.start()
    assert web3_of(kept).eth.block_number == kept.head.number == 2
    monkeypatch.undo()
    kept.mine((raw_transfer(1, 4),))


def test_traces_are_forgotten_before_they_fill_the_memory(kept, tmp_path, monkeypatch):
    monkeypatch.setattr("fogbound.anvil.CHECKPOINT_MEMORY", 4 << 20)
    raw = raw_memory_eater(200_000)
    kept.mine((raw,))  # about 60 MB of traces
    assert kept.journal.read() == ()
    assert (tmp_path / "chain" / "state.json").stat().st_size < 1_000_000
    (sent,) = web3_of(kept).eth.get_block(1)["transactions"]
    receipt = web3_of(kept).eth.get_transaction_receipt(sent)
    assert (receipt["status"], receipt["blockNumber"]) == (1, 1)
    kept.mine((raw_transfer(1, 3),))
    assert web3_of(kept).eth.block_number == 2


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
    assert web3_of(kept).eth.block_number == 1
    kept.stop()


def test_a_checkpoint_keeps_every_block_and_shortens_the_journal(tmp_path, monkeypatch):
    monkeypatch.setattr("fogbound.anvil.CHECKPOINT_BLOCKS", 3)
    kept = KeptAnvil(tmp_path / "chain", tmp_path / "anvil.log")
    kept.start()
    hashes = []
    for _ in range(8):
        kept.mine()
        hashes.append(web3_of(kept).eth.get_block("latest")["hash"])
    assert [block.number for block in kept.journal.read()] == [7, 8]
    os.kill(int((tmp_path / "chain" / "anvil.pid").read_text()), signal.SIGKILL)
    while kept.is_alive():
        time.sleep(0.01)
    kept.start()
    assert [web3_of(kept).eth.get_block(number)["hash"] for number in range(1, 9)] == hashes
    kept.stop()


def test_a_checkpoint_that_cannot_be_kept_is_tried_again_after_the_next_block(kept, monkeypatch):
    """On a full disk each start mines again what is noted, which makes the next checkpoint due."""
    monkeypatch.setattr("fogbound.anvil.CHECKPOINT_BLOCKS", 2)

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("fogbound.anvil.forget_traces", full)
    starts = _starts_of(kept)
    for _ in range(4):
        kept.mine()
    assert len(starts) == 3
    assert [block.number for block in kept.journal.read()] == [1, 2, 3, 4]
    monkeypatch.undo()
    kept.mine()
    assert web3_of(kept).eth.block_number == 5


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
        sent = served.call("eth_sendRawTransaction", raw_transfer(nonce, 1))["result"]
        before = served.call("eth_getTransactionReceipt", sent)["result"] if nonce % 2 else None
        (served.kill_anvil if nonce % 4 else served.kill_process)()
        after = served.call("eth_getTransactionReceipt", sent)["result"]
        assert after["status"] == "0x1"
        assert before is None or after["blockHash"] == before["blockHash"]


# -- what takes long ---------------------------------------------------------------------------------


def takes_long(monkeypatch, times=1):
    """The next blocks take longer than anvil is waited for; so many."""
    ask, left = AnvilRpc.ask, [times]

    def slow(self, method, *parameters):
        if method == "evm_mine_detailed" and left[0] and self.seconds is not None:
            left[0] -= 1
            raise requests.ReadTimeout
        return ask(self, method, *parameters)

    monkeypatch.setattr(AnvilRpc, "ask", slow)


def test_a_block_that_takes_too_long_is_refused_and_forgotten(kept, monkeypatch):
    """It ends neither the chain nor its next start."""
    kept.mine((raw_transfer(0, 1),))
    takes_long(monkeypatch)
    with pytest.raises(TransactionRefused, match="it is forgotten"):
        kept.mine((raw_transfer(1, 2),))
    assert [block.number for block in kept.journal.read()] == [1]
    kept.mine((raw_transfer(1, 3),))
    assert kept.head.number == 2


def test_a_block_that_a_kill_left_open_and_that_takes_too_long_is_given_up(kept, monkeypatch):
    kept.journal.intend(Block(1, kept.head.timestamp, (raw_transfer(0, 1),)))
    kept._kill()
    takes_long(monkeypatch)
    kept.start()
    assert kept.head.number == 0
    assert kept.journal.read() == ()


def test_what_was_mined_is_mined_again_however_long_it_takes(kept, monkeypatch):
    for nonce in range(3):
        kept.mine((raw_transfer(nonce),))
    head = kept.head
    kept._kill()
    takes_long(monkeypatch, times=1_000)
    kept.start()
    assert kept.head.number == head.number


def test_a_checkpoint_comes_by_what_blocks_took(kept, monkeypatch):
    kept.mine((raw_transfer(0),))
    assert kept.journal.read()
    kept._worked = 2 * LONG
    kept.mine()
    assert kept.journal.read() == ()
    assert kept._worked < LONG
    kept.mine()
    assert len(kept.journal.read()) == 1


def test_attack_answers_that_take_memory_bring_no_checkpoint(kept, monkeypatch):
    """Only what blocks take counts."""
    held = (number // 2 << 30 for number in count())  # it grows between two blocks
    monkeypatch.setattr("fogbound.anvil.held_memory", lambda _: next(held))
    for _ in range(5):
        kept.mine()
    assert len(kept.journal.read()) == 5
