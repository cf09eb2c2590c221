"""The command: the demo's JSON for every size, the same game for the same seed, and what is refused."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from battleship.cli import app
from battleship.fleets import SIZES, Kind, Ship, check_fleet
from battleship.rules import Answer, Attack, State, apply
from tests.amount import enough

RUNNER = CliRunner()
KEYS = ["game", "size", "first", "shots", "outcome", "winner", "fleets", "gas"]


def demo(*options: str) -> dict:
    """The JSON object on the last line."""
    done = RUNNER.invoke(app, ["demo", "--json", *options], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout.splitlines()[-1])


def check(told: dict) -> None:
    """The rules replay the shots to the same end."""
    fleets = [
        check_fleet(told["size"], [Ship(Kind.parse(k), x, y, way == "v") for k, x, y, way in fleet])
        for fleet in told["fleets"]
    ]
    state = State.new(told["size"], fleets, first=told["first"])
    for seat, cell, hit, sunk in told["shots"]:
        assert seat == state.turn
        answer = Answer(hit, Kind.parse(sunk) if sunk else None)
        state = apply(state, Attack.at(told["size"], cell), answer)
    assert state.winner == told["winner"]
    assert told["outcome"] == "fair"
    assert list(told) == KEYS
    assert set(told["gas"]) == {"open", "join", "fire", "answerAndFire", "reveal"}


@pytest.mark.parametrize("size", enough((6, 10, 14), SIZES))
def test_a_size_is_played_and_its_record_verified(size: int, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    told = demo("--size", str(size), "--seed", "3", "--record", str(file))
    assert told["size"] == size
    check(told)
    found = RUNNER.invoke(app, ["verify", str(file), "--json"], catch_exceptions=False)
    facts = json.loads(found.stdout)
    assert (facts["outcome"], facts["winner"]) == ("fair", told["winner"])
    assert facts["shots"] == facts["openings"] == len(told["shots"])


def test_a_seed_gives_one_game() -> None:
    first, again, other = (demo("--size", "6", "--seed", seed) for seed in "556")
    assert first == again
    assert first["shots"] != other["shots"]


def test_without_json_the_shots_are_told() -> None:
    told = RUNNER.invoke(
        app, ["demo", "--size", "6", "--first-bot", "hunt", "--second-bot", "random"]
    )
    assert told.exit_code == 0
    assert "sunk" in told.stdout
    assert "wins (fair)" in told.stdout


@pytest.mark.parametrize("options", [("--size", "7"), ("--first-bot", "nobody")])
def test_what_there_is_not_is_refused(options: tuple[str, str]) -> None:
    assert RUNNER.invoke(app, ["demo", *options]).exit_code != 0


def test_what_is_no_record_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text("{}")
    assert RUNNER.invoke(app, ["verify", str(file)]).exit_code == 1
