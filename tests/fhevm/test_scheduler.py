import pytest

from fhevm.handles import Handle
from fhevm.operations import Operation
from fhevm.ready import Ready
from fhevm.scheduler import Scheduler
from fhevm.tasks import Task


def handle(number):
    return Handle(number.to_bytes(21) + b"\xff" + (31337).to_bytes(8) + b"\x02\x00")


def task(number, account="alice", block=1):
    return Task(Operation("add", (), handle(number), "0x"), block, account)


def work(name, *rounds):
    """Steps (name, round, place); checks that each gets its own result; ends with all of them."""
    seen = []
    for number, size in enumerate(rounds):
        steps = [(name, number, place) for place in range(size)]
        results = yield steps
        assert results == [("ran", *step) for step in steps]
        seen += results
    return seen


class Recorder:
    """An evaluator that runs steps and remembers its batches."""

    def __init__(self):
        self.batches = []

    def run(self, steps):
        self.batches.append(list(steps))
        return [("ran", *step) for step in steps]

    def share(self, name, batch=-1):
        return sum(step[0] == name for step in self.batches[batch])


@pytest.fixture
def evaluator():
    return Recorder()


@pytest.fixture
def urgent():
    return set()


@pytest.fixture
def scheduler(evaluator, urgent):
    return Scheduler(evaluator, urgent.__contains__, batch_steps=8)


def finish(scheduler):
    outcomes = []
    while scheduler:
        outcomes += scheduler.run_batch()[0]
    return outcomes


def test_steps_of_many_computations_share_a_batch(scheduler, evaluator):
    scheduler.start(task(1), work("a", 3, 2))
    scheduler.start(task(2), work("b", 2))
    outcomes = finish(scheduler)
    assert [len(batch) for batch in evaluator.batches] == [5, 2]
    assert {outcome.task.result for outcome in outcomes} == {handle(1), handle(2)}
    assert all(outcome.error is None for outcome in outcomes)


def test_a_long_list_is_spread_over_batches(scheduler, evaluator):
    scheduler.start(task(1), work("a", 20))
    (outcome,) = finish(scheduler)
    assert [len(batch) for batch in evaluator.batches] == [8, 8, 4]
    assert len(outcome.ciphertext) == 20


def test_a_computation_without_steps_ends_without_a_batch(scheduler, evaluator):
    scheduler.start(task(1), work("a"))
    (outcome,) = finish(scheduler)
    assert (outcome.ciphertext, evaluator.batches) == ([], [])


def test_an_empty_list_of_steps_does_not_stall(scheduler):
    scheduler.start(task(1), work("a", 0, 2, 0))
    (outcome,) = finish(scheduler)
    assert len(outcome.ciphertext) == 2


def test_a_huge_computation_does_not_stall_other_accounts(scheduler, evaluator):
    for number in range(10):
        scheduler.start(task(number, "alice"), work("a", 100))
    scheduler.start(task(99, "bob"), work("b", 3))
    outcomes, _ = scheduler.run_batch()
    assert [outcome.task.account for outcome in outcomes] == ["bob"]
    assert (evaluator.share("a"), evaluator.share("b")) == (5, 3)


def test_every_account_gets_the_same_share(scheduler, evaluator):
    for number, account in enumerate(["alice", "bob", "carol", "dave"]):
        scheduler.start(task(number, account), work(account, 50))
    scheduler.run_batch()
    assert [evaluator.share(name) for name in ("alice", "bob", "carol", "dave")] == [2, 2, 2, 2]


def test_more_accounts_than_steps_take_turns(scheduler, evaluator):
    for number in range(12):
        scheduler.start(task(number, str(number)), work(number, 4))
    for _ in range(12):
        scheduler.run_batch()
    served = {step[0] for batch in evaluator.batches for step in batch}
    assert served == set(range(12))


def test_an_urgent_computation_comes_first(scheduler, evaluator, urgent):
    urgent.add(handle(3))
    for number, account in ((1, "alice"), (2, "bob"), (3, "bob")):
        scheduler.start(task(number, account), work(number, 8))
    scheduler.run_batch()
    assert evaluator.batches[0][:4] == [(3, 0, place) for place in range(4)]
    assert evaluator.share(1) == 4
    assert evaluator.share(2) == 0


