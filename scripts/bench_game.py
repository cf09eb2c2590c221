"""What one whole game costs: gas, bootstraps and seconds by call, and how near computing comes to its floor.

The floor is bootstraps x the time of one bootstrap in a batch of 64, measured in the same run.
"""

import json
import random
import statistics
import sys
from collections import defaultdict
from typing import Any

from bunkerwar.bots import RandomBot
from bunkerwar.game import GAME
from fhevm.backends.concrete.measure import measure
from fhevm.coprocessor import Work
from fhevm.devchain import dev_accounts
from fogbound.game import Phase
from fogbound.stack import LocalStack

LANES, DEPTH, SEED = 4, 4, 7


def play(stack: LocalStack) -> None:
    """One game of two random bots, so that every kind of call comes."""
    clients = [stack.client(GAME, account) for account in dev_accounts()[1:3]]
    seeds = random.Random(SEED)
    bots = [RandomBot(seeds.getrandbits(64)) for _ in clients]
    game_id = clients[0].open(LANES, DEPTH, False, stake=1)
    clients[1].join(game_id)
    pending = (Phase.DRAWING, Phase.WAITING)
    while not (
        game := clients[0].wait_for(game_id, lambda each: each.phase not in pending)
    ).phase.final:
        seat = game.on_turn
        clients[seat].act(game_id, bots[seat].choose(clients[seat].view(game_id)))


def calls(stack: LocalStack) -> dict[str, list[tuple[int, Work]]]:
    """Gas and work of each transaction to the game's contract, by function."""
    web3 = stack.chain.web3
    contract = stack.client(GAME, dev_accounts()[1]).contract
    blocks = stack.fhevm_local.coprocessor.statistics.blocks
    found: dict[str, list[tuple[int, Work]]] = defaultdict(list)
    for number in range(1, stack.chain.block_number + 1):
        for transaction in web3.eth.get_block(number, full_transactions=True)["transactions"]:
            if transaction.get("to") == contract.address:
                name = contract.get_function_by_selector(transaction["input"][:4]).fn_name
                receipt = web3.eth.get_transaction_receipt(transaction["hash"])
                found[name].append((receipt["gasUsed"], blocks.get(number, Work())))
    return found


def summary(costs: list[tuple[int, Work]]) -> dict[str, Any]:
    gas = [each for each, _ in costs]
    work = [each for _, each in costs]
    return {
        "calls": len(costs),
        "gas": {"median": statistics.median(gas), "largest": max(gas)},
        "bootstraps": {
            "mean": round(statistics.mean(each.bootstraps for each in work), 1),
            "largest": max(each.bootstraps for each in work),
        },
        "milliseconds": round(1000 * statistics.mean(each.seconds for each in work), 1),
    }


def main() -> None:
    print("· measuring bootstraps, then playing", file=sys.stderr)
    batched = measure()["bootstrap_ms_batched"]
    with LocalStack("concrete", seed=bytes(32), games=[GAME]) as stack:
        play(stack)
        by_call = {name: summary(costs) for name, costs in calls(stack).items()}
        work = stack.fhevm_local.coprocessor.statistics
    floor = work.bootstraps * batched / 1000
    figures = {
        "bootstrap_ms_batched": round(batched, 2),
        "bootstraps": work.bootstraps,
        "compute_seconds": round(work.seconds, 3),
        "compute_over_floor": round(work.seconds / floor, 2),
        "calls": by_call,
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
