"""Write tests/vectors/battleship-fleets.json: which fleets are legal, and what any 16 bytes cover."""

import json
from pathlib import Path
from random import Random

from battleship.bots import random_fleet
from battleship.commitment import PLACEMENT_BYTES, covered, pack_fleet, unpack_fleet
from battleship.errors import BattleshipError
from battleship.fleets import SIZES, Ship, check_fleet, fleet_text, parse_fleet

FILE = Path(__file__).parents[1] / "tests" / "vectors" / "battleship-fleets.json"
TEXTS = [
    (6, "CR 0 0 h, DE 0 1 v"),
    (6, "DE 0 0 h, CR 0 1 v"),
    (6, "cr 3 5 h, de 5 3 v"),
    (6, "CR 0 0 h"),
    (6, "CR 0 0 h, DE 2 0 v"),
    (6, "CR 4 0 h, DE 0 1 v"),
    (6, "CR 0 4 v, DE 3 1 v"),
    (6, "CR 0 0 h, CR 0 1 h"),
    (6, "CR 0 0 h, DE 0 1 v, DE 3 3 h"),
    (6, "SU 0 0 h, DE 0 1 v"),
    (7, "CR 0 0 h, DE 0 1 v"),
    (6, "CR 0 0, DE 0 1 v"),
    (6, "XX 0 0 h, DE 0 1 v"),
    (6, "CR 0 0 h,DE 0 1 v"),
    (6, ""),
    (6, "CR 100 0 h, DE 0 1 v"),
    (10, "CA 0 0 h, BA 0 1 h, CR 0 2 h, SU 0 3 h, DE 0 4 h"),
    (10, "CA 0 0 h, BA 0 1 h, SU 0 2 h, SU 0 3 h, DE 0 4 h"),
    (20, "SC 14 0 h, CA 19 1 v, BA 0 16 v, CR 0 0 h, SU 0 1 h, SU 0 2 h, DE 0 3 h, DE 18 19 h"),
]
# A legal fleet anywhere among zeros; beside a ship, bits that mean nothing.
WORDS = [
    "00000000202000000000000010010000",
    *(word + "1001".ljust(28, "0") for word in ("0001", "7000", "8000", "9000", "1800", "a000")),
]


def main():
    source = Random(5)
    legal = [(size, fleet_text(random_fleet(size, source))) for size in SIZES]
    moved = [(size, _nudged(text, source)) for size, text in legal for _ in range(4)]
    placements = [(source.choice(SIZES), source.randbytes(PLACEMENT_BYTES)) for _ in range(12)]
    placements += [(size, pack_fleet(parse_fleet(text))) for size, text in legal]
    placements += [(6, bytes.fromhex(words)) for words in WORDS]
    fleets = [_fleet(size, text) for size, text in [*TEXTS, *legal, *moved]]
    covers = [_placement(size, data) for size, data in placements]
    FILE.write_text(f'{{"fleets": [{_lines(fleets)}],\n"placements": [{_lines(covers)}]}}\n')


def _nudged(text, source):
    """One ship moved or turned: often, but not always, illegal."""
    ships = list(parse_fleet(text))
    at = source.randrange(len(ships))
    ship = ships[at]
    x, y = source.randrange(20), source.randrange(20)
    ships[at] = source.choice(
        [Ship(ship.kind, ship.x, ship.y, not ship.vertical), Ship(ship.kind, x, y, ship.vertical)]
    )
    return fleet_text(ships)


def _fleet(size, text):
    try:
        fleet = check_fleet(size, parse_fleet(text))
    except BattleshipError as error:
        return {"size": size, "text": text, "error": type(error).__name__}
    return {"size": size, "text": text, "cells": [list(ship.cells(size)) for ship in fleet]}


def _placement(size, data):
    found = {"size": size, "placement": "0x" + data.hex(), "covered": sorted(covered(data, size))}
    try:
        return found | {"fleet": fleet_text(unpack_fleet(data))}
    except BattleshipError as error:
        return found | {"error": type(error).__name__}


def _lines(records):
    return ",".join(f"\n{json.dumps(record)}" for record in records)


if __name__ == "__main__":
    main()
