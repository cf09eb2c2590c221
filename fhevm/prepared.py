"""A parsed request, in the parts that a server runs apart from each other."""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True)
class Prepared:
    """`check` says whether it is allowed; `answer` gives the result.

    Where values are not computed yet, `answer` raises NotComputedYet or UnknownHandle at once; it is good
    to call again when the future of `park` is done. All raise ServiceError. `cost`: of the work, for who
    shares it out; a digit that is decrypted costs 1.
    """

    check: Callable[[], None]
    answer: Callable[[], Json]
    park: Callable[[], "Future[None]"] = Future
    cost: int = 1
