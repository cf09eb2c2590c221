"""What the backend costs on this machine, and its noise. For `fhevm bench`.

Typical figures on two cores at p_error 2^-64 and noise budget 338 (polynomial size 2048, LWE dimension 844,
one bootstrap level): 20 ms a bootstrap alone, 10 ms each in a batch of 64, 6 ms for an input. Phase noise
(log₂ of the standard deviation; half a step is 2^58): fresh 2^21, bootstrapped 2^49, then keyswitched 2^53.
"""

import math
import time
from collections.abc import Callable, Sequence
from secrets import token_bytes
from typing import Any

from fhevm.backends.arithmetic import COMPARISONS
from fhevm.backends.batch import complete
from fhevm.backends.concrete import ConcreteBackend
from fhevm.backends.concrete.ciphertexts import Ciphertext
from fhevm.backends.concrete.decryptor import ConcreteDecryptor
from fhevm.backends.concrete.encryptor import ConcreteEncryptor
from fhevm.backends.concrete.evaluator import ConcreteEvaluator
from fhevm.backends.concrete.library import Words
from fhevm.backends.concrete.lookup import Lookup, look_up
from fhevm.backends.concrete.operators import evaluate
from fhevm.types import FheType

BATCH = 64
_BOOL, _U8 = FheType.EBOOL, FheType.EUINT8
_TABLE = (3, 0, 1, 2)  # not affine, so that it takes a bootstrap
_PAIRS = [
    "add",
    "sub",
    "mul",
    "and",
    "or",
    "xor",
    "eq",
    "ne",
    "ge",
    "gt",
    "le",
    "lt",
    "min",
    "max",
    "shl",
    "shr",
    "rotl",
    "rotr",
]
_SCALARS = [*_PAIRS, "div", "rem"]
_ON_BOOL = ["and", "or", "xor", "eq", "ne"]


def measure(seed: bytes | None = None) -> dict[str, Any]:
    """Milliseconds, log₂ noise, and for each operator its bootstraps and seconds.

    `operators` maps an overload such as `add_euint8_uint8` to {"bootstraps", "seconds"}.
    """
    backend = ConcreteBackend()
    started = time.perf_counter()
    keys = backend.generate_keys(seed)
    key_seconds = time.perf_counter() - started
    evaluator, encryptor = backend.evaluator(keys.evaluation), backend.encryptor(keys.public)
    decryptor = backend.decryptor(keys.secret)
    fresh = _inputs(encryptor, evaluator, [(_U8, 0b11100100)] * (BATCH // 4))
    return {
        "key_generation_seconds": key_seconds,
        "evaluation_key_bytes": len(keys.evaluation),
        "parameters": evaluator.parameters,
        **_bootstraps(evaluator, decryptor, fresh),
        "public_key_encryption_ms": 1000 * _seconds(lambda: _encrypt(encryptor)),
        "operators": _operators(encryptor, evaluator),
    }


def phase_noise(decryptor: ConcreteDecryptor, lwes: Sequence[Words]) -> float:
    """Standard deviation of the phases from their steps, where 2^64 is the whole torus."""
    return math.sqrt(sum(decryptor.noise(lwe) ** 2 for lwe in lwes) / len(lwes))


def _seconds(action: Callable[[], Any]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def _encrypt(encryptor: ConcreteEncryptor) -> bytes:
    return encryptor.encrypt([(_BOOL, 1)], token_bytes(32))


def _inputs(
    encryptor: ConcreteEncryptor, evaluator: ConcreteEvaluator, plaintexts: Sequence[Any]
) -> list[Ciphertext]:
    blob = encryptor.encrypt(plaintexts, token_bytes(32))
    return evaluator.unpack(blob, [fhe_type for fhe_type, _ in plaintexts])


def _bootstraps(
    evaluator: ConcreteEvaluator, decryptor: ConcreteDecryptor, fresh: Sequence[Ciphertext]
) -> dict[str, float]:
    blocks = [block for ciphertext in fresh for block in ciphertext.blocks]
    results: list[Words] = []

    def look_up_all(count: int) -> None:
        requests = [Lookup(_TABLE.__getitem__, block) for block in blocks[:count]]
        (looked_up,) = complete(evaluator, [look_up(requests)])
        results[:] = [block.lwe() for block in looked_up]

    look_up_all(1)  # converts nothing twice, but touches every page of the keys
    return {
        "bootstrap_ms_single": 1000 * _seconds(lambda: look_up_all(1)),
        "bootstrap_ms_batched": 1000 * _seconds(lambda: look_up_all(BATCH)) / BATCH,
        "log2_noise_fresh": math.log2(phase_noise(decryptor, [b.lwe() for b in blocks])),
        "log2_noise_bootstrapped": math.log2(phase_noise(decryptor, results)),
        "log2_noise_keyswitched": math.log2(phase_noise(decryptor, evaluator.keyswitch(results))),
    }


def _operators(
    encryptor: ConcreteEncryptor, evaluator: ConcreteEvaluator
) -> dict[str, dict[str, float]]:
    bit, other, x, y = _inputs(
        encryptor, evaluator, [(_BOOL, 1), (_BOOL, 0), (_U8, 201), (_U8, 90)]
    )
    cases: dict[str, tuple[Any, ...]] = {
        **{f"{name}_ebool_ebool": (bit, other) for name in _ON_BOOL},
        "not_ebool": (bit,),
        "select_ebool_ebool_ebool": (bit, bit, other),
        **{f"{name}_euint8_euint8": (x, y) for name in _PAIRS},
        **{f"{name}_euint8_uint8": (x, 91) for name in _SCALARS},
        "neg_euint8": (x,),
        "not_euint8": (x,),
        "select_ebool_euint8_euint8": (bit, x, y),
    }
    return {case: _operator(evaluator, case, operands) for case, operands in cases.items()}


def _operator(evaluator: ConcreteEvaluator, case: str, operands: Sequence[Any]) -> dict[str, float]:
    name = case.split("_", maxsplit=1)[0]
    result = _BOOL if name in COMPARISONS else operands[-1 if name == "select" else 0].type
    before = evaluator.bootstraps
    seconds = _seconds(lambda: complete(evaluator, [evaluate(name, operands, result)]))
    return {"bootstraps": evaluator.bootstraps - before, "seconds": seconds}
