"""What counts for a rating, and how much."""

import random
from dataclasses import replace
from statistics import correlation

import pytest

from fogbound.game import Outcome
from frontend.app.index.ratings import LEAST_STAKE, RATING, REACH, Ended, Ladder, Standing

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


# ── farms ──

MAIN = "0x" + "aa" * 20
ALMOST_NOTHING = 100


def account(number):
    return f"0x{number:040x}"


def play(ladder, one, other, outcome=Outcome.RESIGNED):
    """The first wins, or they draw."""
    place = sum(standing.played for standing in ladder.standings.values()) + 1
    winners = () if outcome is Outcome.DRAWN else (0,)
    ladder.add(ended(place, (one, other), winners, outcome))


def among_themselves(ladder, accounts, games, outcome=Outcome.RESIGNED):
    """Each of a farm's accounts plays so many of the next ones in a ring."""
    for distance in range(1, games + 1):
        for place, one in enumerate(accounts):
            play(ladder, one, accounts[(place + distance) % len(accounts)], outcome)


def farmed(ladder, losers):
    for loser in losers:
        play(ladder, MAIN, loser)
    return ladder.standings[MAIN]


@pytest.mark.parametrize("losers", [1, 50, 500])
def test_fresh_losers_lift_nobody(ladder, losers):
    main = farmed(ladder, map(account, range(losers)))
    assert main.rating < RATING + ALMOST_NOTHING
    assert main.score < ALMOST_NOTHING + 50


@pytest.mark.parametrize(("losers", "games"), [(50, 1), (50, 2), (500, 2), (5, 4), (4, 3)])
@pytest.mark.parametrize("outcome", [Outcome.RESIGNED, Outcome.DRAWN])
def test_nor_do_losers_that_know_each_other_alone(ladder, losers, games, outcome):
    farm = [account(number) for number in range(losers)]
    among_themselves(ladder, farm, games, outcome)
    assert farmed(ladder, farm).rating < RATING + ALMOST_NOTHING


def test_nor_do_draws_that_come_in_between(ladder):
    for number in range(0, 200, 2):
        play(ladder, MAIN, account(number), Outcome.DRAWN)
        play(ladder, MAIN, account(number + 1))
    assert ladder.standings[MAIN].rating < RATING + ALMOST_NOTHING


@pytest.mark.parametrize("games", [5, 20])
def test_a_farm_that_plays_on_lifts_nobody_out_of_its_reach(ladder, games):
    farm = [account(number) for number in range(50)]
    among_themselves(ladder, farm, games)
    best = max(standing.rating for standing in ladder.standings.values())
    assert farmed(ladder, farm).rating <= best + REACH


def test_one_loser_over_and_over_lifts_nobody_far(ladder):
    establish(ladder, account(1))
    for _ in range(1000):
        play(ladder, MAIN, account(1))
    assert ladder.standings[MAIN].rating <= RATING + REACH


def test_whoever_loses_to_a_fresh_account_loses_next_to_nothing(ladder):
    establish(ladder, MAIN)
    before = ladder.standings[MAIN]
    for number in range(50):
        play(ladder, account(number), MAIN)
    assert ladder.standings[MAIN].rating > before.rating - ALMOST_NOTHING
    assert ladder.standings[account(1)].rating > RATING + 100


def establish(ladder, player, deviation=150.0):
    """Everybody knows this player's rating."""
    ladder.standings[player] = Standing(deviation=deviation, rated=40, opponents=20, allowed=1.0)


# ── honest players ──


def club(chance, players, rounds):
    """Everybody plays in each round; the ladder, and how strong each is."""
    ladder = Ladder({}, {}, lambda _pair, _place: False)
    strength = {account(number): chance.gauss(RATING, 300) for number in range(players)}
    for _ in range(rounds):
        order = chance.sample(list(strength), players)
        for one, other in zip(order[::2], order[1::2], strict=True):
            play(ladder, *by_strength(chance, strength, one, other))
    return ladder, strength


def by_strength(chance, strength, one, other):
    odds = 1 / (1 + 10 ** ((strength[other] - strength[one]) / 400))
    return (one, other) if chance.random() < odds else (other, one)


def test_players_who_are_all_new_are_soon_in_order():
    ladder, strength = club(random.Random(7), players=30, rounds=20)
    ratings = [ladder.standings[player].rating for player in strength]
    assert correlation(ratings, list(strength.values())) > 0.85


@pytest.mark.parametrize(("strong", "at_least", "at_most"), [(1900, 1600, 2200), (1100, 800, 1400)])
def test_a_newcomer_among_known_players_is_soon_where_they_belong(
    ladder, strong, at_least, at_most
):
    chance = random.Random(11)
    strength = {account(number): chance.gauss(RATING, 250) for number in range(40)}
    for player, each in strength.items():
        establish(ladder, player)
        ladder.standings[player] = replace(ladder.standings[player], rating=each)
    strength[MAIN] = strong
    for _ in range(25):
        play(ladder, *by_strength(chance, strength, MAIN, account(chance.randrange(40))))
    main = ladder.standings[MAIN]
    assert at_least < main.rating < at_most
    assert main.deviation < 300
