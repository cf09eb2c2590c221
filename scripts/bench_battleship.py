"""What a turn and a reveal of Battleship cost, and how near that comes to its floor, by size of board.

The floor is what no contract with these data can save: the transaction, its calldata, the storage slots
that it touches, its events, its hashes and the payment. All else is the contract's own steps.
"""

import json
import sys
from collections import Counter
from statistics import median_low
from typing import Any

from web3.types import RPCEndpoint

from battleship.demo import DemoOptions, Match, seeded_spec
from battleship.fleets import SIZES
from fogbound.stack import LocalStack

TRANSACTION = 21_000
PAYMENT = 2_600 + 9_000 - 2_300  # a cold account, a value, what is given back
CALLS = ("fire", "answerAndFire", "reveal")
FLOOR = ("SLOAD", "SSTORE", "LOG2", "KECCAK256")


def floor_of(stack: LocalStack, transaction: str) -> int:
    """Of one transaction, from its trace."""
    web3 = stack.chain.web3
    options = {"disableMemory": True, "disableStack": True}
    answer = web3.provider.make_request(
        RPCEndpoint("debug_traceTransaction"), [transaction, options]
    )
    spent: Counter[str] = Counter()
    for step in answer["result"]["structLogs"]:
        spent[step["op"]] += step["gasCost"] if step["op"] in FLOOR else step["op"] == "CALL"
    data = bytes(web3.eth.get_transaction(transaction)["input"])  # type: ignore[arg-type]
    calldata = sum(16 if byte else 4 for byte in data)
    return TRANSACTION + calldata + PAYMENT * spent.pop("CALL", 0) + sum(spent.values())


def compared(stack: LocalStack, costs: list[tuple[int, str]]) -> dict[str, Any]:
    gas, transaction = median_low(costs)
    floor = floor_of(stack, transaction)
    return {"median": gas, "floor": floor, "over_floor": round(gas / floor, 2)}


def figures(size: int) -> dict[str, Any]:
    """In a game of two bots."""
    options = DemoOptions(size, seed=3)
    spec = seeded_spec(options.bytes)
    with LocalStack(seed=options.bytes, games=[spec], anvil_options=["--steps-tracing"]) as stack:
        match = Match(stack, spec, options)
        match.play()
        first, second = (client.costs for client in match.clients)
        return {call: compared(stack, first[call] + second[call]) for call in CALLS}


def main() -> None:
    for size in SIZES:
        print(f"· {size} x {size}", file=sys.stderr)
        print(json.dumps({"size": size, **figures(size)}))


if __name__ == "__main__":
    main()
