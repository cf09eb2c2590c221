"""Real ciphertexts: long chains of operations, and the noise that the tracking promises."""

import math
import random

import pytest

from fhevm.backends.arithmetic import COMPARISONS, evaluate
from fhevm.backends.batch import complete
from fhevm.backends.concrete.lookup import Lookup, look_up
from fhevm.backends.concrete.measure import phase_noise
from fhevm.backends.concrete.parameters import NOISE_BUDGET, STEP
from fhevm.types import FheType
from fhevm.vectors import SEED, operation
from tests.amount import enough

BOOL, U8, U128 = FheType.EBOOL, FheType.EUINT8, FheType.EUINT128
DEPTH = enough(40, 100)
ADDITIONS = enough(3, 5)
NAMES = ["add", "sub", "neg", "not", "xor", "max", "shl", "rotl", "select", "ge", "add", "sub"]


def compute(machine, name, result, *operands):
    computation = machine.evaluator.compute(operation(name, result), operands)
    return complete(machine.evaluator, [computation])[0]


def inputs(machine, *plaintexts):
    blob = machine.encryptor.encrypt(plaintexts, SEED)
    return machine.evaluator.unpack(blob, [fhe_type for fhe_type, _ in plaintexts])


def decrypt(machine, ciphertext):
    return machine.decryptor.decrypt(machine.evaluator.dump(ciphertext), ciphertext.type)


@pytest.mark.slow
def test_many_operations_deep(machine):
    source = random.Random(5)
    values = {BOOL: [0, 1], U8: [17, 201, 90]}
    fresh = inputs(machine, *((t, v) for t in values for v in values[t]))
    pool = {
        BOOL: list(zip(fresh, [0, 1], strict=False)),
        U8: list(zip(fresh[2:], values[U8], strict=True)),
    }
    for depth in range(DEPTH):
        name = source.choice(NAMES)
        result = BOOL if name in COMPARISONS else U8
        arity = {"neg": 1, "not": 1, "select": 3}.get(name, 2)
        chosen = [source.choice(pool[U8]) for _ in range(arity)]
        if name == "select":
            chosen[0] = source.choice(pool[BOOL])
        if name in ("shl", "rotl"):
            chosen[1] = (3, 3)
        expected = evaluate(name, [value for _, value in chosen], U8, result)
        found = compute(machine, name, result, *(ciphertext for ciphertext, _ in chosen))
        stored = machine.evaluator.load(machine.evaluator.dump(found))
        assert decrypt(machine, stored) == expected, (depth, name, [v for _, v in chosen])
        pool[result][source.randrange(len(pool[result]))] = (stored, expected)


@pytest.mark.slow
def test_noise_is_what_the_tracking_says(machine):
    """Fresh inputs far below one bootstrap; tracked noise an upper estimate of the measured one."""
    fresh = [block for c in inputs(machine, *[(U8, 0b11100100)] * 16) for block in c.blocks]
    unit = bootstrapped_noise(machine, fresh)
    assert phase_noise(machine.decryptor, [block.lwe() for block in fresh]) < unit / 2**20
    leaves = bootstrapped(machine, fresh)
    sums = [leaves[i] * 2 + leaves[i + 1] * 3 - leaves[i + 2] for i in range(0, 60, 3)]
    measured = phase_noise(machine.decryptor, [block.lwe() for block in sums])
    assert {block.noise for block in sums} == {14}
    assert unit * math.sqrt(14) / 2 < measured < unit * math.sqrt(14) * 2
    assert unit * math.sqrt(NOISE_BUDGET) * 8 < STEP / 2


@pytest.mark.slow
@pytest.mark.parametrize(
    "names", [["add"], ["not", "sub"], ["neg", "sub"], ["cast", "add"]], ids=str
)
def test_noise_of_equal_bootstraps_adds_up(machine, names):
    """x + x, x − not x, x − (−x) and x + a copy of x, each operand stored and loaded by itself, repeated."""
    *linear, combine = names
    stored = machine.evaluator.dump(compute(machine, "rand", U128, 7))
    unit = phase_noise(machine.decryptor, [b.lwe() for b in machine.evaluator.load(stored).blocks])
    for _ in range(ADDITIONS):
        other = stored
        for name in linear:
            operand = machine.evaluator.load(other)
            other = machine.evaluator.dump(compute(machine, name, U128, operand))
        operands = [machine.evaluator.load(data) for data in (stored, other)]
        stored = machine.evaluator.dump(compute(machine, combine, U128, *operands))
        blocks = [b for b in machine.evaluator.load(stored).blocks if not b.is_known]
        measured = [(machine.decryptor.noise(b.lwe()) / unit) ** 2 / b.noise for b in blocks]
        assert 0.5 < sum(measured) / len(measured) < 1.6


@pytest.mark.slow
def test_noise_of_opposite_bootstraps_cancels(machine):
    x = compute(machine, "rand", U128, 8)
    unit = phase_noise(machine.decryptor, [block.lwe() for block in x.blocks])
    opposite = machine.evaluator.load(machine.evaluator.dump(compute(machine, "not", U128, x)))
    total = compute(machine, "add", U128, x, opposite)
    assert {block.noise for block in total.blocks} == {0}
    assert phase_noise(machine.decryptor, [block.lwe() for block in total.blocks]) < unit / 2**8
    assert decrypt(machine, total) == U128.modulus - 1


def bootstrapped(machine, blocks):
    """Look-ups in a table that is not affine, so that they do not fold."""
    table = (3, 0, 1, 2)
    return complete(machine.evaluator, [look_up([Lookup(lambda v: table[v], b) for b in blocks])])[
        0
    ]


def bootstrapped_noise(machine, blocks):
    return phase_noise(machine.decryptor, [b.lwe() for b in bootstrapped(machine, blocks)])


@pytest.mark.slow
def test_random_values_depend_on_the_seed_and_are_spread(machine):
    def draw(seed):
        return [decrypt(machine, compute(machine, "rand", U8, seed + i)) for i in range(24)]

    values = draw(1 << 100)
    assert values == draw(1 << 100)
    assert len(set(values)) > 16
    assert min(values) < 64
    assert max(values) > 192
    assert {decrypt(machine, compute(machine, "rand_bounded", U8, 8, s)) for s in range(40)} == set(
        range(8)
    )
    assert {decrypt(machine, compute(machine, "rand", BOOL, s)) for s in range(16)} == {0, 1}
