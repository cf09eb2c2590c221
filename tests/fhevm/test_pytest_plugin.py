"""The `fhevm` fixture on the chain of whatever runs the tests; ape reverts that chain after each test."""

import pytest

from fhevm.devchain import dev_accounts
from fhevm.errors import UnknownHandle
from tests.fhevm.calls import Deployed

ALICE = dev_accounts()[1]
SEEN = {}


@pytest.fixture(scope="module")
def box(fhevm, fhevm_w3):
    """Holds 5, for all tests of this module."""
    fund(fhevm_w3, ALICE)
    box = Deployed(fhevm_w3, "EncryptedBox", ALICE)
    add(fhevm, box, 5)
    return box


def fund(w3, account):
    payment = {"from": w3.eth.accounts[0], "to": account.address, "value": 10**20}
    w3.eth.wait_for_transaction_receipt(w3.eth.send_transaction(payment), poll_latency=0.005)


def add(fhevm, box, number):
    sender = box.account.address
    made = fhevm.client.encrypt(box.contract.address, sender).add_uint8(number).add_bool(True)
    encrypted = made.encrypt()
    box.send("add", *encrypted.handles, encrypted.proof)


def test_nothing_is_needed_before_the_fixture():
    """ape has taken its snapshots by the time that the next test asks for the fixture."""


@pytest.mark.parametrize("number", [1, 2, 3])
def test_each_test_starts_from_the_fixtures(fhevm, box, number, request):
    if request.config.pluginmanager.has_plugin("ape-test"):
        assert fhevm.debug_decrypt(box.call("total")) == 5
        for handle in SEEN.values():
            with pytest.raises(UnknownHandle):
                fhevm.debug_decrypt(handle)
    before = fhevm.debug_decrypt(box.call("total"))
    for _ in range(number):
        add(fhevm, box, 10 * number)
    SEEN[number] = box.call("total")
    assert fhevm.debug_decrypt(SEEN[number]) == before + 10 * number * number
    assert fhevm.client.user_decrypt([SEEN[number]], box.contract.address, ALICE) == [
        before + 10 * number * number
    ]


def test_the_backend_is_the_one_that_was_asked_for(fhevm, request):
    assert fhevm.keys.public.backend == request.config.option.fhevm_backend
