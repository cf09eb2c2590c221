"""Whole games that every implementation replays to the same end."""

import json
from pathlib import Path
from typing import Any

import pytest

from battleship.fleets import parse_fleet
from battleship.replay import replay
from battleship.rules import Attack, State, apply
from scripts.make_battleship_game_vectors import FILE, TERMS, as_text, content, read

VECTORS = json.loads(Path(FILE).read_text())


def test_the_file_is_what_the_script_writes() -> None:
    assert as_text(content()) == Path(FILE).read_text()


@pytest.mark.parametrize("game", VECTORS["games"], ids=lambda game: game["name"])
def test_the_events_lead_to_the_recorded_end(game: dict[str, Any]) -> None:
    seen = replay(read(game["events"]), TERMS).game
    assert [[fired.seat, str(fired.shot)] for fired in seen.fired] == game["shots"]
    assert str(seen.position) == game["position"]
    assert (seen.due and list(seen.due)) == game["due"]
    assert seen.beneficiary == game["beneficiary"]
    assert (seen.result and [str(seen.result[0]), seen.result[1]]) == game["result"]


@pytest.mark.parametrize("game", VECTORS["games"], ids=lambda game: game["name"])
def test_the_answers_are_those_of_the_fleets(game: dict[str, Any]) -> None:
    fleets = [parse_fleet(text) for text in game["fleets"]]
    state = State.new(game["size"], fleets, first=game["first"])
    for seat, shot in game["shots"]:
        assert state.turn == seat
        state = apply(state, Attack.at(game["size"], int(shot.split("+")[0].rstrip("-"))))
        assert str(state.boards[1 - seat].shots[-1]) == shot
    assert str(state) == game["known"]
