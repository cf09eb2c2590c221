"""Look-ups: what folds, what one bootstrap can do, and the limits."""

import pytest

from fhevm.backends.batch import complete
from fhevm.backends.concrete.blocks import Block, Leaf, identity
from fhevm.backends.concrete.carries import add_columns, clean, split
from fhevm.backends.concrete.lookup import Lookup, bivariate, look_up
from fhevm.backends.concrete.parameters import NOISE_BUDGET, STEP
from fhevm.errors import NoiseBudgetExceeded
from tests.fhevm.backends.noiseless import Noiseless, independent, lwe_of


def leaf(value, low=0, high=3, noise=1):
    return Leaf(lwe_of(value * STEP), low, high, independent(noise))


def block(value, low=0, high=3, noise=1):
    return Block.of(leaf(value, low, high, noise))


def values(blocks):
    return [
        b.offset if b.is_known else int((b.lwe()[-1] // STEP - b.low) % 32) + b.low for b in blocks
    ]


def run(*requests):
    machine = Noiseless()
    (found,) = complete(machine, [look_up(requests)])
    return values(found), machine.bootstraps


def test_constant_and_affine_tables_are_free():
    x = block(2)
    assert run(Lookup(lambda v: 7, x), Lookup(lambda v: v, x), Lookup(lambda v: 3 - v, x)) == (
        [7, 2, 1],
        0,
    )
    bit = block(1, 0, 1)
    assert run(Lookup(lambda v: (9, 2)[v], bit)) == ([2], 0)


def test_any_table_on_sixteen_values_takes_one():
    table = [(5 * v * v + 3) % 16 for v in range(16)]
    for v in range(-3, 13):
        assert run(Lookup(lambda u: table[u + 3], block(v, -3, 12))) == ([table[v + 3]], 1)


@pytest.mark.parametrize(
    "function",
    [
        lambda v: (v > 0) - (v < 0),
        lambda v: int(v == 0),
        lambda v: int(v >= 0),
        lambda v: int(v < 0),
    ],
)
def test_antisymmetric_tables_take_31_values(function):
    for v in range(-15, 16):
        assert run(Lookup(function, block(v, -15, 15))) == ([function(v)], 1)


def test_other_tables_on_more_than_sixteen_values_are_refused():
    for function, high in ((lambda v: v % 4, 17), (lambda v: int(v == 0), 32)):
        with pytest.raises(NoiseBudgetExceeded, match="no table"):
            run(Lookup(function, block(1, 0, high)))


def test_bivariate_tables_unpack_their_operands():
    for x in range(-1, 3):
        for y in range(1, 5):
            found, count = run(bivariate(lambda a, b: a * b % 4, block(x, -1, 2), block(y, 1, 4)))
            assert (found, count) == ([x * y % 4], 1)


def test_noisy_operands_are_renewed_first_and_only_as_many_as_needed():
    noisy, cleaner = leaf(3, noise=NOISE_BUDGET), leaf(2, noise=20)
    machine = Noiseless()
    request = bivariate(lambda a, b: a ^ b, Block.of(noisy), Block.of(cleaner))
    (found,) = complete(machine, [look_up([request, request])])
    assert values(found) == [1, 1]
    assert (machine.bootstraps, noisy.noise, cleaner.noise) == (3, 1, 20)


def test_copies_add_up_and_renewing_them_makes_them_independent():
    lwe = lwe_of(STEP)
    copies = [Leaf(lwe, 0, 1) for _ in range(4)]
    total = sum((Block.of(copy) * 8 for copy in copies[:2]), Block.known(0)) - 15
    assert total.noise == 256
    opposite = Block.of(Leaf(-lwe, -1, 0, {identity(lwe): -1}))
    assert (Block.of(copies[0]) + opposite).noise == 0
    assert (Block.of(copies[0]) - opposite).noise == 4
    wide = sum((Block.of(copy) * 7 for copy in copies), Block.known(-14))
    assert wide.noise == 28 * 28
    machine = Noiseless()
    (found,) = complete(machine, [look_up([Lookup(lambda v: (v > 0) - (v < 0), wide)])])
    assert values(found) == [1]
    assert wide.noise <= NOISE_BUDGET
    assert all(copy.lwe[-1] == STEP for copy in copies)


def test_a_combination_that_no_renewal_helps_is_refused():
    wide = block(0, 0, 0) + block(1, 0, 1) * 19
    with pytest.raises(NoiseBudgetExceeded):
        run(Lookup(lambda v: v * v, wide))


def test_equal_terms_cancel_and_ranges_follow():
    x, y = block(3), block(1)
    difference = x + y - x
    assert (difference.low, difference.high, difference.noise) == (0, 3, 1)
    assert (x - x).is_known
    assert (2 * x - 5).high == 1
    assert (4 - x).low == 1
    with pytest.raises(ValueError, match="no ciphertext"):
        Block.known(3).lwe()


@pytest.mark.parametrize("noise", [1, NOISE_BUDGET])
def test_splitting_takes_the_carry_out(noise):
    machine = Noiseless()
    (pairs,) = complete(machine, [split([block(v, -3, 12, noise) for v in range(-3, 13)])])
    assert [values(pair) for pair in pairs] == [[v >> 2, v & 3] for v in range(-3, 13)]
    assert machine.bootstraps == (16 if noise == 1 else 32)
    assert all(digit.noise <= NOISE_BUDGET for _, digit in pairs)


def test_carries_propagate_through_full_digits():
    machine = Noiseless()
    digits = [block(4, 0, 6)] + [block(3, 0, 6) for _ in range(7)]
    (found,) = complete(machine, [clean(digits)])
    assert values(found) == [0] * 8
    assert machine.bootstraps == 8


def test_columns_add_up():
    machine = Noiseless()
    columns = [[block(3) for _ in range(n)] for n in (12, 9, 1)]
    (found,) = complete(machine, [add_columns(columns)])
    total = sum(3 * n << 2 * i for i, n in enumerate((12, 9, 1)))
    assert sum(v << 2 * i for i, v in enumerate(values(found))) % 64 == total % 64
