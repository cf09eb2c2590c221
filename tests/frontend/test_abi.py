"""The page's ABIs are those of the contracts as they are now."""

import pytest

from scripts.make_abi import FOLDER, files


@pytest.mark.parametrize(
    "name", ["table.ts", "bunkerWar.ts", "battleship.ts", "hostErrors.ts", "hostViews.ts"]
)
def test_the_file_is_current(name: str) -> None:
    assert (FOLDER / name).read_text() == files()[name], "run: python -m scripts.make_abi"


def test_no_other_file_is_there() -> None:
    assert {file.name for file in FOLDER.iterdir()} == set(files())
