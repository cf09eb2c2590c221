"""How many files and connections this process may have open."""

import sys
from contextlib import suppress

if sys.platform != "win32":
    import resource

CONNECTIONS = 2_000  # of a listener
ENOUGH = 65_536  # descriptors: what is started from here may do something for each that it may have
RESERVE = 512  # for files, for connections to other parts, and for those that come at once
BACKLOG = 128  # that may come at once


def room_for_connections() -> int:
    """Allow as many descriptors as the system lets us; how many connections a listener may then hold."""
    limit = _raised_limit()
    return min(CONNECTIONS, max(limit - RESERVE, limit // 2))


def _raised_limit() -> int:
    if sys.platform == "win32":
        return ENOUGH
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = ENOUGH if hard == resource.RLIM_INFINITY else min(hard, ENOUGH)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return ENOUGH if soft == resource.RLIM_INFINITY else soft
    with suppress(ValueError, OSError):  # the system has a lower limit that it does not tell of
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]
