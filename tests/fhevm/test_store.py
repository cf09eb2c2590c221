import threading

import pytest

from fhevm.events import Entry, Permission
from fhevm.handles import Handle
from fhevm.operations import Operation
from fhevm.store import Block, Input, Store
from fhevm.types import FheType


def handle(number, fhe_type=FheType.EUINT8):
    return Handle(number.to_bytes(21) + b"\xff" + (31337).to_bytes(8) + bytes([fhe_type, 0]))


def entry(block, index, event):
    return Entry(block, bytes([block]) * 32, "alice", index, event)


def adding(number, *operands):
    return Operation("add", operands, handle(number), "contract")


@pytest.fixture
def store(database_url):
    opened = Store(database_url)
    yield opened
    opened.close()


def add_block(store, number, *events):
    entries = [entry(number, index, event) for index, event in enumerate(events)]
    store.add_block(Block(number, bytes([number]) * 32), entries)


def test_operations_come_back_as_they_were(store):
    wide = (1 << 255) + 12345
    events = [
        Operation("trivial_encrypt", (wide,), handle(1, FheType.EUINT256), "contract"),
        Operation("select", (handle(5), handle(6), handle(7)), handle(2), "contract"),
        Operation("rand_bounded", (16, wide), handle(3), "contract"),
    ]
    add_block(store, 1, *events)
    tasks = [store.task(each.result) for each in events]
    assert [task.operation for task in tasks] == events
    assert [(task.block, task.account) for task in tasks] == [(1, "alice")] * 3


def test_insertions_may_be_repeated(store):
    for _ in range(2):
        add_block(store, 1, adding(1), Permission(handle(1), public=False))
        store.add_results([(handle(1), b"result")], [(handle(2), "broken")])
        store.add_input(b"blob", [handle(3)])
        store.set_chain(b"\0" * 32, "host")
    assert set(store.counts().values()) == {1}


def test_the_first_result_stays(store):
    """Whoever was killed and computes again does not change what others have read."""
    store.add_results([(handle(1), b"first")])
    store.add_results([(handle(1), b"second")])
    assert store.ciphertext(handle(1)) == b"first"


def test_what_is_done_or_failed_is_not_asked_for(store):
    add_block(store, 1, adding(1), adding(2), adding(3))
    add_block(store, 2, *(Permission(handle(each), public=False) for each in (1, 2, 3)))
    store.add_results([(handle(1), b"done")], [(handle(2), "broken")])
    assert [each.handle for each in store.permissions()] == [handle(3)]
    assert store.failure(handle(2)) == "broken"


def test_a_rewind_drops_what_only_later_blocks_made(store):
    add_block(store, 1, adding(1))
    add_block(store, 2, adding(2), adding(1), Permission(handle(2), public=True))
    store.add_results([(handle(1), b"kept"), (handle(2), b"dropped")])
    store.rewind(1)
    assert store.head() == Block(1, b"\1" * 32)
    assert store.task(handle(2)) is None
    assert store.ciphertext(handle(2)) is None
    assert store.ciphertext(handle(1)) == b"kept"
    assert store.counts()["permissions"] == 0


def test_a_rewind_keeps_inputs(store):
    """They were attested, whatever becomes of the transaction that uses them."""
    add_block(store, 1, Operation("verify_input", (), handle(1), "contract"))
    store.add_input(b"blob", [handle(1)])
    store.rewind(0)
    assert store.input(handle(1)) == Input(b"blob", (FheType.EUINT8,), 0)


def test_permissions_of_what_is_pending(store):
    add_block(store, 1, adding(1), adding(2), adding(3))
    add_block(store, 2, *(Permission(handle(each), public=each == 2) for each in (1, 2)))
    store.add_results([(handle(1), b"done")])
    assert store.permissions() == [Permission(handle(2), public=True)]


def test_values_of_one_input(store):
    types = (FheType.EBOOL, FheType.EUINT8, FheType.EBOOL)
    handles = [handle(number, each) for number, each in enumerate(types)]
    store.add_input(b"blob", handles)
    assert [store.input(each) for each in handles] == [
        Input(b"blob", types, place) for place in range(3)
    ]


def test_the_same_ciphertext_under_other_names(store):
    store.add_input(b"blob", [handle(1)])
    store.add_input(b"blob", [handle(2, FheType.EUINT8)])
    assert store.input(handle(1)) == store.input(handle(2)) == Input(b"blob", (FheType.EUINT8,), 0)


def test_all_is_there_after_opening_again(store, database_url):
    add_block(store, 1, adding(1))
    store.add_results([(handle(1), b"kept")])
    store.set_chain(b"\0" * 32, "host")
    store.close()
    again = Store(database_url)
    assert again.head() == Block(1, b"\1" * 32)
    assert again.ciphertext(handle(1)) == b"kept"
    assert again.chain() == (b"\0" * 32, "host")
    again.close()


def test_threads_read_and_write_at_once(store):
    def write(first):
        for number in range(first, first + 20):
            add_block(store, number, adding(number))
            store.add_results([(handle(number), bytes(100))])

    writers = [threading.Thread(target=write, args=(first,)) for first in (1, 100, 200)]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        store.counts()
    assert store.counts()["ciphertexts"] == 60
