import pytest
from eth_account import Account

from fhevm.addresses import LOCAL
from fhevm.errors import ChainWasReset, Unavailable
from fhevm.freshchain import fresh_chain, snapshot
from fhevm.host import HostSigners, deploy_host
from fhevm.keys import address_of
from fhevm.local import LocalFhevm
from fhevm.reader import Reader
from fhevm.store import Store
from tests.fhevm.calls import Deployed
from tests.fhevm.conftest import SEED


@pytest.fixture
def store(tmp_path):
    return Store.in_folder(tmp_path)


@pytest.fixture
def reader(stack, operators, store):
    return Reader(stack.w3, LOCAL, store)


def read_all(reader):
    entries, rewound = [], False
    while (progress := reader.read()).more or progress.entries:
        entries += progress.entries
        rewound = rewound or progress.rewound
    return entries, rewound


def names(entries):
    return [getattr(entry.event, "name", "permission") for entry in entries]


PRODUCT = ["trivial_encrypt", "add", "mul", "permission", "permission"]


def test_reads_each_block_once(reader, operators):
    read_all(reader)
    operators.send("product", 1, 2, True)
    assert names(read_all(reader)[0]) == PRODUCT
    assert read_all(reader) == ([], False)


def test_entries_tell_the_sender_and_the_contract(reader, operators, alice, bob):
    read_all(reader)
    operators.send("product", 1, 2, True, account=bob)
    entry = read_all(reader)[0][1]
    assert entry.account == bob.address
    assert entry.event.caller == operators.contract.address


def test_goes_on_where_the_last_reader_stopped(reader, operators, stack, store):
    read_all(reader)
    operators.send("product", 1, 2, True)
    assert names(read_all(Reader(stack.w3, LOCAL, store))[0]) == PRODUCT


def test_many_blocks_are_read_in_ranges(reader, operators, monkeypatch):
    monkeypatch.setattr("fhevm.reader.RANGE", 2)
    for number in range(5):
        operators.send("product", number, 2, True)
    assert names(read_all(reader)[0]) == PRODUCT * 5


def test_a_reverted_snapshot_is_followed_to_the_common_ancestor(reader, operators, stack, store):
    operators.send("product", 1, 2, True)
    read_all(reader)
    kept, ancestor = store.counts(), reader.head
    go_back = snapshot(stack.w3)
    for number in range(4):
        operators.send("product", number, 9, True)
    read_all(reader)
    go_back()
    assert read_all(reader) == ([], True)
    assert reader.head == ancestor
    assert store.counts() == kept


def test_a_branch_of_the_same_length_is_recognised(reader, operators, stack):
    read_all(reader)
    go_back = snapshot(stack.w3)
    operators.send("product", 1, 2, True)
    read_all(reader)
    before = reader.head
    go_back()
    operators.send("chain", 1, 3)
    entries, rewound = read_all(reader)
    assert rewound
    assert names(entries)[:2] == ["trivial_encrypt", "add"]
    assert reader.head.number == before.number
    assert reader.head.hash != before.hash


def test_rewinding_while_nobody_reads(reader, operators, stack, store):
    """The process was down while the chain went back."""
    read_all(reader)
    go_back = snapshot(stack.w3)
    operators.send("product", 1, 2, True)
    read_all(reader)
    go_back()
    operators.send("chain", 1, 1)
    again = Reader(stack.w3, LOCAL, store)
    entries, rewound = read_all(again)
    assert rewound
    assert names(entries)[0] == "trivial_encrypt"


class Gone:
    """A chain that stopped answering."""

    def get_block(self, *_):
        raise ConnectionError("refused")


def test_a_chain_that_does_not_answer(reader, monkeypatch):
    monkeypatch.setattr(reader._w3, "eth", Gone())
    with pytest.raises(Unavailable):
        reader.read()


def test_another_genesis_is_a_reset(chain, store):
    other = fresh_chain(options=["--timestamp", "1700000000"])
    with LocalFhevm.create(chain, "clear", SEED), LocalFhevm.create(other, "clear", SEED):
        Reader(chain, LOCAL, store)
        with pytest.raises(ChainWasReset, match="genesis"):
            Reader(other, LOCAL, store)


def test_another_host_is_a_reset(reader, stack, store):
    """Same genesis, but the host was deployed anew, for other keys."""
    stranger = address_of(b"\7" * 32)
    owner = Account.from_key(stack.keys.host.owner)
    deploy_host(stack.w3, owner, HostSigners(stack.keys.public.kms_signer, stranger))
    with pytest.raises(ChainWasReset, match=stranger):
        Reader(stack.w3, LOCAL, store)


def test_a_chain_that_went_back_behind_its_host_is_a_reset(chain, alice, tmp_path):
    go_back = snapshot(chain)
    with LocalFhevm.create(chain, "clear", SEED) as stack:
        operators = Deployed(chain, "Operators", alice)
        operators.send("product", 1, 2, True)
        stack.sync()
        go_back()
        with pytest.raises(ChainWasReset, match="missing"):
            stack.sync()
