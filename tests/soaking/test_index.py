"""Comparing an index with one made anew."""

import pytest

from scripts.soaking.index import compare
from scripts.soaking.report import Report


@pytest.fixture
def report():
    return Report(lambda _: None)


def test_equal_rows_are_no_difference(report):
    compare("games", {"a", "b"}, {"b", "a"}, report)
    assert (report.differences, report.counts["index rows"]) == ([], 2)


def test_rows_too_many_and_too_few_are_told(report):
    compare("games", {"a", "b"}, {"b", "c"}, report)
    assert report.differences == [
        "index, games: a row that the chain does not say: a",
        "index, games: a row is missing: c",
    ]
