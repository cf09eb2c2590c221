"""Whether a soak's memory and disk are level over its second half."""

import pytest

from scripts.soaking.usage import Sample, Usage


@pytest.fixture
def usage():
    """Of a run in which memory and disk were as these functions of the part of time that is over."""

    def make(memory, disk):
        made = Usage(stack=None)
        parts = [number / 100 for number in range(101)]
        made.samples = [Sample(60 * part, memory(part), disk(part), 7.0) for part in parts]
        return made

    return make


def test_what_grows_at_first_only_is_level(usage):
    found = usage(lambda part: 500 * min(1.0, 0.6 + part), lambda _: 30.0)
    assert found.verdict() == "second half level (memory +0.0%, disk +0.0%)"


def test_what_goes_on_growing_is_not(usage):
    found = usage(lambda _: 500.0, lambda part: 30 * (1 + part))
    assert found.verdict() == "second half NOT level (memory +0.0%, disk +30.0%)"


def test_less_in_the_end_is_level(usage):
    found = usage(lambda part: 500 - 100 * part, lambda _: 30.0)
    assert found.verdict().startswith("second half level (memory -1")


def test_the_middle_is_half_of_the_time(usage):
    assert usage(lambda part: part, lambda part: part).middle == Sample(30.0, 0.5, 0.5, 7.0)
