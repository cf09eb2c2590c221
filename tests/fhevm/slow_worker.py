"""A coprocessor to be killed, slow on purpose: `python slow_worker.py RPC FOLDER`."""

import sys
import threading
import time
from pathlib import Path

from web3 import Web3

from fhevm.backends.clear import ClearEvaluator
from fhevm.coprocessor import Coprocessor
from fhevm.heads import Heads
from fhevm.store import Store

STEPS, STEP_SECONDS = 3, 0.004


class SlowEvaluator(ClearEvaluator):
    def compute(self, operation, operands):
        for _ in range(STEPS):
            yield [None]
        return (yield from super().compute(operation, operands))

    def run(self, steps):
        time.sleep(STEP_SECONDS * len(steps))
        return super().run(steps)


def main():
    w3 = Web3(Web3.HTTPProvider(sys.argv[1]))
    coprocessor = Coprocessor(w3, Store.in_folder(Path(sys.argv[2])), SlowEvaluator())
    print("ready", flush=True)
    coprocessor.run(threading.Event(), Heads(None, pause=0.01))


if __name__ == "__main__":
    main()
