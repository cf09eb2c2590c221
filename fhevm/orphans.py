"""Children that leave no orphan behind."""

import ctypes
import os
import signal
import sys
from collections.abc import Callable

PR_SET_PDEATHSIG = 1

_libc = ctypes.CDLL(None) if sys.platform == "linux" else None


def dying_with_parent() -> Callable[[], None] | None:
    """What a child does before it becomes another program: it gets SIGTERM when this process dies in any way.

    The signal follows the thread that starts the child. Elsewhere than on Linux there is no such thing.
    """
    libc, parent = _libc, os.getpid()
    if libc is None:
        return None

    def ask_for_signal() -> None:
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:  # it died before we asked
            os._exit(1)

    return ask_for_signal
