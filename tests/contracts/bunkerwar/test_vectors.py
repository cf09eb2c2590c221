"""The recorded games, move by move: contract and rules agree on all that is public, and on the end."""

import json
from pathlib import Path

import pytest

from bunkerwar.rules import State, apply, parse_move, view
from tests.contracts.bunkerwar.battle import TIE

VECTORS = Path(__file__).parents[2] / "vectors" / "bunkerwar-games.json"
GAMES = [game for game in json.loads(VECTORS.read_text()) if game["lanes"] * game["depth"] <= 16]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game['lanes']}x{game['depth']}")
def test_the_contract_plays_the_recorded_games(open_game, game):
    battle = open_game(game["lanes"], game["depth"], game["stacked"])
    flip = battle.seat != game["first"]  # the draw may give the other seat
    state = State.new(game["lanes"], game["depth"], first=battle.seat, stacked=game["stacked"])
    for seat, text, *stop in game["moves"]:
        assert battle.seat == seat ^ flip
        assert battle.play(text) == (stop[0] if stop else None)
        state = apply(state, parse_move(text))
        for each in (0, 1):
            shown = view(state, None).boards[each]
            assert battle.standing(each) == {
                (lane, depth)
                for lane, cells in enumerate(shown.cells)
                for depth, cell in enumerate(cells)
                if cell != "."
            }
    for each in (0, 1):
        assert str(battle.board(each)) == str(state.boards[each]).replace("B", "b")
    (settled,) = battle.settle().decode_logs(battle.contract.ResultSettled)
    expected = TIE if game["result"] == "tie" else int(game["result"]) ^ flip
    assert settled.result == expected
