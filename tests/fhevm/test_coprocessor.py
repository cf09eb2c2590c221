import pytest

from fhevm.errors import ComputationFailed, NotComputedYet, UnknownHandle
from fhevm.freshchain import snapshot
from fhevm.handles import Handle
from fhevm.operations import Operation
from fhevm.scheduler import MOST_RUNNING
from tests.fhevm.calls import Deployed


def values(stack, operators):
    return [stack.debug_decrypt(handle) for handle in operators.results()]


def test_binary_operators(stack, operators):
    a, b = 200, 99
    operators.send("binary", a, b)
    assert values(stack, operators) == [
        (a + b) % 256,
        a - b,
        a * b % 256,
        a & b,
        a | b,
        a ^ b,
        min(a, b),
        max(a, b),
        a << (b % 8) & 255,
        (a >> (b % 8) | a << (8 - b % 8)) & 255,
        False,
        True,
        False,
        (a + b) % 256,
        a - b,
        a // b,
        a % b,
        True,
    ]


def test_other_operators(stack, operators):
    operators.send("others", 7, 100)
    *certain, drawn, drawn_below = values(stack, operators)
    assert certain == [249, 248, 100, 700 % 256]
    assert 0 <= drawn < 256
    assert 0 <= drawn_below < 16


def test_what_nothing_needs_is_not_computed(stack, operators):
    operators.send("product", 3, 4, False)
    stack.sync()
    assert stack.coprocessor.statistics.operations == 0
    operators.send("product", 3, 4, True)
    stack.sync()
    assert stack.coprocessor.statistics.operations == 3
    assert values(stack, operators) == [21]


def test_debugging_computes_what_nothing_needs(stack, operators):
    operators.send("product", 3, 4, False)
    assert values(stack, operators) == [21]


def test_the_same_operation_again_is_not_computed_again(stack, operators):
    operators.send("product", 3, 4, True)
    stack.sync()
    operators.send("product", 3, 4, True)
    stack.sync()
    assert stack.coprocessor.statistics.operations == 3


def test_statistics_are_by_block(stack, operators):
    first = operators.send("product", 1, 1, True)["blockNumber"]
    second = operators.send("chain", 7, 5)["blockNumber"]
    stack.sync()
    blocks = stack.coprocessor.statistics.blocks
    assert (blocks[first].operations, blocks[second].operations) == (3, 6)


def test_unknown_handle_is_named(stack):
    handle = Handle(bytes(21) + b"\xff" + (31337).to_bytes(8) + b"\x02\x00")
    with pytest.raises(UnknownHandle, match=str(handle)):
        stack.coprocessor.ciphertext(handle)


@pytest.fixture
def failing(stack, operators, monkeypatch):
    """Every multiplication fails."""
    evaluator = stack.coprocessor._evaluator
    compute = evaluator.compute

    def fail_at_mul(operation: Operation, operands):
        if operation.name == "mul":
            raise ArithmeticError("broken multiplier")
        return (yield from compute(operation, operands))

    monkeypatch.setattr(evaluator, "compute", fail_at_mul)
    return operators


def test_a_failure_takes_down_what_depends_on_it_alone(stack, failing):
    failing.send("others", 7, 100)
    handles = failing.results()
    assert [stack.debug_decrypt(handle) for handle in handles[:3]] == [249, 248, 100]
    with pytest.raises(ComputationFailed, match=r"operand 0x\w+ failed: .*broken multiplier"):
        stack.debug_decrypt(handles[3])
    failing.send("chain", 1, 3)
    assert values(stack, failing) == [4]


@pytest.mark.parametrize("method", ["compute", "load", "dump", "trivial"])
def test_any_exception_fails_its_operation_alone(stack, operators, monkeypatch, method):
    """Raised once, anywhere in the backend; what does not depend on it goes on."""
    evaluator = stack.coprocessor._evaluator
    original, calls = getattr(evaluator, method), []

    def break_once(*arguments):
        calls.append(arguments)
        if len(calls) == 1:
            raise ZeroDivisionError("broken anywhere")
        return original(*arguments)

    monkeypatch.setattr(evaluator, method, break_once)
    operators.send("product", 3, 4, True)
    (handle,) = operators.results()
    with pytest.raises(ComputationFailed, match="broken anywhere"):
        stack.debug_decrypt(handle)
    operators.send("product", 5, 6, True)
    assert values(stack, operators) == [33]


