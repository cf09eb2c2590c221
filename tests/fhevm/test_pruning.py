"""What the store forgets, and that nothing that counts is among it."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fhevm.backends.clear import ClearDecryptor, ClearEvaluator
from fhevm.coprocessor import Coprocessor
from fhevm.errors import ComputationFailed, UnknownHandle
from fhevm.events import Permission
from fhevm.freshchain import fresh_chain, snapshot
from fhevm.handles import Handle
from fhevm.local import LocalFhevm
from fhevm.pruning import Pruning
from fhevm.store import Block, Store
from fhevm.unused import Unused
from tests.amount import enough
from tests.fhevm.calls import Deployed
from tests.fhevm.test_store import add_block, adding, handle

SEED = bytes(range(32))


@pytest.fixture
def store(tmp_path):
    opened = Store.in_folder(tmp_path)
    yield opened
    opened.close()


def at_once(store):
    """Forgets all that it may, as soon as it may."""
    return Pruning(store, age_seconds=0, every_seconds=0)


def forget(store, head):
    at_once(store).run(head, set)


def test_what_nothing_allows_goes_with_its_value(store):
    add_block(store, 1, adding(1), adding(2), Permission(handle(2), public=False))
    store.add_results([(handle(1), b"between"), (handle(2), b"allowed")], [])
    forget(store, 1)
    assert (store.task(handle(1)), store.ciphertext(handle(1))) == (None, None)
    assert store.task(handle(2)).result == handle(2)
    assert store.ciphertext(handle(2)) == b"allowed"


def test_what_is_held_stays_until_it_is_not(store):
    for number in (1, 2, 3):
        add_block(store, number, adding(number))
    pruning = at_once(store)
    pruning.run(3, lambda: [handle(2)])
    assert [store.task(handle(each)) is not None for each in (1, 2, 3)] == [False, True, False]
    assert [block.number for block in store.blocks()] == [2]
    pruning.run(3, set)
    assert (store.task(handle(2)), store.blocks()) == (None, [])


@pytest.fixture
def small_parts(monkeypatch):
    for module in ("store", "pruning"):
        monkeypatch.setattr(f"fhevm.{module}.PRUNED_AT_ONCE", 10)


@pytest.mark.usefixtures("small_parts")
def test_what_is_held_stands_in_nobodys_way(store):
    """More of it than is looked at at once, within a block and over several."""
    held = [handle(number) for number in range(35)]
    add_block(store, 1, *map(adding, range(25)))
    for number in range(2, 7):
        add_block(store, number, *map(adding, range(13 * number, 13 * number + 13)))
    pruning = at_once(store)
    for _ in range(9):
        pruning.run(6, lambda: held)
    assert store.counts()["operations"] == 25 + 9
    for _ in range(4):
        pruning.run(6, set)
    assert (store.counts()["operations"], store.counts()["blocks"]) == (0, 0)


@pytest.mark.usefixtures("small_parts")
def test_what_was_looked_at_is_not_looked_at_again(store, monkeypatch):
    begun, unallowed = [], store.unallowed
    monkeypatch.setattr(
        store, "unallowed", lambda begin, last: begun.append(begin) or unallowed(begin, last)
    )
    add_block(store, 1, *map(adding, range(12)))
    add_block(store, 2, adding(30), Permission(handle(30), public=False))
    pruning = at_once(store)
    for _ in range(5):
        pruning.run(2, lambda: [handle(0)])
    assert begun == [(0, 0), (1, 10)]
    pruning.rewind(1)
    add_block(store, 2, adding(31))
    pruning.run(2, lambda: [handle(0)])
    assert begun[2:] == [(2, 0)]
    assert store.counts()["operations"] == 1 + 1


def test_what_is_held_and_allowed_later_stays(store):
    add_block(store, 1, adding(1))
    pruning = at_once(store)
    pruning.run(1, lambda: [handle(1)])
    add_block(store, 2, adding(1), Permission(handle(1), public=False))
    pruning.run(2, set)
    assert store.task(handle(1)).block == 1


def test_later_blocks_stay(store):
    for number in (1, 2):
        add_block(store, number, adding(1), adding(number + 10))
    store.add_results([(handle(1), b"made again")])
    forget(store, 1)
    assert store.task(handle(1)).block == 2
    assert store.ciphertext(handle(1)) == b"made again"
    assert store.task(handle(11)) is None


def test_blocks_of_which_nothing_is_known_go_too(store):
    for number in range(1100):
        store.add_block(Block(number, bytes(32)), [])
    add_block(store, 200, adding(1), Permission(handle(1), public=False))
    forget(store, 1098)
    assert [block.number for block in store.blocks()] == [0, 200, 1024, 1099]


def test_the_newest_operations_stay_for_whoever_debugs(store):
    for number in range(1, 21):
        add_block(store, number, adding(2 * number), adding(2 * number + 1))
    pruning = Pruning(store, most_operations=10, every_seconds=0)
    pruning.run(20, set)
    assert store.counts()["operations"] == 10


def test_an_age_is_waited_for(store):
    now = [0.0]
    pruning = Pruning(store, age_seconds=100, every_seconds=1, clock=lambda: now[0])
    add_block(store, 1, adding(1))
    for seconds, number in ((2, 1), (60, 2), (101, 3)):
        now[0] = seconds
        add_block(store, number + 1, adding(number + 1))
        pruning.run(number, set)
    assert store.task(handle(1)) is not None
    now[0] = 103
    pruning.run(4, set)
    assert [store.task(handle(each)) is not None for each in (1, 2)] == [False, True]


def test_the_file_shrinks(store, tmp_path):
    for number in range(1, 40):
        add_block(store, number, adding(number))
        store.add_results([(handle(number), bytes(100_000))])
    size = (tmp_path / "coprocessor.sqlite").stat().st_size
    forget(store, 39)
    store.close()
    assert (tmp_path / "coprocessor.sqlite").stat().st_size < size / 4


# -- with a chain --------------------------------------------------------------------------------------


def forgetful(stack, **options):
    """A coprocessor on the same store that forgets as soon as it may."""
    pruning = at_once(stack._store)
    return Coprocessor(
        stack.w3, stack._store, ClearEvaluator(), stack.host, pruning=pruning, **options
    )


def value(coprocessor, raw):
    parsed = Handle(bytes(raw))
    return ClearDecryptor().decrypt(coprocessor.ciphertext(parsed), parsed.type)


def test_memory_holds_what_is_needed_alone(stack, operators):
    for _ in range(3):
        operators.send("product", 3, 4, False)
    stack.sync()
    assert len(stack.coprocessor._graph) == 0
    assert list(stack.coprocessor._graph.held()) == []
    operators.send("product", 3, 4, True)
    stack.sync()
    assert len(stack.coprocessor._graph) == 0


def test_what_was_forgotten_is_computed_when_it_is_asked_for_again(stack, operators):
    operators.send("product", 3, 4, False)
    (raw,) = operators.results()
    coprocessor = forgetful(stack)
    coprocessor.step()
    coprocessor.step()
    with pytest.raises(UnknownHandle):
        coprocessor.ciphertext(Handle(raw))
    operators.send("product", 3, 4, True)
    assert value(coprocessor, raw) == 21


def test_a_chain_that_goes_back_before_what_was_forgotten(stack, operators):
    go_back = snapshot(stack.w3)
    coprocessor = forgetful(stack)
    for number in range(4):
        operators.send("chain", number, 3)
        coprocessor.step()
    go_back()
    operators.send("product", 2, 5, True)
    operators.send("chain", 9, 3)
    assert [value(coprocessor, raw) for raw in operators.results()] == [12]


@settings(deadline=None, max_examples=enough(12, 60), suppress_health_check=list(HealthCheck))
@given(st.data())
def test_forgetting_restarting_and_going_back_change_no_value(shared, data):
    """Random calls, each compared with a stack that forgets nothing."""
    stack, operators = shared
    coprocessor, back = forgetful(stack), []
    for _ in range(data.draw(st.integers(3, 8))):
        step = data.draw(st.sampled_from(["chain", "product", "hidden", "restart", "mark", "back"]))
        number = data.draw(st.integers(0, 255))
        if step == "restart":
            coprocessor = forgetful(stack)
        elif step == "mark":
            back.append(snapshot(stack.w3))
        elif step == "back" and back:
            back.pop()()
        elif step == "chain":
            operators.send("chain", number, 5)
            (raw,) = operators.results()
            assert value(coprocessor, raw) == (number + 5) % 256
        else:
            operators.send("product", number, 7, step == "product")
            coprocessor.step()
            if step == "product":
                assert value(coprocessor, operators.results()[0]) == 3 * (number + 7) % 256


@pytest.fixture(scope="module")
def shared():
    from fhevm.devchain import dev_accounts

    with LocalFhevm.create(fresh_chain(), "clear", SEED) as stack:
        yield stack, Deployed(stack.w3, "Operators", dev_accounts()[1])


# -- inputs --------------------------------------------------------------------------------------------


def add_to(box, made):
    box.send("add", *made.handles, made.proof)


def attested(stack, box, account, number):
    address = box.contract.address
    return stack.client.encrypt(address, account.address).add_uint8(number).add_bool(True).encrypt()


def test_an_input_that_no_block_used_expires_and_counts_as_zero(stack, alice):
    """It makes a zero, not a fault: else whoever holds one back could stop a game with it."""
    box, now = Deployed(stack.w3, "EncryptedBox", alice), [0.0]
    unused = Unused(seconds=100, clock=lambda: now[0])
    coprocessor = Coprocessor(stack.w3, stack._store, ClearEvaluator(), stack.host, unused=unused)
    stack.gateway._ciphertexts = coprocessor
    held, used = (attested(stack, box, alice, number) for number in (41, 5))
    add_to(box, used)
    coprocessor.step()
    now[0] = 101
    coprocessor.step()
    kept = [stack._store.input(Handle(made.handles[0])).ciphertext != b"" for made in (held, used)]
    assert kept == [False, True]
    add_to(box, held)
    assert value(coprocessor, box.call("total")) == 5
    assert value(coprocessor, box.call("flag")) == 0


def test_an_input_that_is_attested_again_is_there_again(store):
    digest = store.add_input(b"blob", [handle(1)])
    store.forget_inputs([digest])
    assert store.input(handle(1)).ciphertext == b""
    assert store.add_input(b"blob", [handle(1)]) == digest
    assert store.input(handle(1)).ciphertext == b"blob"


def test_an_input_that_nobody_attested_fails(stack, alice, monkeypatch):
    box = Deployed(stack.w3, "EncryptedBox", alice)
    made = attested(stack, box, alice, 41)
    monkeypatch.setattr(stack._store, "input", lambda handle: None)
    add_to(box, made)
    with pytest.raises(ComputationFailed, match="no input of this name was attested here"):
        stack.coprocessor.ciphertext(Handle(box.call("total")))


def test_unused_inputs_are_known_after_a_restart(stack, alice):
    box = Deployed(stack.w3, "EncryptedBox", alice)
    held, used = (attested(stack, box, alice, number) for number in (1, 2))
    add_to(box, used)
    stack.sync()
    (found,) = stack._store.unused_inputs()
    assert found[0] == stack._store.input_digest(Handle(held.handles[0]))
    assert len(forgetful(stack)._unused) == 1
