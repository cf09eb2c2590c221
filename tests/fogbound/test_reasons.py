"""Why records are refused: each reason has one code, is raised somewhere, and with all that it speaks of."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from fogbound.errors import RecordInvalid
from fogbound.reasons import TableReason
from scripts.make_reason_vectors import FILE, REASONS, as_text, parameters

ROOT = Path(__file__).parents[2]
BY_NAME = {f"{type(reason).__name__}.{reason.name}": reason for reason in REASONS}


def given() -> Iterator[tuple[str, set[str | None]]]:
    """Each reason that the source gives, with the names of what it gives along."""
    for package in ("fogbound", "battleship", "bunkerwar", "frontend/app"):
        for file in sorted((ROOT / package).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text())):
                if isinstance(node, ast.Call):
                    names = {ast.unparse(argument) for argument in node.args} & BY_NAME.keys()
                    yield from ((name, {each.arg for each in node.keywords}) for name in names)


def test_every_reason_is_given_with_its_parameters() -> None:
    calls = list(given())
    assert {name for name, _ in calls} == BY_NAME.keys()
    assert [(name, names) for name, names in calls if names != set(parameters(BY_NAME[name]))] == []


def test_no_two_reasons_share_a_code() -> None:
    assert len({reason.code for reason in REASONS}) == len(REASONS)


def test_the_vectors_hold_every_reason() -> None:
    """The page has a text for each of them; `python -m scripts.make_reason_vectors` writes them anew."""
    assert FILE.read_text() == as_text()


@pytest.mark.parametrize("value", ["{0}", "{seat.__class__}", "%s", 7])
def test_what_a_record_says_is_not_taken_for_a_template(value: object) -> None:
    error = RecordInvalid(TableReason.WRONG_SEATS, seats=value)
    assert str(error) == f"a game of {value} seats"
    assert error.parameters == {"seats": str(value)}
    assert error.reason.code == "fogbound.wrong_seats"
