import pytest
from hypothesis import given
from hypothesis import strategies as st

from fhevm.graph import MOST_AWAITED, Graph
from fhevm.handles import Handle
from fhevm.operations import Operation
from fhevm.tasks import Task


def handle(number):
    return Handle(number.to_bytes(21) + b"\xff" + (31337).to_bytes(8) + b"\x02\x00")


def task(result, *operands):
    operation = Operation("add", tuple(handle(each) for each in operands), handle(result), "0x")
    return Task(operation, block=1, account="alice")


class World:
    """A graph with what it is told from outside."""

    def __init__(self):
        self.done, self.failures, self.stored = set(), {}, {}
        self.graph = Graph(self.done.__contains__, self.failures.get, self.stored.get)

    def add(self, task):
        """The chain asks for an operation: it is stored, then learned."""
        self.stored[task.result] = task
        self.graph.learn(task.result)

    def ready(self):
        ready = self.graph.ready
        return [
            ready.take(flow).result
            for flow, *_ in iter(lambda: next(ready.firsts(), (None,)), (None,))
        ]

    def finish(self, number):
        self.done.add(handle(number))
        self.graph.finish(handle(number))

    def failed(self):
        failed = dict(self.graph.take_failed())
        self.failures.update(failed)
        return failed


@pytest.fixture
def world():
    return World()


def test_what_nothing_needs_is_never_ready(world):
    world.add(task(1))
    world.add(task(2, 1))
    assert world.ready() == []
    assert len(world.graph) == 0
    assert list(world.graph.held()) == []


def test_what_is_finished_is_not_held(world):
    world.add(task(1))
    world.add(task(2, 1))
    world.graph.need(handle(2))
    assert set(world.graph.held()) == {handle(1), handle(2)}
    for number in (1, 2):
        world.ready()
        world.finish(number)
    assert list(world.graph.held()) == []


def test_what_is_awaited_in_vain_is_bounded(world):
    for number in range(MOST_AWAITED + 10):
        world.graph.need(handle(number), urgent=True)
    assert len(world.graph._awaited) == MOST_AWAITED
    world.add(task(0))
    world.add(task(MOST_AWAITED))
    assert world.ready() == [handle(MOST_AWAITED)]
    assert world.graph.is_urgent(handle(MOST_AWAITED))


def test_an_allowed_handle_brings_what_it_depends_on(world):
    world.add(task(1))
    world.add(task(2))
    world.add(task(3, 1))
    world.graph.need(handle(3))
    assert world.ready() == [handle(1)]
    world.finish(1)
    assert world.ready() == [handle(3)]


def test_a_handle_that_is_allowed_later_is_computed_later(world):
    world.add(task(1))
    assert world.ready() == []
    world.graph.need(handle(1))
    assert world.ready() == [handle(1)]


def test_a_handle_may_be_allowed_before_its_operation_is_known(world):
    world.graph.need(handle(1))
    world.add(task(1))
    assert world.ready() == [handle(1)]


def test_an_operation_is_ready_once(world):
    world.add(task(1))
    world.graph.need(handle(1))
    world.add(task(1))
    world.graph.need(handle(1))
    assert world.ready() == [handle(1)]
    assert world.ready() == []


def test_what_is_done_is_not_done_again(world):
    world.done.add(handle(1))
    world.add(task(1))
    world.graph.need(handle(1))
    assert world.ready() == []


def test_an_operand_used_twice_is_waited_for_once(world):
    world.add(task(1))
    world.add(task(2, 1, 1))
    world.graph.need(handle(2))
    assert world.ready() == [handle(1)]
    world.finish(1)
    assert world.ready() == [handle(2)]


def test_a_failure_takes_down_what_depends_on_it_alone(world):
    for each in (task(1), task(2), task(3, 1), task(4, 3), task(5, 2)):
        world.add(each)
    for needed in (4, 5):
        world.graph.need(handle(needed))
    assert set(world.ready()) == {handle(1), handle(2)}
    world.graph.fail(handle(1), "broken")
    blame = f"operand {handle(1)} failed: broken"
    assert world.failed() == {handle(1): "broken", handle(3): blame, handle(4): blame}
    world.finish(2)
    assert world.ready() == [handle(5)]


def test_what_depends_on_an_earlier_failure_fails(world):
    world.failures[handle(1)] = "broken"
    world.add(task(2, 1))
    world.graph.need(handle(2))
    assert world.failed() == {handle(2): f"operand {handle(1)} failed: broken"}


def test_an_unknown_operand_is_named(world):
    world.add(task(2, 1))
    world.graph.need(handle(2))
    assert world.failed() == {handle(2): f"operand {handle(1)} is unknown"}
    assert world.ready() == []


def test_urgency_reaches_what_is_needed_already(world):
    for each in (task(1), task(2, 1), task(3, 1)):
        world.add(each)
    world.graph.need(handle(2))
    world.graph.need(handle(3))
    assert not world.graph.is_urgent(handle(1))
    world.graph.need(handle(3), urgent=True)
    assert world.graph.is_urgent(handle(1))
    assert not world.graph.is_urgent(handle(2))


@given(st.data())
def test_exactly_what_is_needed_is_computed_each_once_after_its_operands(data):
    world = World()
    size = data.draw(st.integers(1, 12))
    operands = {
        number: data.draw(st.lists(st.integers(0, number - 1), max_size=3)) if number else []
        for number in range(size)
    }
    needed = data.draw(st.sets(st.integers(0, size - 1)))
    events = [("add", number) for number in range(size)] + [("need", number) for number in needed]
    order = data.draw(st.permutations(events))
    ordered_adds = iter(
        range(size)
    )  # operands come before what reads them, permissions at any time
    computed = []

    def compute():
        for ready in world.ready():
            number = int.from_bytes(ready.raw[:21])
            assert all(each in computed for each in operands[number])
            computed.append(number)
            world.finish(number)

    for kind, number in order:
        if kind == "need":
            world.graph.need(handle(number))
        else:
            added = next(ordered_adds)
            world.add(task(added, *operands[added]))
        compute()
    while len(world.graph):
        compute()

    wanted, stack = set(), list(needed)
    while stack:
        number = stack.pop()
        if number not in wanted:
            wanted.add(number)
            stack += operands[number]
    assert sorted(computed) == sorted(wanted)
    assert world.failed() == {}
