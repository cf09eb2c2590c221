"""The chain that tests and demos have for themselves."""

import gc
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from fhevm.addresses import LOCAL_CHAIN_ID
from fhevm.devchain import dev_accounts
from fhevm.errors import Unavailable
from fhevm.freshchain import end_chain, fresh_chain, mine, snapshot, travel
from fhevm.rpc import connect_rpc
from fogbound.ports import free_port

RICH, POOR = dev_accounts()[:2]
STARTER = (
    "from fhevm.freshchain import fresh_chain; w3 = fresh_chain(); print('up', flush=True); input()"
)


def chains():
    """The processes of this one's chains."""
    return [each for each in psutil.Process().children() if each.name() == "anvil"]


def transfer(w3, nonce=None):
    count = w3.eth.get_transaction_count(RICH.address)
    sent = {"to": POOR.address, "value": 1, "gas": 21_000, "gasPrice": 7, "chainId": LOCAL_CHAIN_ID}
    signed = RICH.sign_transaction({**sent, "nonce": count if nonce is None else nonce})
    return w3.eth.send_raw_transaction(signed.raw_transaction)


def test_a_transaction_is_mined_when_it_is_answered(chain):
    for number in range(1, 20):
        receipt = chain.eth.get_transaction_receipt(transfer(chain))
        assert (receipt["blockNumber"], receipt["gasUsed"], receipt["status"]) == (
            number,
            21_000,
            1,
        )
    sent = chain.eth.send_transaction({"from": POOR.address, "to": RICH.address, "value": 1})
    assert chain.eth.get_transaction_receipt(sent)["blockNumber"] == chain.eth.block_number


def test_a_transaction_that_is_not_taken_is_an_error(chain):
    transfer(chain)
    with pytest.raises(Exception, match="nonce too low"):
        transfer(chain, nonce=0)


def test_each_block_is_a_second_after_its_parent(chain):
    begun = chain.eth.get_block("latest")["timestamp"]
    mine(chain, 5)
    transfer(chain)
    assert chain.eth.get_block("latest")["timestamp"] == begun + 6
    assert chain.eth.get_block("pending")["timestamp"] == begun + 7


def test_time_is_as_far_on_as_one_likes_and_never_behind(chain):
    begun = chain.eth.get_block("latest")["timestamp"]
    travel(chain, begun + 10**9)
    mine(chain, 2)
    assert chain.eth.get_block("latest")["timestamp"] == begun + 10**9 + 1
    with pytest.raises(Unavailable, match="imestamp"):
        travel(chain, begun)


def test_it_goes_back_to_how_it_stood(chain):
    before = chain.eth.get_block("latest")
    outer = snapshot(chain)
    transfer(chain)
    inner = snapshot(chain)
    travel(chain, before["timestamp"] + 500)
    transfer(chain)
    inner()
    assert chain.eth.block_number == before["number"] + 1
    outer()
    assert chain.eth.get_block("latest") == before
    transfer(chain)
    assert chain.eth.get_block("latest")["timestamp"] == before["timestamp"] + 1


def test_two_chains_are_strangers(chain):
    other = fresh_chain()
    transfer(chain)
    assert (chain.eth.block_number, other.eth.block_number) == (1, 0)


def test_others_reach_it_where_it_is_asked_to_be():
    w3 = fresh_chain(port=free_port())
    transfer(w3)
    assert connect_rpc(w3.provider.endpoint_uri).eth.block_number == 1


def test_it_ends_when_it_is_told_to_and_when_it_is_forgotten():
    gc.collect()
    before = len(chains())
    told, forgotten = fresh_chain(), fresh_chain()
    folder = Path(told.provider.ipc_path).parent
    assert len(chains()) == before + 2
    end_chain(told)
    assert not folder.exists()
    del forgotten
    gc.collect()
    assert len(chains()) == before


def test_it_ends_with_a_process_that_is_killed():
    starter = subprocess.Popen(
        [sys.executable, "-c", STARTER], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    starter.stdout.readline()
    (child,) = psutil.Process(starter.pid).children()
    starter.kill()
    starter.communicate()
    until = time.monotonic() + 60
    while child.is_running() and child.status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < until
        time.sleep(0.01)


def test_an_option_that_anvil_does_not_know():
    with pytest.raises(Unavailable, match="anvil does not start"):
        fresh_chain(options=["--frobnicate"])
