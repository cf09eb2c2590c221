"""Write tests/vectors/operators.json: every operator on every type, in plain Python integers.

Independent of the backends on purpose: nothing is imported from them.
"""

import json
import random
from pathlib import Path

FILE = Path(__file__).parents[1] / "tests" / "vectors" / "operators.json"
WIDTHS = {
    "bool": 1,
    "uint8": 8,
    "uint16": 16,
    "uint32": 32,
    "uint64": 64,
    "uint128": 128,
    "address": 160,
    "uint256": 256,
}
NUMBERS = ["uint8", "uint16", "uint32", "uint64", "uint128"]
INTEGERS = [*NUMBERS, "uint256"]
ARITHMETIC = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "min": min,
    "max": max,
}
ORDER = {
    "ge": lambda x, y: x >= y,
    "gt": lambda x, y: x > y,
    "le": lambda x, y: x <= y,
    "lt": lambda x, y: x < y,
}
EQUALITY = {"eq": lambda x, y: x == y, "ne": lambda x, y: x != y}
BITWISE = {"and": lambda x, y: x & y, "or": lambda x, y: x | y, "xor": lambda x, y: x ^ y}
DIVISION = {"div": lambda x, y: x // y, "rem": lambda x, y: x % y}
SHIFTS = {
    "shl": lambda x, n, bits: x << n % bits,
    "shr": lambda x, n, bits: x >> n % bits,
    "rotl": lambda x, n, bits: x << n % bits | x >> bits - n % bits,
    "rotr": lambda x, n, bits: x >> n % bits | x << bits - n % bits,
}


def main():
    source = random.Random(11)
    vectors = {}
    binary(vectors, source, {**ARITHMETIC, **ORDER}, NUMBERS, sides=3)
    binary(vectors, source, EQUALITY, [*WIDTHS], sides=3)
    binary(vectors, source, BITWISE, ["bool", *INTEGERS], sides=3)
    mixed(vectors, source)
    divisions(vectors, source)
    shifts(vectors, source)
    others(vectors, source)
    lines = (f'"{name}": {json.dumps(vectors[name])}' for name in vectors)
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def add(vectors, name, inputs, output, width):
    line = {"inputs": [str(x) for x in inputs], "output": str(int(output) % (1 << width))}
    vectors.setdefault(name, []).append(line)


def some(source, bits):
    """A number where carries, borrows and ties happen: edges, repeated digits, or any."""
    top = (1 << bits) - 1
    edges = [0, 1, top, top >> 1, (top >> 1) + 1, top // 3, 2 * (top // 3), source.randint(0, top)]
    return source.choice(edges) if source.random() < 0.5 else source.randint(0, top)


def pairs(source, bits):
    x, y = some(source, bits), some(source, bits)
    return [(x, y), (y, y), (x, x ^ source.choice([1, 1 << (bits - 1)])), (some(source, bits), x)]


def binary(vectors, source, operators, types, sides):
    for name, function in operators.items():
        result = 1 if name in ORDER or name in EQUALITY else None
        for t in types:
            bits = WIDTHS[t]
            for side in (f"e{t}_e{t}", f"e{t}_{t}", f"{t}_e{t}")[:sides]:
                for x, y in pairs(source, bits):
                    add(vectors, f"{name}_{side}", (x, y), function(x, y), result or bits)


def mixed(vectors, source):
    for name, function in {**ARITHMETIC, **ORDER, **EQUALITY, **BITWISE}.items():
        for left, right in (("uint8", "uint16"), ("uint32", "uint8")):
            x, y = some(source, WIDTHS[left]), some(source, WIDTHS[right])
            width = 1 if name in ORDER or name in EQUALITY else max(WIDTHS[left], WIDTHS[right])
            add(vectors, f"{name}_e{left}_e{right}", (x, y), function(x, y), width)


def divisions(vectors, source):
    for name, function in DIVISION.items():
        for t in NUMBERS:
            bits = WIDTHS[t]
            divisors = [1, 2, 3, 7, 1 << (bits // 2), (1 << bits) - 1, source.randint(1, 255)]
            for divisor in divisors:
                for x in (some(source, bits), divisor * source.randint(0, 1)):
                    add(vectors, f"{name}_e{t}_{t}", (x, divisor), function(x, divisor), bits)


def shifts(vectors, source):
    for name, function in SHIFTS.items():
        for t in INTEGERS:
            bits = WIDTHS[t]
            for side in ("euint8", "uint8"):
                for n in (0, 1, 2, 3, bits // 2 + 1, bits - 1, source.randint(0, 255)):
                    x = some(source, bits)
                    inputs = x, n % 256
                    add(vectors, f"{name}_e{t}_{side}", inputs, function(*inputs, bits), bits)


def others(vectors, source):
    for t, bits in WIDTHS.items():
        for x, y in pairs(source, bits):
            condition = source.randint(0, 1)
            chosen = x if condition else y
            add(vectors, f"select_ebool_e{t}_e{t}", (condition, x, y), chosen, bits)
            if t != "address":
                add(vectors, f"not_e{t}", (x,), ~x, bits)
            if t in INTEGERS:
                add(vectors, f"neg_e{t}", (x,), -x, bits)
    for t in ["bool", *INTEGERS]:
        for target in INTEGERS:
            x = some(source, WIDTHS[t])
            add(vectors, f"cast_e{t}_e{target}", (x,), x, WIDTHS[target])


if __name__ == "__main__":
    main()
