"""Which fleets are legal and what a placement covers, by the vectors that the page shares."""

import json
from pathlib import Path

import pytest

from battleship import errors
from battleship.commitment import covered, unpack_fleet
from battleship.fleets import check_fleet, fleet_text, parse_fleet

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "battleship-fleets.json").read_text())


@pytest.mark.parametrize("each", VECTORS["fleets"], ids=lambda each: each["text"])
def test_fleets(each: dict) -> None:
    if "error" in each:
        with pytest.raises(errors.BattleshipError) as caught:
            check_fleet(each["size"], parse_fleet(each["text"]))
        assert type(caught.value) is getattr(errors, each["error"])
    else:
        fleet = check_fleet(each["size"], parse_fleet(each["text"]))
        assert [list(ship.cells(each["size"])) for ship in fleet] == each["cells"]


@pytest.mark.parametrize("each", VECTORS["placements"], ids=lambda each: each["placement"])
def test_placements(each: dict) -> None:
    placement = bytes.fromhex(each["placement"][2:])
    assert sorted(covered(placement, each["size"])) == each["covered"]
    if "error" in each:
        with pytest.raises(getattr(errors, each["error"])):
            unpack_fleet(placement)
    else:
        assert fleet_text(unpack_fleet(placement)) == each["fleet"]
