"""Running computations to their end."""

from collections.abc import Sequence

from fhevm.backends.base import Ciphertext, Computation, Evaluator, Step


def complete(evaluator: Evaluator, computations: Sequence[Computation]) -> list[Ciphertext]:
    """The results of independent computations, all their steps of a round in one batch."""
    results: list[Ciphertext] = [None] * len(computations)
    waiting: list[tuple[int, list[Step]]] = []

    def resume(index: int, answers: list[object] | None) -> None:
        try:
            waiting.append((index, computations[index].send(answers)))  # type: ignore[arg-type]
        except StopIteration as end:
            results[index] = end.value

    for index in range(len(computations)):
        resume(index, None)
    while waiting:
        asked, waiting = waiting, []
        answers = iter(evaluator.run([step for _, steps in asked for step in steps]))
        for index, steps in asked:
            resume(index, [next(answers) for _ in steps])
    return results
