"""The queue that shares work out between clients."""

import pytest

from fhevm.fair import FairQueue


@pytest.fixture
def queue():
    return FairQueue()


def order(queue):
    return [item for _, item in iter(queue.take, None)]


def test_one_client_is_served_as_they_come(queue):
    for number in range(5):
        queue.put("host", 1, number)
    assert (len(queue), order(queue), len(queue)) == (5, [0, 1, 2, 3, 4], 0)


def test_clients_are_served_by_cost_not_by_count(queue):
    for number in range(3):
        queue.put("host", 10, f"large {number}")
    for number in range(20):
        queue.put("guest", 1, f"small {number}")
    served = order(queue)
    assert served[0] == "large 0"
    assert served[1:11] == [f"small {number}" for number in range(10)]
    assert served.index("large 1") == 11


@pytest.mark.parametrize("clients", [1, 16, 60, 200])
def test_a_newcomer_waits_for_one_item_of_each_other_client_at_most(queue, clients):
    for client in range(clients):
        for _ in range(64):
            queue.put(str(client), 1000, "flood")
    for _ in range(clients * 3):
        queue.take()
    queue.put("guest", 1, "honest")
    assert order(queue).index("honest") <= clients


def test_whoever_was_idle_has_saved_nothing_up(queue):
    queue.put("guest", 1, "first")
    queue.take()
    for _ in range(50):
        queue.put("host", 1, "host")
        queue.take()
    for number in range(3):
        queue.put("guest", 1, f"guest {number}")
        queue.put("host", 1, f"host {number}")
    assert order(queue)[:4] in (
        ["guest 0", "host 0", "guest 1", "host 1"],
        ["guest 0", "guest 1", "host 0", "guest 2"],
        ["guest 0", "guest 1", "host 0", "host 1"],
    )


def test_a_client_that_may_not_is_passed_over(queue):
    queue.put("host", 1, "host")
    queue.put("guest", 1, "guest")
    assert queue.take(lambda client: client != "host") == ("guest", "guest")
    assert queue.take(lambda client: client != "host") is None
    assert order(queue) == ["host"]


def test_clients_that_are_gone_are_forgotten(queue):
    queue.put("host", 1000, "first")
    queue.put("host", 1000, "last")
    for number in range(1000):
        queue.put(str(number), 1, number)
        queue.take()
    assert order(queue)[-1] == "last"
    assert len(queue._clients) == 0
