"""Ports of 127.0.0.1 for processes that are started soon."""

import fcntl
import os
import random
import socket
import tempfile
from collections import deque
from contextlib import ExitStack, suppress
from pathlib import Path

LOWEST = 16_000
GIVEN_BY_THE_SYSTEM = Path("/proc/sys/net/ipv4/ip_local_port_range")
USUALLY_GIVEN = 32_768  # and what lies above, to whoever connects or asks for any port

MOST_HELD = 64

_held: deque[ExitStack] = deque()


def free_port(neighbours: int = 1) -> int:
    """The first of so many neighbouring ports, on none of which anybody listens.

    No process gets one of them by chance, as the near end of a connection; and nobody of this user who asks
    here gets one while this process lives, and has not asked for MOST_HELD others since.
    """
    highest = _given_from() - neighbours
    while True:
        first = random.randint(LOWEST, highest)
        ports = range(first, first + neighbours)
        if all(map(_is_free, ports)) and _hold(ports):
            return first


def _given_from() -> int:
    with suppress(OSError, ValueError, IndexError):
        lowest = int(GIVEN_BY_THE_SYSTEM.read_text().split()[0])
        return lowest if lowest > 2 * LOWEST else USUALLY_GIVEN
    return USUALLY_GIVEN


def _is_free(port: int) -> bool:
    """Also of connections that are still ending."""
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


def _hold(ports: range) -> bool:
    """Lock them, each by a file; the locks go with the process, however it ends."""
    folder = Path(tempfile.gettempdir()) / f"fogbound-ports-{os.getuid()}"
    with ExitStack() as locks:
        try:
            folder.mkdir(mode=0o700, exist_ok=True)
            for port in ports:
                lock = locks.enter_context((folder / str(port)).open("w"))
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:  # no such folder for us: then nobody is kept out
            return True
        _held.append(locks.pop_all())
    while len(_held) > MOST_HELD:
        _held.popleft().close()
    return True