def test_operations_join_while_others_are_under_way(scheduler, evaluator):
    scheduler.start(task(1, "alice"), work("a", 8, 8))
    scheduler.run_batch()
    scheduler.start(task(2, "bob"), work("b", 4))
    scheduler.run_batch()
    assert (evaluator.share("a"), evaluator.share("b")) == (4, 4)


def test_an_error_ends_its_computation_alone(scheduler):
    def broken():
        yield [("c", 0, 0)]
        raise ArithmeticError("broken")

    scheduler.start(task(1), broken())
    scheduler.start(task(2), work("a", 1, 1))
    outcomes = {outcome.task.result: outcome for outcome in finish(scheduler)}
    assert outcomes[handle(1)].error == "ArithmeticError: broken"
    assert outcomes[handle(2)].error is None


def test_steps_are_counted_by_block(scheduler):
    scheduler.start(task(1, block=5), work("a", 3))
    scheduler.start(task(2, block=6), work("b", 2))
    _, steps = scheduler.run_batch()
    assert steps == {5: 3, 6: 2}


@pytest.fixture
def ready():
    return Ready()


@pytest.fixture
def admit(scheduler, ready):
    """Admits what may start, of 4 places; each task starts as a computation of that many steps."""
    scheduler._most_running = 4

    def admitted(steps=1):
        started = []
        for each in scheduler.admit(ready):
            scheduler.start(each, work(each.account, steps))
            started.append(each.result)
        return started

    return admitted


def test_a_backlog_waits_without_being_started(scheduler, ready, admit):
    for number in range(1000):
        ready.add(task(number), urgent=False)
    order = []
    while started := admit():
        assert len(started) == 4
        order += started
        scheduler.run_batch()
    assert order == [handle(number) for number in range(1000)]


def test_free_places_are_shared_by_the_accounts(ready, admit):
    for number in range(1000):
        ready.add(task(number, "alice"), urgent=False)
    for number in (2000, 2001, 2002):
        ready.add(task(number, "bob"), urgent=False)
    started = admit()
    assert set(started) == {handle(0), handle(1), handle(2000), handle(2001)}


def test_a_backlog_of_huge_computations_makes_room_for_another_account(
    scheduler, evaluator, ready, admit
):
    for number in range(1000):
        ready.add(task(number, "alice"), urgent=False)
    assert len(admit(steps=10**4)) == 4
    scheduler.run_batch()
    ready.add(task(2000, "bob"), urgent=False)
    assert admit(steps=3) == [handle(2000)]
    outcomes, _ = scheduler.run_batch()
    assert [outcome.task.account for outcome in outcomes] == ["bob"]
    assert len(admit()) == 1


def test_the_only_computation_of_an_account_keeps_its_place(ready, admit):
    for number in range(5):
        ready.add(task(number, str(number)), urgent=False)
    first = admit(steps=100)
    ready.add(task(9, "late"), urgent=True)
    assert (len(first), admit()) == (4, [])


def test_something_urgent_takes_a_place_of_its_own_account(scheduler, ready, admit, urgent):
    ready.add(task(99, "bob"), urgent=False)
    for number in range(3):
        ready.add(task(number, "alice"), urgent=False)
    admit(steps=100)
    urgent.add(handle(50))
    ready.add(task(50, "alice"), urgent=False)
    ready.hasten(task(50, "alice"))
    assert admit(steps=2) == [handle(50)]
    assert (ready.take("alice").result, list(ready.accounts())) == (handle(2), [])
    outcomes, _ = scheduler.run_batch()
    assert [outcome.task.result for outcome in outcomes] == [handle(50)]


def test_a_step_that_raises_ends_its_computation_alone(scheduler, evaluator, monkeypatch):
    run = evaluator.run

    def fail_for_mallory(steps):
        if any(step[0] == "mallory" for step in steps):
            raise MemoryError("no room")
        return run(steps)

    monkeypatch.setattr(evaluator, "run", fail_for_mallory)
    scheduler.start(task(1, "mallory"), work("mallory", 3, 3))
    scheduler.start(task(2, "alice"), work("alice", 2, 2))
    outcomes = {outcome.task.account: outcome for outcome in finish(scheduler)}
    assert outcomes["mallory"].error == "MemoryError: no room"
    assert len(outcomes["alice"].ciphertext) == 4
