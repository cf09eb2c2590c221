from collections import Counter
from dataclasses import replace

import pytest

from fhevm.handles import Handle
from fhevm.operations import Operation
from fhevm.ready import LIGHT_STEPS, Ready
from fhevm.scheduler import MOST_RUNNING, PLACES, Lane, Scheduler
from fhevm.tasks import Task
from fhevm.types import FheType


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


# -- places and lanes --------------------------------------------------------------------------------


LIGHT, HEAVY = FheType.EUINT8, FheType.EUINT128


def product(number, account="alice", kind=LIGHT, caller="0x"):
    operands = tuple(Handle(bytes([9]) * 30 + bytes([kind, 0])) for _ in range(2))
    made = Handle(number.to_bytes(21) + b"\xff" + (31337).to_bytes(8) + bytes([kind, 0]))
    return Task(Operation("mul", operands, made, caller), 1, account)


class World:
    """A scheduler with what is ready, under work that is described by its rounds of steps."""

    def __init__(self, batch_steps=32, valued=()):
        self.ready, self.evaluator, self.urgent = Ready(), Recorder(), set()
        self.scheduler = Scheduler(
            self.evaluator, self.urgent.__contains__, batch_steps, set(valued).__contains__
        )
        self.started, self.done, self.rounds, self.batches = [], [], {}, 0

    def add(self, task, *rounds, urgent=False):
        self.rounds[task.result] = rounds
        if urgent:
            self.urgent.add(task.result)
        self.ready.add(task, urgent=urgent)

    def batch(self):
        for task in self.scheduler.admit(self.ready):
            self.started.append(task)
            self.scheduler.start(task, work(task.result, *self.rounds[task.result]))
        self.done += [outcome.task for outcome in self.scheduler.run_batch()[0]]
        self.batches += 1

    def until_done(self, task, most=10_000):
        began = self.batches
        while task not in self.done:
            assert self.batches - began < most
            self.batch()
        return self.batches - began


def test_a_backlog_waits_without_being_started():
    world = World()
    tasks = [product(number) for number in range(500)]
    for each in tasks:
        world.add(each, 4)
    while world.scheduler or len(world.ready):
        world.batch()
        assert len(world.started) - len(world.done) <= MOST_RUNNING
    assert world.started == tasks


def test_of_one_lane_each_account_has_a_place_before_one_has_two():
    world = World()
    for number in range(50):
        world.add(product(number, "alice"), 4)
    late = product(100, "bob")
    world.add(late, 4)
    world.batch()
    assert late in world.started[:2]


def test_of_accounts_alike_it_is_first_come_first_served():
    """Whatever their addresses."""
    for seed in range(20):
        world, names = World(), [f"{seed * 7919 + n * 104729:040x}" for n in range(60)]
        tasks = [product(number, name) for number, name in enumerate(names)]
        for each in tasks:
            world.add(each, 10)
        while len(world.done) < len(tasks):
            world.batch()
        assert world.started == tasks


def test_whoever_comes_anew_waits_for_one_operation_of_each_other():
    world = World()
    for number in range(200):
        world.add(product(number, f"busy {number % 20}"), 16)
    for _ in range(20):
        world.batch()
    fresh = product(999, "fresh")
    world.add(fresh, 16)
    before = len(world.started)
    world.until_done(fresh)
    assert world.started.index(fresh) - before <= 20


@pytest.mark.parametrize("accounts", [4, 15, 17, 40, 200])
@pytest.mark.parametrize("urgent", [True, False])
def test_attack_heavy_work_of_many_accounts(accounts, urgent):
    """However many there are, and whatever they publish: light work has places and steps of its own."""
    world = World()
    for number in range(accounts * 20):
        heavy = product(number, f"attacker {number % accounts}", HEAVY)
        world.add(heavy, *[500] * 10, urgent=urgent)
    for _ in range(10):
        world.batch()
    honest = product(10**6, "honest")
    world.add(honest, *[16] * 5, urgent=urgent)
    assert world.until_done(honest) <= 6


@pytest.mark.parametrize("accounts", [4, 15, 17, 40, 200])
def test_attack_light_work_of_many_accounts_at_once(accounts):
    """The bound of docs/security.md: 64 steps for each account before, and for each place of the lane."""
    world = World()
    for number in range(accounts * 20):
        world.add(product(number, f"attacker {number % accounts}"), *[16] * 4, urgent=True)
    honest = product(10**6, "honest")
    world.add(honest, *[16] * 5, urgent=True)
    while honest not in world.started:
        world.batch()
    assert world.batches * 32 <= LIGHT_STEPS * (accounts + PLACES[Lane.PUBLIC])


