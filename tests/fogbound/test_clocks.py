"""Time controls and durations as people give and read them."""

import pytest

from fogbound.clocks import (
    CLOCKS,
    CLOCKS_TEXT,
    CONTROLS_TEXT,
    TIME_CONTROLS,
    TimeControl,
    duration,
    parse_clocks,
    parse_controls,
    usual_control,
)


def test_the_defaults_are_what_the_help_shows():
    assert parse_clocks(CLOCKS_TEXT) == CLOCKS
    assert parse_controls(CONTROLS_TEXT) == TIME_CONTROLS
    assert [control.move for control in TIME_CONTROLS] == [60, 300, 3_600, 86_400]


@pytest.mark.parametrize(
    ("moves", "number"), [((60, 300, 3_600), 1), ((86_400,), 0), ((30, 590), 0), ((30, 500), 1)]
)
def test_the_usual_control_is_nearest_to_five_minutes(moves, number):
    assert usual_control([TimeControl(move) for move in moves]) == number


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (-5, "0 s"),
        (59, "59 s"),
        (60, "1 min"),
        (245, "4 min 5 s"),
        (3_600, "1 h"),
        (12_000, "3 h 20 min"),
        (90_000, "1 d 1 h"),
        (86_399, "23 h 59 min"),
    ],
)
def test_durations_are_told_in_two_units(seconds, text):
    assert duration(seconds) == text
