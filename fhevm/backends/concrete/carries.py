"""Carries: digits are summed without propagating them, until a digit is needed clean or grows too wide.

Taking the carry out of a digit is one bootstrap: c = ⌊t / 4⌋, and the digit t − 4·c follows linearly. Carries
ripple from digit to digit. A look-ahead tree is shallower but takes two bootstraps a digit: on two cores
it gains nothing, and the scheduler fills the other cores with the steps of other computations.
"""

from collections.abc import Callable, Sequence

from fhevm.backends.concrete.blocks import BASE, DIGIT_BITS, Block
from fhevm.backends.concrete.lookup import Circuit, Lookup, look_up, one, renew
from fhevm.backends.concrete.parameters import NOISE_BUDGET, SLOTS

WIDEST = SLOTS - 1
_ROOM = WIDEST - WIDEST // BASE - 1
"""The widest digit that can still take a carry from its neighbour."""
_ROOM_FOR_TWO = _ROOM - WIDEST // BASE
"""… and a second one, where the neighbour's carry was taken out before."""
_DIGIT = BASE - 1

Digits = Sequence[Block]


def split(blocks: Digits) -> Circuit[list[tuple[Block, Block]]]:
    """(carry, digit) of each block: t = 4·carry + digit."""
    exact = [block for block in blocks if block.noise + BASE * BASE > NOISE_BUDGET]
    requests = [Lookup(_carry, block) for block in blocks]
    requests += [Lookup(_digit, block) for block in exact]
    results = yield from look_up(requests)
    looked_up = dict(zip(map(id, exact), results[len(blocks) :], strict=True))
    pairs = zip(blocks, results[: len(blocks)], strict=True)
    return [
        (carry, looked_up.get(id(t)) or (t - carry * BASE).within(0, _DIGIT).collapsed())
        for t, carry in pairs
    ]


def _carry(v: int) -> int:
    return v >> DIGIT_BITS


def _digit(v: int) -> int:
    return v & _DIGIT


def propagate(blocks: Digits, accept: Callable[[int, Block], bool]) -> Circuit[list[Block]]:
    """The same value with the carries of those digits taken out that `accept(index, block)` refuses."""
    blocks = yield from _save(blocks)
    result: list[Block] = []
    carry = Block.known(0)
    for i, block in enumerate(blocks):
        total, carry = block + carry, Block.known(0)
        if not accept(i, total):
            if i == len(blocks) - 1:
                total = yield from one(_digit, total)
            else:
                ((carry, total),) = yield from split([total])
        result.append(total)
    return result


def _save(blocks: Digits) -> Circuit[list[Block]]:
    """Take the carries out of the widest digits, all at once, so that each can take a carry in."""
    wide: list[int] = []
    for i, block in enumerate(blocks):
        if block.width > (_ROOM_FOR_TWO if i - 1 in wide[-1:] else _ROOM):
            wide.append(i)
    result = list(blocks)
    for i, (carry, digit) in zip(wide, (yield from split([blocks[i] for i in wide])), strict=True):
        result[i] = result[i] - blocks[i] + digit
        if i + 1 < len(result):
            result[i + 1] = result[i + 1] + carry
    return result


def clean(blocks: Digits) -> Circuit[list[Block]]:
    """The same value modulo 4^len(blocks) with every digit 0 … 3."""
    return (yield from propagate(blocks, lambda _, block: block.is_digit))


def add_columns(columns: Sequence[Sequence[Block]]) -> Circuit[list[Block]]:
    """One block for each column, of the same sum modulo 4^len(columns): Wallace's tree in base 4."""
    work = [list(column) for column in columns]
    while True:
        groups = [_group(column) for column in work]
        chosen = [(k, group) for k, column in enumerate(groups) for group in _excess(column)]
        if not chosen:
            return [sum(column, Block.known(0)) for column in groups]
        splits = yield from split([group for _, group in chosen])
        taken = {id(group) for _, group in chosen}
        work = [[group for group in column if id(group) not in taken] for column in groups]
        for (k, _), (carry, digit) in zip(chosen, splits, strict=True):
            work[k].append(digit)
            if k + 1 < len(work):
                work[k + 1].append(carry)


def _group(column: Sequence[Block]) -> list[Block]:
    """Sums of the column's blocks, each narrow enough for a look-up; widest first, first fit."""
    groups: list[Block] = []
    for block in sorted(column, key=lambda block: -block.width):
        for i, group in enumerate(groups):
            if group.width + block.width <= WIDEST:
                groups[i] = group + block
                break
        else:
            groups.append(block)
    return groups


def _excess(groups: Sequence[Block]) -> list[Block]:
    """The fewest groups to split so that what stays in the column fits in one."""
    chosen: list[Block] = []
    width = sum(group.width for group in groups)
    for group in sorted(groups, key=lambda group: -group.width):
        if width > WIDEST and group.width > _DIGIT:
            chosen.append(group)
            width += _DIGIT - group.width
    return chosen


def settle(blocks: Digits) -> Circuit[list[Block]]:
    """A result fit for the store: every lowest value 0 … 3, noise within the budget, one leaf each."""
    levelled: list[Block] = []
    carry = 0
    for block in blocks:
        raised = block + carry
        carry = raised.low >> DIGIT_BITS
        levelled.append(raised - BASE * carry)
    yield from renew(levelled)
    return [block.collapsed() for block in levelled]
