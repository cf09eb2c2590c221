"""The bots: legal attacks, the same ones for the same seed, each clearly better than the one before."""

from random import Random
from statistics import mean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battleship.bots import BOTS, Bot, DensityBot, HuntBot, RandomBot, density, random_fleet
from battleship.fleets import SIZES, check_fleet, parse_fleet
from battleship.rules import Attack, Board, State, apply, legal_moves, view


def shots_needed(bot: Bot, size: int, seed: int) -> int:
    """How many shots the bot needs for a random fleet, nobody firing back."""
    board = Board(size, random_fleet(size, Random(seed)))
    idle = Board(size)
    while not board.beaten:
        attack = bot.choose(view(State((idle, board), 0), 0))
        cell = attack.cell(size)
        board = board.struck(cell, board.answer(cell))
    return len(board.shots)


@pytest.mark.parametrize("name", BOTS)
@settings(max_examples=10)
@given(seed=st.integers(0, 2**64), size=st.sampled_from([6, 8, 10]))
def test_every_attack_is_legal(name: str, seed: int, size: int) -> None:
    rng, bots = Random(seed), (BOTS[name](seed), RandomBot(seed))
    state = State.new(size, [random_fleet(size, rng) for _ in "ab"])
    while state.winner is None:
        seen = view(state, state.turn)
        attack = bots[state.turn].choose(seen)
        assert attack in legal_moves(seen)
        state = apply(state, attack)


@pytest.mark.parametrize("name", BOTS)
def test_a_seed_decides_every_choice(name: str) -> None:
    first, again, other = (shots_needed(BOTS[name](seed), 10, 5) for seed in (1, 1, 2))
    assert first == again
    assert {first, other} != {first} or name != "random"


@pytest.mark.parametrize("size", [6, 10, 12])
def test_each_is_clearly_better_than_the_one_before(size: int) -> None:
    rounds = range(20)
    needed = [
        mean(shots_needed(bot(seed), size, 100 + seed) for seed in rounds)
        for bot in (RandomBot, HuntBot, DensityBot)
    ]
    print(size, needed)
    assert needed[1] < 0.9 * needed[0]
    assert needed[2] < 0.9 * needed[1]


@given(seed=st.integers(0, 2**32), size=st.sampled_from(SIZES))
def test_random_fleets_are_legal_and_take_up_what_is_placed(seed: int, size: int) -> None:
    fleet = random_fleet(size, Random(seed))
    assert check_fleet(size, fleet) == fleet
    placed = parse_fleet("CR 0 0 h")
    assert check_fleet(size, random_fleet(size, Random(seed), placed))[0] == placed[0]


def test_density_knows_where_no_ship_can_be() -> None:
    state = State.parse("6 | 0 | ? | - | ? | 1- 6-")
    weights = density(state.boards[1])
    assert weights[0] == 0
    assert weights[14] > weights[35] > 0


def test_a_hit_is_followed_up_and_a_sunk_ship_left_alone() -> None:
    hit = State.parse("6 | 0 | ? | - | ? | 14+ 15+")
    sunk = State.parse("6 | 0 | ? | - | ? | 14+ 15+ 16+CR 0-")
    for seed in range(10):
        for bot in (HuntBot(seed), DensityBot(seed)):
            assert bot.choose(hit) in (Attack.at(6, 13), Attack.at(6, 16))
    around = {8, 9, 10, 13, 17, 20, 21, 22}
    chosen = {HuntBot(seed).choose(sunk).cell(6) for seed in range(60)}
    assert chosen - around
