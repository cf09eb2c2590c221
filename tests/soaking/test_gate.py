"""Players go through side by side; a reorganisation waits for them, and they for it."""

import threading

from scripts.soaking.gate import Gate


def test_who_closes_waits_for_those_inside_and_keeps_others_out():
    gate, told, entered, leave = Gate(), [], threading.Event(), threading.Event()

    def first():
        with gate.passing():
            entered.set()
            leave.wait(10)
            told.append("left")

    def close():
        with gate.closed():
            told.append("closed")
            late.start()
            told.append("open")

    def second():
        with gate.passing():
            told.append("passed")

    early, closing, late = (threading.Thread(target=each) for each in (first, close, second))
    early.start()
    entered.wait(10)
    closing.start()
    leave.set()
    for thread in (early, closing):
        thread.join(10)
    late.join(10)
    assert told == ["left", "closed", "open", "passed"]


def test_several_are_inside_at_once():
    gate = Gate()
    with gate.passing(), gate.passing():
        pass
    with gate.closed():
        pass
