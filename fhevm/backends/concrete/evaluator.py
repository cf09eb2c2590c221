"""The coprocessor's side: runs circuits, and batches of bootstraps on all cores."""

import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np

from fhevm.backends.base import Computation
from fhevm.backends.concrete import ciphertexts, keys, ring
from fhevm.backends.concrete.blocks import Block, Leaf, known_digits, shifted
from fhevm.backends.concrete.ciphertexts import Ciphertext, block_count, digit_limit
from fhevm.backends.concrete.library import Bootstrapper, Bytes, Words
from fhevm.backends.concrete.lookup import HALF, Step
from fhevm.backends.concrete.operators import evaluate
from fhevm.backends.concrete.parameters import DEGREE, SLOTS
from fhevm.operations import Operation
from fhevm.types import FheType

_NICENESS = 5


class ConcreteEvaluator:
    """See `base.Evaluator`. `bootstraps` counts the steps that were run.

    Results are exact; the bytes of a result may differ between machines (floating-point transforms).
    """

    def __init__(self, evaluation: bytes) -> None:
        key = keys.load_evaluation(evaluation)
        self.key_id = key.id
        self.parameters = key.parameters
        self.bootstraps = 0
        self._bootstrapper = Bootstrapper(key.parameters, key.bootstrap, key.keyswitch)
        self._local = threading.local()
        self._pool = ThreadPoolExecutor(
            os.cpu_count(), thread_name_prefix="bootstrap", initializer=_give_way
        )

    def trivial(self, value: int, fhe_type: FheType) -> Ciphertext:
        """See `base.Evaluator`."""
        digits = known_digits(value % fhe_type.modulus, block_count(fhe_type))
        return Ciphertext(fhe_type, tuple(digits))

    def unpack(self, blob: bytes, types: Sequence[FheType]) -> list[Ciphertext]:
        """See `base.Evaluator`. Whether the digits are in range is the input proof's matter."""
        lwes = iter(ring.extract(blob, self.key_id, sum(map(block_count, types))))
        return [
            Ciphertext(fhe_type, tuple(_fresh(next(lwes), fhe_type) for _ in range(count)))
            for fhe_type, count in zip(types, map(block_count, types), strict=True)
        ]

    def compute(self, operation: Operation, operands: Sequence[Ciphertext | int]) -> Computation:
        """See `base.Evaluator`."""
        return evaluate(operation.name, operands, operation.type)

    def run(self, steps: Sequence[Step]) -> list[Words]:
        """See `base.Evaluator`."""
        self.bootstraps += len(steps)
        if len(steps) == 1:
            return [self._look_up(steps[0])]
        return list(self._pool.map(self._look_up, steps))

    def keyswitch(self, lwes: Sequence[Words]) -> list[Words]:
        """To the small key, where the bootstrap starts: for measuring its noise."""
        return [self._bootstrapper.keyswitch(lwe) for lwe in lwes]

    def dump(self, ciphertext: Ciphertext) -> bytes:
        """See `base.Evaluator`."""
        return ciphertexts.dump(ciphertext, self.key_id)

    def load(self, data: bytes) -> Ciphertext:
        """See `base.Evaluator`."""
        return ciphertexts.load(data, self.key_id)

    def _look_up(self, step: Step) -> Words:
        result = self._bootstrapper(step.lwe, _accumulator(step.table), self._scratch())
        return shifted(result, step.constant * HALF)

    def _scratch(self) -> Bytes:
        if not hasattr(self._local, "scratch"):
            self._local.scratch = self._bootstrapper.scratch()
        scratch: Bytes = self._local.scratch
        return scratch


def _give_way() -> None:
    """Whoever answers requests or makes blocks on this machine comes before a thread that computes."""
    if hasattr(os, "setpriority"):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)


def _fresh(lwe: Words, fhe_type: FheType) -> Block:
    """Its noise is far below that of a bootstrapped ciphertext; counted as one all the same."""
    return Block.of(Leaf(lwe, 0, digit_limit(fhe_type)))


@cache
def _accumulator(table: tuple[int, ...]) -> Words:
    """The trivial ring ciphertext (0, p) where p holds each entry N/16 times, centred on its value."""
    box = DEGREE // SLOTS
    entries = np.array([entry * HALF % (1 << 64) for entry in table], dtype=np.uint64)
    body = np.roll(np.repeat(entries, box), -(box // 2))
    body[-(box // 2) :] = np.uint64(0) - body[-(box // 2) :]
    return np.concatenate([np.zeros(DEGREE, dtype=np.uint64), body])
