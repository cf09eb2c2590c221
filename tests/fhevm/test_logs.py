"""What is said too often is left out, and counted."""

import logging
import sys

from fhevm.logs import AT_ONCE, NO_DESCRIPTOR, SECONDS, Repeats


class Log:
    """Two places that say something, at a time that stands still."""

    def __init__(self):
        self.now, self.said = 0.0, []
        self._filter = Repeats(lambda: self.now)

    def say(self, name, words, line=1, exc_info=None):
        record = logging.LogRecord(name, logging.ERROR, "there.py", line, words, (), exc_info)
        if self._filter.filter(record):
            self.said.append((record.getMessage(), record.exc_info))


def test_what_one_place_says_too_often_is_left_out_and_counted():
    log = Log()
    for number in range(AT_ONCE + 5):
        log.say("a", f"words {number}")
    log.say("a", "elsewhere", line=2)
    assert [words for words, _ in log.said[-2:]] == [f"words {AT_ONCE - 1}", "elsewhere"]
    log.now = SECONDS
    log.say("a", "again")
    log.say("a", "and again")
    assert log.said[-2][0] == "again (5 like this were left out)"
    assert log.said[-1][0] == "and again"


def test_no_descriptors_are_said_once_and_without_a_traceback():
    log = Log()
    try:
        raise OSError(24, "Too many open files")
    except OSError:
        for _ in range(3):
            log.say("asyncio", f"{NO_DESCRIPTOR}\nsocket: …", exc_info=sys.exc_info())
    assert log.said == [("no descriptor is free for a connection", None)]
