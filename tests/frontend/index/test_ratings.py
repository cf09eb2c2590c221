"""What counts for a rating, and how much."""

import pytest

from fogbound.game import Outcome
from frontend.app.index.ratings import LEAST_STAKE, RATING, Ended, Ladder, Standing

ONE, OTHER, THIRD = (f"0x{digit}" for digit in "123")


@pytest.fixture
def ladder():
    return Ladder({}, {}, lambda _pair, _place: False)


def ended(
    place=1, players=(ONE, OTHER), winners=(0,), outcome=Outcome.WON, stake=LEAST_STAKE, opened=None
):
    opened = place if opened is None else opened
    return Ended(opened, place, players, frozenset(winners), outcome, stake)


def test_the_winner_rises_as_the_loser_falls(ladder):
    ladder.add(ended())
    won, lost = ladder.standings[ONE], ladder.standings[OTHER]
    assert won.rating - RATING == pytest.approx(RATING - lost.rating)
    assert won.rating > RATING
    assert (won.rated, won.played, won.won, won.lost) == (1, 1, 1, 0)
    assert (lost.rated, lost.played, lost.won, lost.lost) == (1, 1, 0, 1)
    assert won.deviation == pytest.approx(lost.deviation)
    assert won.deviation < Standing().deviation


def test_a_draw_moves_equals_nowhere(ladder):
    ladder.add(ended(winners=(), outcome=Outcome.DRAWN))
    assert ladder.standings[ONE].rating == pytest.approx(RATING)
    assert ladder.standings[ONE].drawn == ladder.standings[OTHER].drawn == 1


@pytest.mark.parametrize(
    "game",
    [
        ended(stake=0),
        ended(stake=LEAST_STAKE - 1),
        ended(outcome=Outcome.VOIDED, winners=()),
        ended(outcome=Outcome.NULL, winners=()),
    ],
)
def test_played_but_not_rated(ladder, game):
    ladder.add(game)
    assert ladder.standings[ONE].rating == RATING
    assert (ladder.standings[ONE].played, ladder.standings[ONE].rated) == (1, 0)


def gains(ladder, games):
    """What the first player gains in each game."""
    found = []
    for game in games:
        before = ladder.standings.get(ONE, Standing()).rating
        ladder.add(game)
        found.append(ladder.standings[ONE].rating - before)
    return found


def test_the_nth_game_between_the_same_two_counts_an_nth(ladder):
    """A fresh pair of equal standing gains what the n-th game would, times n."""
    ladder.add(ended())
    ladder.standings.update({ONE: Standing(), OTHER: Standing(), THIRD: Standing()})
    (second,) = gains(ladder, [ended(place=2)])
    fresh = Ladder({}, {}, ladder.linked)
    (first,) = gains(fresh, [ended()])
    assert second == pytest.approx(first / 2)
    ladder.standings.update({ONE: Standing(), THIRD: Standing()})
    (unmet,) = gains(ladder, [ended(place=3, players=(ONE, THIRD))])
    assert unmet == pytest.approx(first)


def test_who_sits_where_makes_no_other_pair(ladder):
    ladder.add(ended())
    ladder.add(ended(place=2, players=(OTHER, ONE)))
    assert ladder.met == {(ONE, OTHER): 2}


def test_one_owners_accounts_gain_nothing_from_each_other():
    ladder = Ladder({}, {}, lambda pair, place: pair == (ONE, OTHER) and place > 5)
    assert gains(ladder, [ended(place=4)])[0] > 0
    assert gains(ladder, [ended(place=6)])[0] == 0
    assert ladder.standings[ONE].won == 2
    assert gains(ladder, [ended(place=7, players=(ONE, THIRD))])[0] > 0


def test_who_is_about_to_lose_cannot_have_the_game_not_count():
    """Anybody may be paid another's money: that shows a link of two who are not one."""
    ladder = Ladder({}, {}, lambda _pair, place: place > 5)
    ladder.add(ended(opened=3, place=9))
    assert ladder.standings[OTHER].rating < RATING < ladder.standings[ONE].rating


def test_more_seats_than_two(ladder):
    ladder.add(ended(players=(ONE, OTHER, THIRD), winners=(2,)))
    assert ladder.standings[THIRD].rating > RATING
    assert ladder.standings[ONE].rating == pytest.approx(ladder.standings[OTHER].rating)
    assert ladder.standings[ONE].rating < RATING
