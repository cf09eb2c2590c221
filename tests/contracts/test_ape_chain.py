"""What ape is told of the chain that its tests run on; and that a local fhEVM stands on ape's own as well."""

import pytest
from ape import networks, reverts
from ape.exceptions import ContractLogicError, OutOfGasError, VirtualMachineError

from fhevm.errors import UnknownHandle
from fhevm.local import LocalFhevm

CLOCKS, CONTROLS = (600, 100, 200), [(60, 3)]
NOBODY = "0x0000000000000000000000000000000000000000"
SEED = bytes(range(32))


@pytest.fixture(scope="module")
def table(project, owner):
    """A contract with errors of its own."""
    return owner.deploy(project.Sandbox, owner, CLOCKS, CONTROLS)


@pytest.fixture
def opened(table, host):
    """A game's receipt."""
    return table.open(b"", 2, 0, NOBODY, value=1, sender=host)


@pytest.mark.parametrize("way", ["sent", "call", "estimate_gas_cost"])
def test_a_revert_is_told_by_name(table, host, way):
    ask = table.open if way == "sent" else getattr(table.open, way)
    with reverts(table.Table_OpponentIsSelf, account=host):
        ask(b"", 2, 0, host, sender=host)


def test_a_revert_is_that_of_the_block_that_it_was_in(table, opened, host, guest):
    """In the next one it would be none."""
    table.join(1, value=1, sender=guest)
    target = table.turnOf(1).mark
    for _ in range(2):
        with reverts(table.Table_DrawNotYet, id=1, target=target):
            table.settleDraw(1, sender=host)
    table.settleDraw(1, sender=host)


def test_a_revert_may_be_wanted(table, host):
    receipt = table.open(b"", 2, 0, host, sender=host, raise_on_revert=False)
    assert (receipt.failed, receipt.error.inputs) == (True, {"account": host})
    answer = table.open.call(b"", 2, 0, host, sender=host, raise_on_revert=False)
    assert answer == f"account={host}"


def test_a_revert_without_words(table, outsider):
    with pytest.raises(ContractLogicError) as refusal:
        outsider.transfer(table, 1)
    assert refusal.value.revert_message == "Transaction failed."


def test_no_gas_is_left(table, host):
    with pytest.raises(OutOfGasError):
        table.open(b"", 2, 0, NOBODY, sender=host, gas_limit=30_000)


def test_what_the_chain_does_not_take_is_told_in_its_words(table, host):
    with pytest.raises(VirtualMachineError, match="intrinsic gas too low"):
        table.open(b"", 2, 0, NOBODY, sender=host, gas_limit=20_000)


def test_a_receipt_tells_what_it_cost_and_what_happened(table, opened, chain, host):
    assert opened.block_number == chain.blocks.height
    assert opened.timestamp == chain.blocks.head.timestamp
    assert opened.total_fees_paid == opened.gas_used * chain.provider.base_fee
    assert opened.events == [table.GameOpened(1, host, NOBODY, 2, 0, 1, b"")]
    assert list(opened.decode_logs(table.GameOpened)) == opened.events


def test_a_view_as_of_an_earlier_block(table, opened):
    assert table.gameCount(block_id=opened.block_number) == 1
    assert table.gameCount(block_id=opened.block_number - 1) == 0


def test_time_and_blocks(chain):
    height, now = chain.blocks.height, chain.blocks.head.timestamp
    chain.mine(3)
    chain.mine(-1)  # none
    assert (chain.blocks.height, chain.blocks.head.timestamp) == (height + 3, now + 3)
    assert chain.pending_timestamp == now + 4
    chain.pending_timestamp = now + 500
    chain.mine()
    assert (chain.blocks.head.timestamp, chain.pending_timestamp) == (now + 500, now + 501)


def test_what_is_isolated_leaves_nothing(table, chain, host):
    height, held, now = chain.blocks.height, host.balance, chain.pending_timestamp
    with chain.isolate():
        chain.pending_timestamp += 500
        table.open(b"", 2, 0, NOBODY, value=5, sender=host)
    assert (chain.blocks.height, host.balance, table.gameCount()) == (height, held, 0)
    assert chain.pending_timestamp == now


def test_other_rules_are_another_chain(table, chain, opened):
    here = chain.provider.web3
    for _ in range(2):
        prague = {"hardfork": "prague"}
        with networks.parse_network_choice("ethereum:local:fhevm", prague) as provider:
            assert provider.web3 is not here
            assert not provider.get_code(table.address)
    assert networks.active_provider.web3 is here
    assert table.gameCount() == 1


def test_a_local_fhevm_follows_apes_own_chain_back(project, accounts):
    with networks.parse_network_choice("ethereum:local:test", {"chain_id": 31337}) as provider:
        owner, chain = accounts[0], provider.chain_manager
        with LocalFhevm.create(provider.web3, "clear", SEED) as fhevm:
            box = owner.deploy(project.EncryptedBox)
            add(fhevm, box, owner, 5)
            kept, before = box.total(), chain.snapshot()
            add(fhevm, box, owner, 37)
            undone = box.total()
            assert fhevm.debug_decrypt(undone) == 42
            chain.restore(before)
            with pytest.raises(UnknownHandle):
                fhevm.debug_decrypt(undone)
            add(fhevm, box, owner, 1)
            assert (fhevm.debug_decrypt(kept), fhevm.debug_decrypt(box.total())) == (5, 6)
            with pytest.raises(UnknownHandle):
                fhevm.debug_decrypt(undone)


def add(fhevm, box, owner, number):
    made = fhevm.client.encrypt(box.address, owner.address).add_uint8(number).add_bool(True)
    encrypted = made.encrypt()
    box.add(*encrypted.handles, encrypted.proof, sender=owner)