def test_operands_of_a_backlog_stay_in_the_store(stack, operators, monkeypatch):
    """However much is ready, at most MOST_RUNNING operations hold their operands, also after a restart."""
    evaluator, running, most = stack.coprocessor._evaluator, set(), []
    compute = evaluator.compute

    def watched(operation, operands):
        running.add(operation.result)
        most.append(len(running))

        def computation():
            yield [None]
            result = yield from compute(operation, operands)
            running.discard(operation.result)
            return result

        return computation()

    monkeypatch.setattr(evaluator, "compute", watched)
    for number in range(8):
        operators.send("binary", 200 - number, 99)
    stack.coprocessor._read()
    stack.coprocessor._rebuild()
    stack.sync()
    assert len(most) > 4 * MOST_RUNNING
    assert 1 < max(most) <= MOST_RUNNING


def test_an_operand_that_is_read_twice_is_loaded_once(stack, operators, monkeypatch):
    evaluator, pairs = stack.coprocessor._evaluator, []
    compute = evaluator.compute

    def watched(operation, operands):
        handles = operation.operands
        if len(handles) == 2 and handles[0] == handles[1]:
            pairs.append(operands)
        return compute(operation, operands)

    monkeypatch.setattr(evaluator, "compute", watched)
    operators.send("binary", 7, 7)
    stack.sync()
    assert pairs
    assert all(x is y for x, y in pairs)


def test_a_failure_stays_known(stack, failing):
    failing.send("product", 3, 4, True)
    stack.sync()
    failing.send("product", 3, 4, True)
    with pytest.raises(ComputationFailed, match="broken multiplier"):
        stack.debug_decrypt(failing.results()[0])


def test_the_chain_goes_back_and_becomes_shorter(stack, operators):
    operators.send("product", 1, 1, True)
    stack.sync()
    go_back = snapshot(stack.w3)
    operators.send("product", 2, 2, True)
    (dropped,) = operators.results()
    operators.send("chain", 1, 2)
    stack.sync()
    go_back()
    assert values(stack, operators) == [6]
    with pytest.raises(UnknownHandle):
        stack.debug_decrypt(dropped)


@pytest.mark.parametrize("later", [1, 2, 3])
def test_the_chain_goes_back_and_another_follows(stack, operators, later):
    """Shorter than, as long as and longer than the branch that was read."""
    go_back = snapshot(stack.w3)
    operators.send("product", 1, 1, True)
    operators.send("chain", 9, 3)
    (dropped,) = operators.results()
    stack.sync()
    go_back()
    for number in range(later):
        operators.send("product", number, 5, True)
    assert values(stack, operators) == [3 * (later + 4)]
    with pytest.raises(UnknownHandle):
        stack.debug_decrypt(dropped)


def test_acting_again_after_going_back(stack, operators):
    go_back = snapshot(stack.w3)
    operators.send("product", 1, 1, True)
    (first,) = operators.results()
    assert stack.debug_decrypt(first) == 6
    go_back()
    operators.send("product", 1, 1, True)
    assert operators.results() == [first]
    assert stack.debug_decrypt(first) == 6


def test_inputs_and_both_decryptions(stack, alice, bob):
    box = Deployed(stack.w3, "EncryptedBox", alice)
    address = box.contract.address
    enc = stack.client.encrypt(address, alice.address).add_uint8(41).add_bool(True).encrypt()
    box.send("add", *enc.handles, enc.proof)
    handles = [box.call("total"), box.call("flag")]
    assert stack.client.user_decrypt(handles, address, alice) == [41, True]
    box.send("publish")
    opened = stack.client.public_decrypt(handles)
    box.send("open", *opened.cleartexts, opened.proof)
    assert (box.call("opened"), box.call("openedFlag")) == (41, True)


def test_not_computed_in_time(stack, operators, monkeypatch):
    operators.send("product", 3, 4, True)
    monkeypatch.setattr(stack.coprocessor, "_is_running", True)  # but nobody works
    with pytest.raises(NotComputedYet):
        stack.coprocessor.ciphertext(Handle(bytes(operators.results()[0])), timeout=0.01)
