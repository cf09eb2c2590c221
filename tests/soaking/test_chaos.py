"""Cutting off the newest blocks of a chain's journal."""

import json

import pytest

from fogbound.journal import Block, Journal
from scripts.soaking.chaos import cut_off


@pytest.fixture
def file(tmp_path):
    journal = Journal(tmp_path / "journal.jsonl")
    for number in (5, 6, 7):
        journal.intend(Block(number, 1_700_000_000 + number, (f"0x{number}",)))
        journal.mined(number, f"0x{number:064x}")
    journal.intend(Block(8, 1_700_000_008))
    journal.refused(8)
    return tmp_path / "journal.jsonl"


def test_what_came_before_is_kept(file):
    before = Journal(file).read()
    assert cut_off(file, 6) == [6, 7, 8]
    assert Journal(file).read() == before[:1]


def test_blocks_that_are_in_the_state_already_cannot_be_lost(file):
    before = file.read_text()
    assert cut_off(file, 4) == []
    assert file.read_text() == before


def test_each_line_that_is_kept_stays_as_it_was(file):
    lines = [json.loads(line) for line in file.read_text().splitlines() if line]
    cut_off(file, 7)
    kept = [json.loads(line) for line in file.read_text().splitlines()]
    assert kept == lines[:4]
