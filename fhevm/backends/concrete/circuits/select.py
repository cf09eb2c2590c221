"""select, min, max."""

from fhevm.backends.concrete.blocks import Block
from fhevm.backends.concrete.carries import Digits, clean
from fhevm.backends.concrete.circuits.compare import order
from fhevm.backends.concrete.lookup import Circuit, Lookup, bivariate, look_up

_WIDEST_DIFFERENCE = 7


def select(condition: Block, if_true: Digits, if_false: Digits) -> Circuit[list[Block]]:
    """condition ? if_true : if_false; one bootstrap for each digit, none between known digits.

    With both digits encrypted: if_false + [condition] · (if_true − if_false), where the product is one
    table on the condition and the difference −3 … 3.
    """
    pairs = list(zip(if_true, if_false, strict=True))
    if any((x - y).width > _WIDEST_DIFFERENCE for x, y in pairs):
        pairs = list(zip((yield from clean(if_true)), (yield from clean(if_false)), strict=True))
    requests = [_request(condition, x, y) for x, y in pairs]
    chosen = yield from look_up(requests)
    return [_complete(block, x, y) for block, (x, y) in zip(chosen, pairs, strict=True)]


def _request(condition: Block, x: Block, y: Block) -> Lookup:
    if x.is_known:
        return bivariate(lambda c, v: x.offset if c else v, condition, y)
    if y.is_known:
        return bivariate(lambda c, v: v if c else y.offset, condition, x)
    return bivariate(lambda c, v: v if c else 0, condition, x - y)


def _complete(chosen: Block, x: Block, y: Block) -> Block:
    if x.is_known or y.is_known:
        return chosen
    return (y + chosen).within(min(x.low, y.low), max(x.high, y.high))


def extremum(name: str, x: Digits, y: Digits) -> Circuit[list[Block]]:
    """min or max: a comparison and a selection."""
    x, y = (yield from clean(x)), (yield from clean(y))
    (first,) = yield from order("ge" if name == "max" else "le", x, y)
    return (yield from select(first, x, y))