@pytest.mark.parametrize("accounts", [4, 15, 17, 40, 200])
def test_attack_the_dearest_light_work_of_many_accounts(accounts):
    """Whoever asks for less waits for the places alone, however many others there are."""
    world = World()
    for number in range(accounts * 6):
        rand = product(number, f"attacker {number % accounts}", HEAVY)
        rand = replace(rand, operation=replace(rand.operation, name="rand", operands=()))
        world.add(rand, *[16] * 4, urgent=True)
    world.batch()
    for number in range(3):
        honest = product(10**6 + number, "honest")
        world.add(honest, *[4] * 4, urgent=True)
        assert world.until_done(honest) * 32 <= LIGHT_STEPS * PLACES[Lane.PUBLIC]


@pytest.mark.parametrize("accounts", [4, 15, 17, 40, 200])
def test_attack_what_says_it_is_light_and_is_not(accounts):
    """It leaves its place when another wants it, so that the same bound holds."""
    world = World()
    for number in range(accounts * 20):
        world.add(product(number, f"attacker {number % accounts}"), *[16] * 50, urgent=True)
    honest = product(10**6, "honest")
    world.add(honest, *[16] * 3, urgent=True)
    while honest not in world.started:
        world.batch()
    assert world.batches * 32 <= 2 * LIGHT_STEPS * (accounts + PLACES[Lane.PUBLIC])
    assert world.until_done(honest) <= 20


def test_what_had_to_leave_is_finished_as_heavy():
    world = World()
    long = [product(number, f"account {number}") for number in range(12)]
    for each in long:
        world.add(each, *[16] * 50)
    while len(world.done) < len(long):
        world.batch()
    assert set(world.done) == set(long)


def test_each_lane_has_a_quarter_of_every_batch():
    world = World(valued={"0xgame"})
    kinds = {"value": ("0xgame", LIGHT), "public": ("0x", LIGHT), "other": ("0x", LIGHT)}
    for name, (caller, kind) in [*kinds.items(), ("heavy", ("0x", HEAVY))]:
        for number in range(10):
            task = product(hash((name, number)) % 2**64, f"{name} {number}", kind, caller)
            world.add(task, 60, urgent=name == "public")
    world.batch()
    shares = Counter()
    by_handle = {task.result: task.account.split()[0] for task in world.started}
    for step in world.evaluator.batches[0]:
        shares[by_handle[step[0]]] += 1
    assert shares == {"value": 8, "public": 8, "other": 8, "heavy": 8}


def test_work_of_contracts_with_value_comes_first():
    world = World(valued={"0xgame"})
    for number in range(100):
        world.add(product(number, f"free {number}"), 20, urgent=True)
    world.batch()
    valued = product(10**6, "player", LIGHT, "0xgame")
    world.add(valued, 16, urgent=True)
    assert world.until_done(valued) == 1


def test_heavy_work_is_bounded_in_places():
    world = World()
    for number in range(100):
        world.add(product(number, f"account {number}", HEAVY), 5000)
    world.batch()
    assert len(world.started) == PLACES[Lane.HEAVY]


def test_heavy_work_goes_on_under_light_work():
    world = World()
    heavy = product(1, "alice", HEAVY)
    world.add(heavy, *[80] * 10)
    for number in range(2, 5000):
        world.add(product(number, f"account {number}"), 16, urgent=number % 2 == 0)
    assert world.until_done(heavy) <= 101


def test_what_becomes_urgent_changes_its_lane():
    world = World()
    for number in range(20):
        world.add(product(number, f"account {number}"), *[64] * 4)
    world.batch()
    late = product(100, "late")
    world.add(late, 4)
    world.urgent.add(late.result)
    world.ready.hasten(late)
    assert world.until_done(late) == 1


def test_nobody_pays_for_the_past():
    """Who has played for long waits no longer than who comes anew."""
    waits = []
    for before in (0, 100):
        world = World()
        for number in range(before):
            world.add(product(number, "honest"), 16)
            world.batch()
        for number in range(1_000, 1_060):
            world.add(product(number, f"attacker {number}"), 16)
        honest = product(9_999, "honest")
        world.add(honest, 16)
        waits.append(world.until_done(honest))
    assert waits[0] == waits[1]


def test_accounts_are_forgotten():
    world = World()
    for number in range(100):
        world.add(product(number, f"account {number}"), 16)
    while world.scheduler or len(world.ready):
        world.batch()
    world.batch()
    assert not any(map(len, world.scheduler._shares.values()))


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
