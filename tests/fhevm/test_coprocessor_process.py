"""The coprocessor as a process or thread of its own, beside a chain that moves."""

import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from fhevm.backends.clear import ClearDecryptor, ClearEvaluator
from fhevm.coprocessor import Coprocessor
from fhevm.errors import UnknownHandle
from fhevm.freshchain import snapshot
from fhevm.handles import Handle
from fhevm.heads import Heads
from fhevm.local import LocalFhevm
from fhevm.store import Store
from tests.fhevm.calls import Deployed
from tests.fhevm.conftest import SEED

WORKER = Path(__file__).with_name("slow_worker.py")


@pytest.fixture
def running(served_chain):
    """A local fhEVM whose coprocessor works in a thread."""
    with LocalFhevm.create(served_chain, "clear", SEED) as stack:
        stop = threading.Event()
        thread = threading.Thread(
            target=stack.coprocessor.run, args=(stop, Heads(None, pause=0.01))
        )
        thread.start()
        yield stack
        stop.set()
        thread.join()


def test_who_asks_at_once_waits(running, alice):
    operators = Deployed(running.w3, "Operators", alice)
    for number in range(5):
        operators.send("product", number, 1, True)
        handle = Handle(operators.results()[0])
        data = running.coprocessor.ciphertext(handle, timeout=20)
        assert ClearDecryptor().decrypt(data, handle.type) == 3 * (number + 1)


def test_an_unknown_handle_is_told_once_the_chain_is_read(running):
    handle = Handle(bytes(21) + b"\xff" + (31337).to_bytes(8) + b"\x02\x00")
    with pytest.raises(UnknownHandle):
        running.coprocessor.ciphertext(handle, timeout=20)


def test_many_ask_at_once(running, alice):
    operators = Deployed(running.w3, "Operators", alice)
    operators.send("binary", 77, 5)
    handles = [Handle(raw) for raw in operators.results()]
    answers = {}

    def ask(name):
        answers[name] = running.coprocessor.wait_for(handles, timeout=20)

    threads = [threading.Thread(target=ask, args=(name,)) for name in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 10
    assert all(answer == answers[0] for answer in answers.values())


def test_a_running_coprocessor_follows_the_chain_back(running, alice):
    operators = Deployed(running.w3, "Operators", alice)
    go_back = snapshot(running.w3)
    operators.send("product", 1, 1, True)
    (dropped,) = operators.results()
    running.coprocessor.ciphertext(Handle(dropped), timeout=20)
    go_back()
    operators.send("chain", 50, 3)
    (handle,) = operators.results()
    assert running.coprocessor.ciphertext(Handle(handle), timeout=20)
    assert not running.coprocessor.knows(Handle(dropped))


def start_worker(w3, folder):
    command = [sys.executable, str(WORKER), w3.provider.endpoint_uri, str(folder)]
    worker = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert worker.stdout.readline() == "ready\n"
    return worker


@pytest.mark.slow
def test_kills_at_random_points_lose_nothing(served_chain, alice, bob, tmp_path, randomness):
    with LocalFhevm.create(served_chain, "clear", SEED):
        pass  # deploys the host
    operators = {account: Deployed(served_chain, "Operators", account) for account in (alice, bob)}
    expected = {}
    for _ in range(10):
        worker = start_worker(served_chain, tmp_path)
        for contract in operators.values():
            start, steps = randomness.randrange(256), randomness.randrange(5, 20)
            contract.send("chain", start, steps)
            expected[Handle(contract.results()[0])] = (start + steps) % 256
        time.sleep(randomness.uniform(0.0, 0.4))
        worker.kill()
        worker.communicate()

    store = Store.in_folder(tmp_path)
    done_before = store.counts()["ciphertexts"]
    coprocessor = Coprocessor(served_chain, store, ClearEvaluator())
    coprocessor.step()
    assert {
        handle: ClearDecryptor().decrypt(coprocessor.ciphertext(handle), handle.type)
        for handle in expected
    } == expected
    assert done_before > 0
    assert coprocessor.statistics.operations == store.counts()["ciphertexts"] - done_before
    assert store.permissions() == []
    assert store.counts()["failures"] == 0


@pytest.mark.slow
def test_real_ciphertexts(chain, alice):
    with LocalFhevm.create(chain, "concrete", SEED) as stack:
        box = Deployed(chain, "EncryptedBox", alice)
        address = box.contract.address
        made = stack.client.encrypt(address, alice.address).add_uint8(250).add_bool(True).encrypt()
        for _ in range(8):
            box.send("add", *made.handles, made.proof)
        handles = [box.call("total"), box.call("flag")]
        assert stack.client.user_decrypt(handles, address, alice) == [208, True]
        box.send("publish")
        opened = stack.client.public_decrypt(handles)
        box.send("open", *opened.cleartexts, opened.proof)
        assert box.call("opened") == 208
        assert stack.coprocessor.statistics.bootstraps > 0
