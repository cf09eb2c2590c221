"""The command: the demo's JSON, the same game for the same seed, and what is refused."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bunkerwar.cli import app
from bunkerwar.rules import Missile, State, apply, outcome, parse_move

RUNNER = CliRunner()


def demo(*options: str) -> dict:
    """The JSON object on the last line."""
    done = RUNNER.invoke(app, ["demo", "--json", *options], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout.splitlines()[-1])


def check(told: dict) -> None:
    """The rules replay the moves to the same end."""
    state = State.new(told["lanes"], told["depth"], first=told["first"], stacked=told["stacked"])
    for seat, text, *stop in told["moves"]:
        move = parse_move(text)
        assert int(seat) == state.turn
        if isinstance(move, Missile):
            assert [state.boards[1 - state.turn].stop(move.lane)] == stop
        state = apply(state, move)
    assert [board.score for board in state.boards] == told["scores"]
    assert str(outcome(state)) == told["result"]


@pytest.mark.slow
def test_a_seed_gives_one_game_on_both_backends_and_its_record_verifies(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    size = ("--lanes", "2", "--depth", "3", "--seed", "7")
    concrete = demo(*size, "--record", str(file))
    clear = demo(*size, "--backend", "clear")
    check(concrete)
    same = ("lanes", "depth", "stacked", "first", "moves", "result", "scores", "operations")
    assert {name: concrete[name] for name in same} == {name: clear[name] for name in same}
    assert concrete["game"] == "bunkerwar"
    assert concrete["backend"] == "concrete"
    assert concrete["bootstraps"] > 0 == clear["bootstraps"]
    assert set(concrete["seconds"]) == {"setup", "compute", "total"}
    told = RUNNER.invoke(app, ["verify", str(file), "--json"], catch_exceptions=False)
    assert json.loads(told.stdout)["result"] == concrete["result"]


def test_stacked_games_are_played() -> None:
    told = demo("--backend", "clear", "--lanes", "1", "--depth", "4", "--stacked", "--seed", "3")
    assert told["stacked"] is True
    check(told)


def test_without_json_the_moves_are_told() -> None:
    told = RUNNER.invoke(app, ["demo", "--backend", "clear", "--lanes", "1", "--depth", "2"])
    assert told.exit_code == 0
    assert "first seat: " in told.stdout
    assert "bootstraps" in told.stdout


@pytest.mark.parametrize("size", [("--lanes", "9"), ("--lanes", "0"), ("--depth", "1")])
def test_sizes_have_bounds(size: tuple[str, str]) -> None:
    assert RUNNER.invoke(app, ["demo", *size]).exit_code == 2


def test_what_is_no_record_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text("{}")
    assert RUNNER.invoke(app, ["verify", str(file)]).exit_code == 1
