"""Whole games that every implementation replays to the same end."""

import json
from pathlib import Path
from typing import Any

import pytest

from bunkerwar.rules import State, apply, outcome, parse_move

GAMES = json.loads((Path(__file__).parents[1] / "vectors" / "bunkerwar-games.json").read_text())


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game['lanes']}x{game['depth']}")
def test_the_rules_play_the_recorded_games(game: dict[str, Any]) -> None:
    state = State.new(game["lanes"], game["depth"], first=game["first"], stacked=game["stacked"])
    for seat, text, *stop in game["moves"]:
        assert state.turn == seat
        move = parse_move(text)
        assert [state.boards[1 - seat].stop(move.lane)] == stop or not stop
        state = apply(state, move)
    assert str(state) == game["position"]
    assert [board.score for board in state.boards] == game["scores"]
    assert str(outcome(state)) == game["result"]
